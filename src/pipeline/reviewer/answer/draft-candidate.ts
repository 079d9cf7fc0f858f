/**
 * Makes a candidate for validation from a finding on the wire. It judges nothing: wrong tags, made-up evidence and quotes
 * are passed on, so that validation drops them with the reason. Only what does not fit a candidate's shape is left out and
 * reported.
 */
import { visibleLine } from '../../../base/visible-text.ts'
import type { ChangeSet } from '../../../domain/change-set.ts'

import { Claim } from '../../../domain/claim.ts'
import { evidenceOfLines, linesFromTag } from '../../../domain/diff-lines.ts'
import type { EvidenceBook, EvidenceDraft } from '../../../domain/evidence.ts'

import type { CandidateDraft, DraftCitation, Suggestion } from '../../../domain/finding.ts'
import { parseTag } from '../../../domain/line-tag.ts'
import { bareTag, type WireClaim, type WireFinding } from './schema.ts'

const most = { tags: 40, citations: 20, claims: 20 }

/** A quote of more lines is no quote. */
const mostLines = 40

export type DraftContext = {
  /** Whose finding it is. */
  plane: string
  change: ChangeSet
  book: EvidenceBook
  /** The files this question was about: where a tag without its file is looked for. */
  files: readonly string[]
  /** The answer had to be repaired before it could be read: code in it is suspect. */
  repaired: boolean
}

/** Part of a finding that could not be taken over. */
export type Unfit = { what: string; reason: string }

