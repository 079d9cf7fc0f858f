/** Step 3: cited evidence exists, quotes stand in it verbatim, and the evidence itself is what the repository says. */
import { visibleText } from '../../base/visible-text.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { Candidate } from '../../domain/finding.ts'
import type { Place } from './anchor/place.ts'
import type { Sources } from './sources.ts'
import { type Dropped, drop, type StepNotes } from './step.ts'

/** Evidence by id, as the bundle has it. */
export type EvidenceTable = ReadonlyMap<string, Evidence>

/** What was verified, in words; or the first citation that does not hold. */
export async function checkEvidence(
  candidate: Candidate,
  place: Place,
  evidence: EvidenceTable,
  sources: Sources,
): Promise<StepNotes | Dropped> {
  if (candidate.evidence.length === 0)
    return quotesItsAnchor(candidate, place)
      ? { verifiedBy: ['its own line is quoted word for word'], demotions: [] }
      : drop('It cites no evidence and does not quote the line it is about')
  for (const { evidence: id, quote } of candidate.evidence) {
    const item = evidence.get(id)
    if (!item) return drop(`It cites ${id.slice(0, 20)}, which does not exist`)
    if (quote.trim() === '') return drop(`It cites ${id} without quoting it`)
    if (!holdsQuote(item.text, quote)) return drop(`The words it quotes do not stand in ${id}`)
    const untruth = await findUntruth(item, sources)
    if (untruth !== null) return drop(`${id} is not what the repository says: ${untruth}`)
  }
  const number = candidate.evidence.length
  return {
    verifiedBy: [`${number} ${number === 1 ? 'quote stands' : 'quotes stand'} word for word in the evidence`],
    demotions: [],
  }
}

/** As it stands, or as a model was shown it: with hidden characters made visible and plain line ends. */
function holdsQuote(text: string, quote: string): boolean {
  return text.includes(quote) || visibleText(text.replaceAll('\r\n', '\n')).includes(quote)
}

/** A `line-contains` claim about the shown line is a quotation of it; the claims step checks it. */
function quotesItsAnchor({ claims, anchor }: Candidate, place: Place): boolean {
  return claims.some(
    (claim) =>
      claim.kind === 'line-contains' &&
      claim.path === anchor.path &&
      claim.text.trim() !== '' &&
      claim.line === place.shown?.[claim.side],
  )
}

/** Null when the item holds. What this program computed, and what no file holds (tickets, counts), is not re-read. */
async function findUntruth(item: Evidence, sources: Sources): Promise<string | null> {
  if (item.trust === 'own') return null
  if (item.source !== 'file' && item.source !== 'diff') return null
  if (item.path === null) return 'it names no file'
  if (item.startLine === null)
    return item.source === 'diff' ? findInDiff(item.path, item.text, sources.change) : null
  const side = item.side ?? 'new'
  const file = await sources.text(side, item.path)
  // The diff shows lines of files that are too large to be read whole.
  if (!file && item.source === 'diff') return findInDiff(item.path, item.text, sources.change)
  if (!file) return `\`${item.path}\` cannot be read ${side === 'new' ? 'after' : 'before'} the change`
  if (item.blob !== null && item.blob !== file.blob) return `\`${item.path}\` is another version of the file`
  const lines = (await sources.lines(side, item.path)) ?? []
  return sameLines(
    lines.slice(item.startLine - 1, item.endLine ?? item.startLine),
    item.text.replace(/\n$/, '').split('\n'),
  )
    ? null
    : `\`${item.path}\` has other text at line ${item.startLine}`
}

function findInDiff(path: string, text: string, change: ChangeSet): string | null {
  const file = change.files.find((one) => one.path === path || one.oldPath === path)
  const lines = new Set(file?.hunks.flatMap((hunk) => hunk.lines.map((line) => line.text)))
  // Quoted from a diff, a line may still carry its sign.
  const isThere = (line: string) => lines.has(line) || (/^[+ -]/.test(line) && lines.has(line.slice(1)))
  return text.split('\n').every(isThere) ? null : `the diff of \`${path}\` has no such lines`
}

/** Carriage returns at line ends do not count: whoever split the text may have dropped them. */
function sameLines(actual: readonly string[], claimed: readonly string[]): boolean {
  const bare = (line: string) => line.replace(/\r$/, '')
  return (
    actual.length === claimed.length && actual.every((line, at) => bare(line) === bare(claimed[at] ?? ''))
  )
}
