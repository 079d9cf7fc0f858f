/** Step 3: cited evidence exists, quotes are verbatim, and the evidence itself is what the repository says. */
import { type ChangeSet, pathOn, type Side } from '../../domain/change-set.ts'
import type { Claim } from '../../domain/claim.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { Candidate, Citation } from '../../domain/finding.ts'
import { quotedWords } from '../../domain/proof.ts'
import { findQuote, linesOfWords } from '../../domain/quoted-words.ts'
import { anchorCandidate } from './anchor/anchor-candidate.ts'
import { locateTag } from './anchor/locate-tag.ts'
import { readQuotes } from './anchor/quotes.ts'
import {
  type CandidateState,
  type DiffLocation,
  type Dropped,
  drop,
  type EvidenceTable,
  isDropped,
  locationOf,
  type StepResult,
  type ValidationContext,
  type ValidationStep,
} from './contract.ts'
import type { Sources } from './sources.ts'

export const evidenceSteps: readonly ValidationStep[] = [
  { name: 'something cited', step: 'evidence', run: checkCited },
  { name: 'verbatim quotes', step: 'evidence', run: checkQuotes },
  { name: 'true evidence', step: 'evidence', run: checkTruth },
]

function checkCited(state: CandidateState): StepResult {
  if (state.candidate.evidence.length > 0) return {}
  return quotesItsAnchor(state.candidate, locationOf(state))
    ? { verifiedBy: ['its own line is quoted word for word'] }
    : drop('It cites no evidence and does not quote the line it is about')
}

/** A `line-contains` claim about the shown line is a quotation of it; the claims step checks it. */
function quotesItsAnchor({ claims, anchor }: Candidate, location: DiffLocation): boolean {
  return claims.some(
    (claim) =>
      claim.kind === 'line-contains' &&
      claim.path === anchor.path &&
      claim.text.trim() !== '' &&
      claim.line === location.shown?.[claim.side],
  )
}

/** What one citation comes to: its words as they are at their source, or, for a tag, claims about the lines that it quotes. */
type ReadCitation = { kept: Citation; isCorrected: boolean } | { claims: Claim[] }

/**
 * A model's quote that differs in white space only is replaced by the words of the evidence. Of several citations of a model,
 * those that are wrong are left out, if what is left can carry the finding.
 */
function checkQuotes(state: CandidateState, context: ValidationContext): StepResult {
  const { candidate } = state
  const read: ReadCitation[] = []
  const refused: string[] = []
  for (const citation of candidate.evidence) {
    const result = readCitation(citation, state, context.evidence)
    if (!isDropped(result)) read.push(result)
    else if (candidate.byModel) refused.push(result.dropped)
    else return result
  }
  const verified = read.flatMap((one) => ('kept' in one ? [one] : []))
  const checked = {
    ...candidate,
    evidence: verified.map(({ kept }) => kept),
    claims: [...candidate.claims, ...read.flatMap((one) => ('claims' in one ? one.claims : []))],
  }
  const [first] = refused
  if (first !== undefined && !canDoWithout(refused.length, checked, read, state, context)) return drop(first)
  const corrected = verified.filter(({ isCorrected }) => isCorrected).length
  return {
    candidate: checked,
    verifiedBy: [
      ...quotesNote(verified.length - corrected, quotedWords),
      ...quotesNote(corrected, 'in the evidence apart from white space, and is shown as it is there'),
    ],
    demotions: refused.map(
      (reason) => `citation left out: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`,
    ),
  }
}

function readCitation(
  { evidence: id, quote }: Citation,
  state: CandidateState,
  evidence: EvidenceTable,
): ReadCitation | Dropped {
  const byModel = state.candidate.byModel === true
  if (quote.trim() === '') return drop(`It cites ${id.slice(0, 20)} without quoting it`)
  const item = evidence.get(id)
  if (item) {
    const words = findQuote(item.text, quote, byModel)
    if (words === null) return drop(`The words it quotes are not in ${id}`)
    return { kept: { evidence: id, quote: words }, isCorrected: words !== quote }
  }
  const claims = byModel ? claimsOfTag(id, quote, locationOf(state)) : null
  return claims === null ? drop(`It cites ${id.slice(0, 20)}, which does not exist`) : { claims }
}

/**
 * Whether a finding holds without its wrong citations: most of what it cites is right, some of it at the lines that the
 * finding is about, and the wrong words did not choose its line. Words that are nowhere would otherwise gain it a place.
 */