export function draftCandidate(
  finding: WireFinding,
  context: DraftContext,
): { draft: CandidateDraft; unfit: Unfit[] } {
  const unfit: Unfit[] = []
  const leaveOut = (part: string, reason: string): void =>
    void unfit.push({ what: `${part} of "${visibleLine(finding.title).slice(0, 100)}"`, reason })
  const path = finding.file.trim().replace(/^\.\//, '')
  const claims = finding.claims.slice(0, most.claims).flatMap((wire) => {
    const claim = readClaim(wire)
    if (!('unfit' in claim)) return [claim]
    leaveOut(`a claim (${wire.kind})`, claim.unfit)
    return []
  })
  for (const key of ['tags', 'claims'] as const)
    if (finding[key].length > most[key]) leaveOut(key, `more than ${most[key]}; the first ones were taken`)
  if (finding.evidence.length > most.citations)
    leaveOut('evidence', `more than ${most.citations} citations; the first ones were taken`)
  const suggestion = readSuggestion(finding, path, context)
  if (typeof suggestion === 'string') leaveOut('the suggestion', suggestion)

  const draft: CandidateDraft = {
    plane: context.plane,
    rule: `${context.plane}/${finding.category}`,
    severity: finding.severity,
    category: finding.category,
    // Certainty comes from what code confirms, never from a model's word.
    confidence: finding.confidence === 'possible' ? 'possible' : 'likely',
    title: finding.title.trim().replace(/\.$/, ''),
    explanation: finding.explanation.trim(),
    remedy: finding.remedy?.trim() || null,
    anchor: { path, tags: tagsOf(finding, path, context) },
    claims,
    suggestion: typeof suggestion === 'string' ? null : suggestion,
    preExisting: false,
    byModel: true,
    evidence: finding.evidence
      .slice(0, most.citations)
      .map(({ id, quote }) => citationOf(bareTag(id), quote, path, context)),
  }
  return { draft, unfit }
}

/** Lines of an unchanged file have no tag: the tags of its evidence are used, and validation looks for the cause. */
function tagsOf({ tags, evidence }: WireFinding, path: string, { change }: DraftContext): string[] {
  const cited = tags.slice(0, most.tags).map(bareTag)
  const isChanged = change.files.some((file) => file.path === path)
  return cited.length > 0 || isChanged ? cited : evidence.slice(0, 1).map(({ id }) => bareTag(id))
}

function citationOf(id: string, quote: string, path: string, context: DraftContext): DraftCitation {
  const known = context.book.get(id)
  if (known) return { cited: id, quote: readQuote(quote, known.text) }
  const lines = quote.trim().split('\n').length
  const holder = lineEvidence(context.change, path, id, 1)
    ? path
    : pathWithTag(context.change, context.files, id)
  const item = holder === null ? null : lineEvidence(context.change, holder, id, lines)
  return item ? { item, quote: readQuote(quote, item.text) } : { cited: id, quote }
}

/** Null when there is none; in words, why it cannot be taken. */
function readSuggestion(
  { suggestion }: WireFinding,
  path: string,
  { change, repaired }: DraftContext,
): Suggestion | string | null {
  if (!suggestion) return null
  if (repaired) return 'the answer was damaged and had to be repaired, so its code is not reliable'
  const [first, last] = [suggestion.first_tag, suggestion.last_tag].map((tag) => {
    const bare = bareTag(tag)
    const parsed = parseTag(bare)
    return parsed?.side === 'new' && lineEvidence(change, path, bare, 1) ? parsed.line : null
  })
  if (!first || !last) return 'its tags name no lines of the diff after the change'
  return { path, startLine: first, endLine: last, replacement: suggestion.replacement.replace(/\n$/, '') }
}

/**
 * The tagged line, with as many of those below it on the same side as the quote has; null when no line of the diff of
 * this file has the tag.
 */
function lineEvidence(
  change: ChangeSet,
  path: string,
  tag: string,
  quotedLines: number,
): EvidenceDraft | null {
  const file = change.files.find((one) => one.path === path)
  const lines = file ? linesFromTag(file, tag, Math.min(Math.max(quotedLines, 1), mostLines)) : []
  if (!file || lines.length === 0) return null
  const isUnchanged = lines.every(({ kind }) => kind === 'context')
  const side = parseTag(tag.trim())?.side ?? 'new'
  return evidenceOfLines(file, side, lines, isUnchanged ? 'beside the change' : 'of the change itself')
}

/** The path, if only one of the files has a line with this tag: a hash of three characters alone proves nothing. */
function pathWithTag(change: ChangeSet, paths: readonly string[], tag: string): string | null {
  const holders = paths.filter((path) => lineEvidence(change, path, tag, 1) !== null)
  return holders.length === 1 ? (holders[0] ?? null) : null
}

/** A claim that code can check from the flat claim on the wire, or why it is not one. */
export function readClaim(wire: WireClaim): Claim | { unfit: string } {
  const parsed = Claim.safeParse(shapeOf(wire))
  if (!parsed.success) {
    const key = parsed.error.issues[0]?.path.join('.') ?? 'it'
    return { unfit: `\`${key}\` is missing or not as it should be` }
  }
  const empty = emptyWord(parsed.data)
  return empty === null ? parsed.data : { unfit: `\`${empty}\` is empty` }
}

function shapeOf(wire: WireClaim): unknown {
  const { kind, path, line, name } = wire
  const at = { kind, path, line }
  switch (kind) {
    case 'caller-not-updated':
      return { ...at, symbol: name, definedIn: wire.other_path }
    case 'undefined':
    case 'unused':
      return { ...at, name }
    case 'not-exported':
      return { ...at, name, from: wire.other_path }
    case 'missing-path':
      return { ...at, target: wire.other_path }
    case 'duplicate-of':
      return {
        ...at,
        endLine: wire.end_line,
        otherPath: wire.other_path,
        otherLine: wire.other_line,
        otherEndLine: wire.other_end_line,
      }
    case 'no-test-calls':
      return { ...at, symbol: name }
    case 'type-mismatch':
      return { ...at, checker: name, message: wire.text }
    case 'line-contains':
      return { ...at, side: wire.side, text: wire.text }
    case 'rule-matches':
      return { ...at, rule: name }
    case 'changes-together':
      return { kind, path, partner: wire.other_path, together: wire.together, total: wire.total }
  }
}

/** Words that the wire fills with nothing where a kind has no use for them; a claim cannot do without its own. */
function emptyWord(claim: Claim): string | null {
  const empty = Object.entries(claim).find(([, value]) => value === '')
  return empty ? empty[0] : null
}

/** Tag and sign of a diff line, or number and bar of a line of evidence, as the prompt shows them. */
const prefix = /^[ \t]*(?:\[[LOF]\d{0,9}#[0-9a-z]{3}\] ?[-+ ]?|\d{1,9}\| ?)/

/**
 * Removes the marks of the prompt from a quote: as given if the text contains it, else without the marks of each line and
 * the outer space. Whether the text contains it in the end is for validation to check.
 */
export function readQuote(quote: string, text: string): string {
  if (quote !== '' && text.includes(quote)) return quote
  const bare = quote
    .split('\n')
    .map((line) => line.replace(prefix, ''))
    .join('\n')
  for (const candidate of [bare, bare.trim(), quote.trim()])
    if (candidate !== '' && text.includes(candidate)) return candidate
  return quote
}
