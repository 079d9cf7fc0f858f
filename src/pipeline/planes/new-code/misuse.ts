/** One thing that new code gets wrong, and the finding made from it. */
import type { FileChange } from '../../../domain/change-set.ts'
import type { Claim } from '../../../domain/claim.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { nearestTag } from '../changed-lines.ts'

export type Misuse = {
  /** Stable id, with the name of the plane. */
  rule: string
  /** By the rules of the language, or by a convention that nearly always holds. */
  certain: boolean
  title: string
  explanation: string
  remedy: string | null
  file: FileChange
  /** At the head: what is wrong, from first to last line. */
  line: number
  endLine: number
  claims: Claim[]
  /** Other lines of the head that show it: the definition, the registry of keys. */
  shown: readonly { path: string; line: number; title: string }[]
}

/** Lines that are quoted of what is wrong. */
const mostLines = 8
/** Longer texts are left out of the evidence. */
const longestText = 600

/** Null when no line of it is in the diff. */
export async function findingOf(
  misuse: Misuse,
  head: RepoSnapshot,
  isTest: (path: string) => boolean,
): Promise<CandidateDraft | null> {
  const { rule, certain, file, line, endLine, claims } = misuse
  const tag = nearestTag(file, 'new', { from: line, to: endLine, near: line })
  if (tag === null) return null
  const places = [
    { path: file.path, line, endLine: Math.min(endLine, line + mostLines - 1), title: 'new code' },
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
    anchor: { path: file.path, tags: [tag] },
    claims,
    suggestion: null,
    preExisting: false,
    evidence: (await Promise.all(places.map((place) => quoteOf(place, head)))).flat(),
  }
}

async function quoteOf(
  { path, line, endLine, title }: { path: string; line: number; endLine: number; title: string },
  head: RepoSnapshot,
): Promise<CandidateDraft['evidence']> {
  const file = await head.read(path)
  const text = file?.text
    .split('\n')
    .slice(line - 1, endLine)
    .join('\n')
  const quote = text?.split('\n')[0]?.trim()
  if (!file || !text || !quote || text.length > longestText) return []
  return [
    {
      item: {
        source: 'file',
        trust: 'foreign',
        title: title.slice(0, 200),
        path,
        blob: file.blob,
        side: 'new',
        startLine: line,
        endLine,
        text,
      },
      quote,
    },
  ]
}
