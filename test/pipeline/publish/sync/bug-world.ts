/**
 * A repository of numbered bugs, whose review is known: every added line with `bug N` is a finding. Changes of base and
 * head are random; whatever they are, the right comments follow from the lines.
 */
import { structuredPatch } from 'diff'
import { sha256 } from '../../../../src/base/canonical-json.ts'
import type { ChangeSet, DiffLine, FileChange, Hunk } from '../../../../src/domain/change-set.ts'
import type { Finding } from '../../../../src/domain/finding.ts'
import { lineHash, tagOf } from '../../../../src/domain/line-tag.ts'
import type { Review } from '../../../../src/domain/review.ts'
import type { Severity } from '../../../../src/domain/severity.ts'
import { sampleFinding, sampleReview } from '../../../helpers/sample-review.ts'
import type { Tree } from './memory-host.ts'

export const bugPattern = /\bbug (\d+)\b/

export function changeOf(base: Tree, head: Tree, renamed: ReadonlyMap<string, string>): ChangeSet {
  const before = new Map([...renamed].map(([old, now]) => [now, old]))
  const gone = [...base.keys()].filter((path) => !head.has(path) && !renamed.has(path))
  const files = [...new Set([...head.keys(), ...gone])].sort().flatMap((path) => {
    const oldPath = before.get(path) ?? null
    const [old, now] = [base.get(oldPath ?? path), head.get(path)]
    const isSame = old && now && old.join('\n') === now.join('\n')
    return isSame && oldPath === null ? [] : [fileOf(path, oldPath, old, now)]
  })
  return { files, overflow: [] }
}

function fileOf(
  path: string,
  oldPath: string | null,
  old: readonly string[] | undefined,
  now: readonly string[] | undefined,
): FileChange {
  const text = (lines: readonly string[] | undefined) => (lines ?? []).map((line) => `${line}\n`).join('')
  const { hunks } = structuredPatch('a', 'b', text(old), text(now), '', '', { context: 3 })
  const status = oldPath !== null ? 'renamed' : !old ? 'added' : !now ? 'deleted' : 'modified'
  return {
    path,
    oldPath,
    status,
    kind: 'text',
    role: 'source',
    language: null,
    oldMode: old ? '100644' : null,
    newMode: now ? '100644' : null,
    oldBlob: old ? '1'.repeat(40) : null,
    newBlob: now ? '2'.repeat(40) : null,
    similarity: oldPath === null ? null : 90,
    added: 1,
    removed: 1,
    hunks: hunks.map(hunkOf),
    omitted: null,
  }
}

function hunkOf({
  oldStart,
  oldLines,
  newStart,
  newLines,
  lines,
}: ReturnType<typeof structuredPatch>['hunks'][number]): Hunk {
  let [old, fresh] = [oldStart, newStart]
  const made = lines.flatMap((line): DiffLine[] => {
    const text = line.slice(1)
    const hash = lineHash(text)
    if (line.startsWith('+')) return [{ kind: 'added', old: null, new: fresh++, text, hash }]
    if (line.startsWith('-')) return [{ kind: 'removed', old: old++, new: null, text, hash }]
    return line.startsWith(' ') ? [{ kind: 'context', old: old++, new: fresh++, text, hash }] : []
  })
  return { oldStart, oldLines, newStart, newLines, section: '', lines: made }
}

/** In random severities by their number, most severe first. */
export function reviewOf(change: ChangeSet, head: string): Review {
  const found = change.files.flatMap((file) =>
    file.hunks.flatMap(({ lines }) =>
      lines.flatMap((line, at) => (line.kind === 'added' ? findingAt(file.path, lines, at) : [])),
    ),
  )
  const findings = found
    .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
    .map((finding, at) => ({ ...finding, id: `C${at + 1}` }))
  const sample = sampleReview()
  return {
    ...sample,
    request: {
      ...sample.request,
      repository: { host: 'host.test', id: '7', owner: ['o'], name: 'r', visibility: 'public' },
      changeRequest: {
        number: 1,
        url: 'https://host.test/o/r/1',
        isDraft: false,
        isFork: false,
        baseRef: 'main',
        headRef: 'topic',
        author: { id: '1', login: 'ada', isBot: false, trust: 'member' },
        participants: [],
        labels: [],
        linkedIssues: [],
      } as unknown as NonNullable<Review['request']['changeRequest']>,
      head: { commit: head, tree: head },
    },
    findings,
    verdicts: [],
    coverage: {
      ...sample.coverage,
      files: change.files.map(({ path }) => ({ path, state: 'reviewed' as const, reason: null })),
      planes: [{ plane: 'rules', state: 'ran', reason: null, candidates: findings.length }],
      limits: [],
      complete: true,
    },
  }
}

const severities: readonly Severity[] = ['high', 'medium', 'low']

function findingAt(path: string, lines: readonly DiffLine[], at: number): Finding[] {
  const line = lines[at]
  const [, number] = bugPattern.exec(line?.text ?? '') ?? []
  if (!line || number === undefined) return []
  return [
    sampleFinding({
      plane: 'rules',
      rule: `rules/kind-${Number(number) % 3}`,
      severity: severities[Number(number) % 3] ?? 'low',
      title: `The name bug_${number} is wrong`,
      explanation: `It is bug ${number}.`,
      anchor: { path, tags: [tagOf(line)] },
      evidence: [],
      startLine: line.new ?? 1,
      endLine: line.new ?? 1,
      excerpt: lines.slice(Math.max(0, at - 2), at + 3),
      fingerprint: sha256(`${path} ${line.text.trim()}`),
    }),
  ]
}
