/** Which findings of a review were dismissed before, so that they do not come back. Pure. */
import { z } from 'zod'
import { matchGlobs } from '../base/globs.ts'
import { EarlierReview } from '../domain/earlier-review.ts'
import { dropVerdict, type Finding, type Verdict } from '../domain/finding.ts'
import { isGuard } from '../domain/guards.ts'
import { EarlierChange, emptyMemory, type MemoryNote, MemoryView } from '../domain/memory.ts'
import type { DismissedFinding } from '../domain/review.ts'
import { Mover, Reach } from './contract.ts'
import { isOpen, type Ledger } from './fold.ts'
import { ignoreCommentFor, TeamDismissal } from './ignores.ts'
import { calibrate, describePoor } from './outcomes.ts'
import { pairFindings } from './pair.ts'
import { FindingRecord, recordsOf, type TextOf } from './record.ts'

/** What a review needs of a ledger. Plain data: a run keeps it, so that a replay settles the same. */
export const LedgerView = z.object({
  findings: z.array(
    z.object({
      id: z.string(),
      record: FindingRecord,
      dismissal: z.object({ by: Mover, because: z.string(), record: FindingRecord }).nullable(),
    }),
  ),
  wide: z.array(z.object({ id: z.string(), reach: Reach, by: Mover, because: z.string() })),
  /** Whose findings here were mostly wrong or not worth it, the narrowest group first, with the words for it. */
  poor: z
    .array(
      z.object({ by: z.enum(['rule', 'plane', 'model', 'repository']), name: z.string(), why: z.string() }),
    )
    .default([]),
  /** Rules for which no wider group speaks. */
  sound: z.array(z.string()).default([]),
  /** The last review of the same change in which models read something; null without one. */
  earlier: EarlierReview.nullable().default(null),
  /** Of the team's file in the base. */
  team: z.array(TeamDismissal),
  /** The notes of the base. */
  memory: MemoryView.default(emptyMemory),
  /** What became of earlier changes by the author in the same folders. */
  developer: z.array(EarlierChange).default([]),
  /** What could not be used, for the limits of the coverage. */
  remarks: z.array(z.string()),
})
export type LedgerView = z.infer<typeof LedgerView>

export const emptyView: LedgerView = {
  findings: [],
  wide: [],
  poor: [],
  sound: [],
  earlier: null,
  team: [],
  memory: emptyMemory,
  developer: [],
  remarks: [],
}

/** Open findings of the same line of work are part of it, so that of two alike the right one is known again. */
export function viewOf(
  ledger: Ledger,
  change: string,
): Pick<LedgerView, 'findings' | 'wide' | 'poor' | 'sound'> {
  const { poor, sound } = calibrate(ledger)
  return {
    findings: [...ledger.findings.values()]
      .filter((one) => one.dismissal !== null || (one.change === change && isOpen(one)))
      .map(({ id, record, dismissal }) => ({
        id,
        record,
        dismissal: dismissal && {
          by: dismissal.by,
          because: dismissal.because,
          record: dismissal.record,
        },
      })),
    poor: poor.map((group) => ({ by: group.by, name: group.name, why: describePoor(group) })),
    sound,
    wide: ledger.wide.map(({ finding: id, reach, by, because }) => ({ id, reach, by, because })),
  }
}

export type SettleInput = {
  view: LedgerView
  verdicts: readonly Verdict[]
  /** The model that reviewed; null without one. */
  model?: string | null
  textOf: TextOf
  pathNow: (path: string) => string
}

export type Settled = {
  /** Those of dismissed findings are dropped, with the reason. */
  verdicts: Verdict[]
  dismissed: DismissedFinding[]
}

/** A dismissal of one finding ends when its code changed in substance; one of a rule holds wherever it reaches. */
export function settleFindings(input: SettleInput): Settled {
  const { verdicts, textOf } = input
  const findings = verdicts.flatMap(({ finding }) => finding ?? [])
  const known = knownAgain(findings, input)
  const dismissed = new Map<string, DismissedFinding>()
  for (const finding of findings) {
    const is = dismissalOf(
      finding,
      known.get(finding) ?? null,
      input,
      textOf(finding.side, finding.anchor.path),
    )
    if (is) dismissed.set(finding.id, { finding, ...is })
  }
  return {
    dismissed: [...dismissed.values()],
    verdicts: verdicts.map((verdict) => {
      const is = dismissed.get(verdict.finding?.id ?? '')
      if (!is) return calibrated(verdict, input)
      return dropVerdict(verdict, 'ledger', reasonOf(is))
    }),
  }
}

