/** One thing that new code gets wrong, and the finding made from it. */
import { type FileChange, pathOn } from '../../../domain/change-set.ts'
import type { Claim } from '../../../domain/claim.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { changedLines, nearestTag } from '../changed-lines.ts'
import { citeLines } from '../cite-lines.ts'

export type Misuse = {
  /** Stable id, with the name of the plane. */
  rule: string
  /** By the rules of the language, or by a convention that nearly always holds. */
  certain: boolean
  title: string
  explanation: string
  remedy: string | null
  /** What would show it to be wrong, where that is not what it is for others of the plane. */
  wrongIf?: string
  file: FileChange
  /** What is wrong, from first to last line, at the head; or what was taken away, before the change. */
  side?: 'old'
  line: number
  endLine: number
  claims: Claim[]
  /** Other lines of the head that show it: the definition, the registry of keys. */
  shown: readonly { path: string; line: number; title: string }[]
}

function citeRemoved(file: FileChange, at: number): CandidateDraft['evidence'] {
  return changedLines(file, 'old', at, at).map(({ text }) => ({
    item: {
      ...{ source: 'diff', trust: 'foreign', title: 'removed by the change', path: pathOn('old', file) },
      ...{ blob: file.oldBlob, side: 'old', startLine: at, endLine: at, text },
    },
    quote: text,
  }))
}

/** Null when no line of it is in the diff. */
export async function findingOf(
  misuse: Misuse,
  head: RepoSnapshot,
  isTest: (path: string) => boolean,
): Promise<CandidateDraft | null> {
  const { rule, certain, file, side = 'new', line, endLine, claims } = misuse
  const tag = nearestTag(file, side, { from: line, to: endLine, near: line })
  if (tag === null) return null
  const places = [
    ...(side === 'new' ? [{ path: file.path, line, endLine, title: 'new code' }] : []),
    ...misuse.shown.map((place) => ({ ...place, endLine: place.line })),
  ]
  return {
    plane: 'new-code',
    rule,
    severity: certain && !isTest(file.path) ? 'high' : 'medium',
    category: 'correctness',
    confidence: certain ? 'certain' : 'likely',
    title: misuse.title.slice(0, 300),
    explanation: misuse.explanation.slice(0, 4000),
    remedy: misuse.remedy,
    ...(misuse.wrongIf === undefined ? {} : { wrongIf: misuse.wrongIf }),
    anchor: { path: file.path, tags: [tag] },
    claims,
    suggestion: null,
    preExisting: false,
    evidence: [...(side === 'old' ? citeRemoved(file, line) : []), ...(await citeLines(places, head))],
  }
}