function canDoWithout(
  wrong: number,
  checked: Candidate,
  right: readonly ReadCitation[],
  state: CandidateState,
  { evidence, bundle }: ValidationContext,
): boolean {
  const location = locationOf(state)
  const isAtItsPlace = right.some((one) =>
    'kept' in one
      ? isQuotedAt(location, evidence.get(one.kept.evidence), one.kept.quote)
      : one.claims.some((claim) => claim.kind === 'line-contains' && isOn(location, claim.side, claim.line)),
  )
  if (right.length < wrong || !isAtItsPlace) return false
  const again = anchorCandidate(checked, bundle.change)
  return !isDropped(again) && again.location.shown === location.shown
}

/** The quoted words are on lines of the finding, in the file and on the side that it is shown on. */
function isQuotedAt(location: DiffLocation, item: Evidence | undefined, quote: string): boolean {
  if (!item || item.startLine === null) return false
  const { text, startLine } = item
  const side = item.side ?? 'new'
  if (item.path !== pathOn(side, location.file)) return false
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    const lines = linesOfWords({ text, startLine }, at, quote)
    for (let line = lines.startLine; line <= lines.endLine; line++)
      if (isOn(location, side, line)) return true
  }
  return false
}

function isOn({ shown, side, startLine, endLine }: DiffLocation, of: Side, line: number): boolean {
  return shown !== null && side === of && startLine <= line && line <= endLine
}

function quotesNote(number: number, words: string): string[] {
  return number === 0 ? [] : [`${number} ${number === 1 ? 'quote is' : 'quotes are'} ${words}`]
}

/** A citation that quotes more lines is cut. */
const mostLines = 40

/**
 * A model may cite a line of the diff by its tag in place of numbered evidence. Each quoted line then becomes a claim
 * about that line, checked like any other. Null when the tag names no line of the file, or the line has other words.
 */
function claimsOfTag(tag: string, quote: string, { file }: DiffLocation): Claim[] | null {
  const located = locateTag(tag, file, readQuotes([quote], file))
  if (isDropped(located)) return null
  const { hunk, line } = located.spot
  const side: Side = line.new !== null ? 'new' : 'old'
  const own = (file.hunks[hunk]?.lines ?? []).filter((one) => one[side] !== null)
  const from = own.indexOf(line)
  const shown = own.slice(from, from + Math.min(quote.trim().split('\n').length, mostLines))
  const words = findQuote(shown.map(({ text }) => text).join('\n'), quote.trim(), true)
  if (words === null || words.trim() === '') return null
  const pieces = words.split('\n')
  // The quote may begin below the tagged line.
  const offset = shown.findIndex((_, at) =>
    pieces.every((piece, next) => shown[at + next]?.text.includes(piece)),
  )
  if (offset < 0) return null
  return pieces.flatMap((text, at): Claim[] => {
    const number = shown[offset + at]?.[side]
    return text.trim() === '' || !number
      ? []
      : [{ kind: 'line-contains', side, text, path: file.path, line: number }]
  })
}

async function checkTruth(
  { candidate }: CandidateState,
  { evidence, sources }: ValidationContext,
): Promise<StepResult> {
  for (const { evidence: id } of candidate.evidence) {
    const item = evidence.get(id)
    const untruth = item ? await findUntruth(item, sources) : null
    if (untruth !== null) return drop(`${id} is not what the repository says: ${untruth}`)
  }
  return {}
}

/**
 * Reads the evidence again from the repository. Null when it is true; what this program computed, and what is in no
 * file (tickets, counts), is not read again.
 */
export async function findUntruth(item: Evidence, sources: Sources): Promise<string | null> {
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
  return sameLines(lines.slice(item.startLine - 1, item.endLine ?? item.startLine), item.text.split('\n'))
    ? null
    : `\`${item.path}\` has other text at line ${item.startLine}`
}

function findInDiff(path: string, text: string, change: ChangeSet): string | null {
  const file = change.files.find((one) => one.path === path || one.oldPath === path)
  const lines = new Set(file?.hunks.flatMap((hunk) => hunk.lines.map((line) => line.text)))
  // Quoted from a diff, a line may still carry its sign.
  const isInDiff = (line: string) => lines.has(line) || (/^[+ -]/.test(line) && lines.has(line.slice(1)))
  return text.split('\n').every(isInDiff) ? null : `the diff of \`${path}\` has no such lines`
}

/**
 * Carriage returns at line ends do not count: whoever split the text may have dropped them. Nor does a line feed at the
 * end of the text.
 */
function sameLines(actual: readonly string[], claimed: readonly string[]): boolean {
  const bare = (line: string) => line.replace(/\r$/, '')
  const isEnded = claimed.length === actual.length + 1 && claimed.at(-1) === ''
  return (
    (actual.length === claimed.length || isEnded) &&
    actual.every((line, at) => bare(line) === bare(claimed[at] ?? ''))
  )
}