/** What was mostly wrong before is shown as minor; never a secret. */
function calibrated(verdict: Verdict, { view, model = null }: SettleInput): Verdict {
  const { finding } = verdict
  if (!finding || finding.severity === 'low' || finding.plane === 'secrets') return verdict
  const { rule, plane, byModel = false } = finding
  const isOf = ({ by, name }: LedgerView['poor'][number]): boolean => {
    if (by === 'rule') return name === rule
    if (view.sound.includes(rule)) return false
    if (by === 'plane') return name === plane
    return byModel && (by === 'repository' || name === model)
  }
  const group = view.poor.find(isOf) ?? minorNote(view, finding)
  if (!group) return verdict
  const lowered = { from: finding.severity, why: group.why }
  return { ...verdict, finding: { ...finding, severity: 'low', lowered: finding.lowered ?? lowered } }
}

function minorNote({ memory }: LedgerView, finding: Finding): { why: string } | null {
  const note = noteAbout(memory, 'minor', finding)
  return note && { why: loweredBy(note) }
}

/** As a finding says it. */
export function loweredBy({ path, text }: Pick<MemoryNote, 'path' | 'text'>): string {
  return `${path}: ${firstLine(text)}`
}

/** The note with this effect on a finding; null where there is none. */
function noteAbout(
  { notes }: MemoryView,
  kind: 'dismiss' | 'minor',
  { rule, plane, anchor }: Pick<Finding, 'rule' | 'plane' | 'anchor'>,
): MemoryNote | null {
  if (isGuard(plane)) return null
  const found = notes.find(
    ({ state, effect, paths }) =>
      state === 'active' && effect?.kind === kind && effect.rule === rule && matchGlobs(paths)(anchor.path),
  )
  return found ?? null
}

const longestReason = 300

export function firstLine(text: string): string {
  return text.slice(0, longestReason).split('\n', 1)[0] ?? ''
}

function reasonOf({ how, by, because }: DismissedFinding): string {
  if (how === 'memory') return `${by} says that such findings do not count here: ${because}`
  if (how === 'comment') return `a comment beside the code asks to ignore it: ${because}`
  return `${by} dismissed it: ${because}`
}

type KnownAgain = { id: string; dismissal: LedgerView['findings'][number]['dismissal'] }

function knownAgain(
  findings: readonly Finding[],
  { view, textOf, pathNow }: SettleInput,
): Map<Finding, KnownAgain> {
  // To describe findings costs time for each line of their files.
  if (view.findings.length === 0) return new Map()
  const records = recordsOf(findings, textOf)
  const known = view.findings.map((one) => ({ ...one, dismissed: one.dismissal?.record ?? null }))
  const pairs = pairFindings(known, records, { textOf, pathNow })
  return new Map(
    findings.flatMap((finding, at) => {
      const pair = pairs.get(records[at]?.id ?? '')
      return pair && !pair.isEdited ? [[finding, pair.known] as const] : []
    }),
  )
}

function dismissalOf(
  { rule, plane, anchor: { path }, ...finding }: Finding,
  known: KnownAgain | null,
  { view, pathNow }: SettleInput,
  text: string | null,
): Omit<DismissedFinding, 'finding'> | null {
  const ledger = known?.id ?? null
  const wide = view.wide.find(({ reach }) => {
    if (reach.kind === 'here' || reach.rule !== rule) return false
    return reach.kind === 'file' ? pathNow(reach.path) === path : matchGlobs(reach.paths)(path)
  })
  if (wide) {
    const { reach, by, because } = wide
    return { ledger, how: reach.kind, by: by.name, because }
  }
  if (known?.dismissal)
    return { ledger, how: 'here', by: known.dismissal.by.name, because: known.dismissal.because }
  const entry = view.team.find((one) =>
    one.finding === undefined
      ? one.rule === rule && matchGlobs(one.paths ?? ['**'])(path)
      : (ledger ?? finding.fingerprint).startsWith(one.finding),
  )
  if (entry) return { ledger, how: 'team-file', by: entry.by ?? 'the team', because: entry.because }
  const note = noteAbout(view.memory, 'dismiss', { rule, plane, anchor: { path, tags: [] } })
  if (note) return { ledger, how: 'memory', by: note.path, because: firstLine(note.text) }
  const comment = ignoreCommentFor({ ...finding, rule, plane, anchor: { path, tags: [] } }, text)
  return comment && { ledger, how: 'comment', by: 'a comment', because: comment.reason }
}
