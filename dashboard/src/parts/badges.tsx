/** Short words with a colour. The word says it all; the colour only helps the eye. */
import type { RunRow } from '../../../src/server/api/contract/runs.ts'
import { Foreign } from './foreign.tsx'
import { formatCount } from './format.ts'

export const severityOrder = ['critical', 'high', 'medium', 'low'] as const
export type SeverityName = (typeof severityOrder)[number]

export function SeverityBadge({ severity }: { severity: SeverityName }) {
  return <span className={`badge severity-${severity}`}>{severity}</span>
}

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: React.ReactNode }) {
  return <span className={`badge tone-${tone}`}>{children}</span>
}
export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

const conclusions: Record<NonNullable<RunRow['word']>, { title: string; tone: Tone }> = {
  REQUEST_CHANGES: { title: 'Changes requested', tone: 'bad' },
  NEEDS_DISCUSSION: { title: 'Needs discussion', tone: 'warn' },
  APPROVE: { title: 'Approve', tone: 'good' },
  CHECKS_ONLY: { title: 'Checks only', tone: 'plain' },
  INCOMPLETE: { title: 'Incomplete', tone: 'warn' },
  NOTHING_REVIEWED: { title: 'Nothing reviewed', tone: 'plain' },
}
export const conclusionTitles = Object.entries(conclusions).map(([word, { title }]) => ({ word, title }))

/** What the run came to, or how far it is. */
export function OutcomeBadge({ row }: { row: Pick<RunRow, 'state' | 'word' | 'kind' | 'isReplay'> }) {
  if (row.state === 'running') return <Badge tone="accent">Running</Badge>
  if (row.state === 'killed') return <Badge tone="bad">Stopped early</Badge>
  if (row.kind === 'question') return <Badge>Question</Badge>
  if (row.kind === 'proof') return <Badge>Proof</Badge>
  if (row.isReplay) return <Badge>Replay</Badge>
  if (row.word === null) return <Badge>Finished</Badge>
  const { title, tone } = conclusions[row.word]
  return <Badge tone={tone}>{title}</Badge>
}

/** The first line of a report, without the conclusion in front, which the badge says. */
export function Headline({ text }: { text: string }) {
  return <Foreign text={text.replace(/^[A-Z_]+: /, '')} cutAt={400} />
}

/** `2 critical, 1 low` as coloured figures. */
export function SeverityCounts({ counts }: { counts: Record<SeverityName, number> }) {
  const present = severityOrder.filter((severity) => counts[severity] > 0)
  if (present.length === 0) return <span className="quiet">none</span>
  return (
    <span className="severity-counts">
      {present.map((severity) => (
        <span key={severity} className={`severity-count severity-${severity}`}>
          <b>{formatCount(counts[severity])}</b> {severity}
        </span>
      ))}
    </span>
  )
}
