/**
 * Makes a candidate for validation from a finding on the wire. It judges nothing: wrong tags, made-up evidence and quotes
 * are passed on, so that validation drops them with the reason. Only what does not fit a candidate's shape is left out and
 * reported.
 */
import { visibleLine } from '../../../base/visible-text.ts'
import type { ChangeSet } from '../../../domain/change-set.ts'

import { Claim } from '../../../domain/claim.ts'
import { evidenceOfLines, linesFromTag } from '../../../domain/diff-lines.ts'
import {
  type Evidence,
  type EvidenceBook,
  type EvidenceDraft,
  itemWithWords,
} from '../../../domain/evidence.ts'

import type {
  AlsoAt,
  Candidate,
  CandidateDraft,
  Documented,
  DraftCitation,
  ProposedEdit,
  Reader,
} from '../../../domain/finding.ts'
import { bareId, parseTag } from '../../../domain/line-tag.ts'
import { findQuote } from '../../../domain/quoted-words.ts'
import { reviewerName } from '../panel.ts'
import { unreadClaim, type WireClaim, type WireFinding } from './schema.ts'

const most = { tags: 40, also_at: 20, citations: 20, claims: 20, edits: 10 }
const longest = { name: 100, behaviour: 500, wrongIf: 200 }

/** A quote of more lines is no quote. */
const mostLines = 40

export type DraftContext = CitationContext & {
  /** Whose finding it is; null where there is one reader only. */
  reader: Reader | null
  /** The answer had to be repaired before it could be read: code in it is suspect. */
  repaired: boolean
}

/** What a question had that an answer to it may cite. */
export type CitationContext = {
  change: ChangeSet
  book: EvidenceBook
  /** The files this question was about: where a tag without its file is looked for. */
  files: readonly string[]
  /** What code found, for what strengthens or contests one of them. */
  known: readonly Pick<Candidate, 'id' | 'anchor' | 'evidence'>[]
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
  const path = plainPath(finding.file)
  const claims = finding.claims.slice(0, most.claims).flatMap((wire) => {
    const claim = readClaim(wire)
    if (!('unfit' in claim)) return [claim]
    leaveOut(wire === unreadClaim ? 'a claim' : `a claim (${wire.kind})`, claim.unfit)
    return []
  })
  for (const key of ['tags', 'also_at', 'claims', 'edits'] as const)
    if (finding[key].length > most[key]) leaveOut(key, `more than ${most[key]}; the first ones were taken`)
  if (finding.evidence.length > most.citations)
    leaveOut('evidence', `more than ${most.citations} citations; the first ones were taken`)
  const enriched = findingOfCode(finding.enriches, context.known, path)
  if (enriched === null) leaveOut('`enriches`', 'it names no finding of a check')
  const alsoAt = finding.also_at.slice(0, most.also_at).map((place) => alsoAtOf(place, context))

  const draft: CandidateDraft = {
    plane: reviewerName,
    rule: `${reviewerName}/${finding.category}`,
    severity: finding.severity,
    category: finding.category,
    // Certainty comes from what code confirms, never from a model's word.
    confidence: finding.confidence === 'possible' ? 'possible' : 'likely',
    title: finding.title.trim().replace(/\.$/, ''),
    explanation: finding.explanation.trim(),
    remedy: finding.remedy?.trim() || null,
    ...wrongIfOf(finding),
    anchor: { path, tags: tagsOf(finding, path, context) },
    claims,
    suggestion: null,
    ...editsOf(finding, context),
    ...(alsoAt.length > 0 ? { alsoAt } : {}),
    ...documentedOf(finding),
    ...(enriched ? { enriches: enriched } : {}),
    preExisting: false,
    byModel: true,
    ...(context.reader === null ? {} : { reader: context.reader }),
    evidence: finding.evidence
      .slice(0, most.citations)
      .map(({ id, quote }) => citationOf(bareId(id), quote, path, context)),
  }
  return { draft, unfit }
}

/** Lines of an unchanged file have no tag: the tags of its evidence are used, and validation looks for the cause. */
function tagsOf({ tags, evidence }: WireFinding, path: string, { change }: DraftContext): string[] {
  const cited = tags.slice(0, most.tags).map(bareId)
  const isChanged = change.files.some((file) => file.path === path)
  return cited.length > 0 || isChanged ? cited : evidence.slice(0, 1).map(({ id }) => bareId(id))
}

/** The words at that number or tag, or wherever they stand, with the lines of a tag as evidence that has no number yet. */
export function citationOf(id: string, quote: string, path: string, context: CitationContext): DraftCitation {
  const lines = quote.trim().split('\n').length
  const holder = lineEvidence(context.change, path, id, 1)
    ? path
    : pathWithTag(context.change, context.files, id)
  const tagged = holder === null ? null : lineEvidence(context.change, holder, id, lines)
  if (tagged && holds(tagged, quote)) return { item: tagged, quote: readQuote(quote, tagged.text) }
  const known = knownWith(id, quote, context)
  if (known) return { cited: known.id, quote: readQuote(quote, known.text) }
  return tagged ? { item: tagged, quote: readQuote(quote, tagged.text) } : { cited: id, quote }
}

/** Shorter words occur in too many places to be searched for in all evidence. */
const fewestSigns = 12

function knownWith(id: string, quote: string, { book }: CitationContext): Evidence | undefined {
  const holdsIt = (item: Evidence) => holds(item, quote)
  const named = itemWithWords(book.items, id, holdsIt)
  if ((named && holdsIt(named)) || quote.replaceAll(/\s/g, '').length < fewestSigns) return named
  return book.items.find(holdsIt) ?? named
}

function holds({ text }: EvidenceDraft, quote: string): boolean {
  return findQuote(text, readQuote(quote, text), true) !== null
}

/** Places of evidence are in its file, whatever file the model named. */
function alsoAtOf({ file, id, quote }: WireFinding['also_at'][number], context: DraftContext): AlsoAt {
  const cited = bareId(id)
  const known = context.book.get(cited) && knownWith(cited, quote, context)
  if (known)
    return { path: known.path ?? plainPath(file), cited: known.id, quote: readQuote(quote, known.text) }
  return { path: plainPath(file), cited, quote: withoutMarks(quote) }
}

/** Code of a damaged answer is not reliable: regular expressions and backslashes in it are suspect. */
function editsOf(
  { edits }: WireFinding,
  { repaired }: DraftContext,
): Pick<CandidateDraft, 'edits' | 'refusedSuggestion'> {
  if (edits.length === 0) return {}
  return repaired
    ? { refusedSuggestion: 'the answer was damaged and had to be repaired, so its code is not reliable' }
    : { edits: edits.slice(0, most.edits).map(plainEdit) }
}

/** Without the marks of the prompt, if every line of what is replaced has one: a single line of code may well look like it. */
function plainEdit(edit: ProposedEdit): ProposedEdit {
  const lines = edit.old.split('\n').filter((line) => line.trim() !== '')
  return lines.every((line) => prefix.test(line))
    ? { old: withoutMarks(edit.old), new: withoutMarks(edit.new) }
    : edit
}

/** One line, without the words that stand before it wherever it is shown. */
function wrongIfOf({ wrong_if }: WireFinding): { wrongIf?: string } {
  const words = (wrong_if ?? '').replaceAll(/\s+/g, ' ').trim()
  const wrongIf = words
    .replace(/^wrong,? if /i, '')
    .replace(/\.$/, '')
    .slice(0, longest.wrongIf)
  return wrongIf === '' ? {} : { wrongIf }
}

function documentedOf({ documented }: WireFinding): { documented?: Documented } {
  const [name, behaviour] = [documented?.name.trim() ?? '', documented?.behaviour.trim() ?? '']
  if (name === '' || behaviour === '') return {}
  return {
    documented: { name: name.slice(0, longest.name), behaviour: behaviour.slice(0, longest.behaviour) },
  }
}

/**
 * The id of the finding of code that is meant, by its id or by evidence that it alone cites; among several, the one in the
 * file. Undefined when none is named, null when the name fits none or more than one.
 */
export function findingOfCode(
  said: string,
  known: CitationContext['known'],
  path: string,
): string | null | undefined {
  const name = bareId(said).toUpperCase()
  if (name === '') return undefined
  const named = known.filter(
    ({ id, evidence }) => id === name || evidence.some((citation) => citation.evidence === name),
  )
  const inFile = named.filter(({ anchor }) => anchor.path === path)
  const [only, ...others] = inFile.length > 0 ? inFile : named
  return only && others.length === 0 ? only.id : null
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

/** A claim that code can check from a claim on the wire, or why it is not one. */
export function readClaim(wire: WireClaim): Claim | { unfit: string } {
  if (wire === unreadClaim) return { unfit: 'it does not have the fields that its kind needs' }
  const parsed = Claim.safeParse(
    Object.fromEntries(Object.entries(wire).map(([key, value]) => [camelCase(key), value])),
  )
  if (!parsed.success) {
    const key = parsed.error.issues[0]?.path.join('.') ?? 'it'
    return { unfit: `\`${key}\` is missing or not as it should be` }
  }
  const empty = emptyWord(parsed.data)
  return empty === null ? parsed.data : { unfit: `\`${empty}\` is empty` }
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** A claim cannot do without any of its words. */
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
  const bare = withoutMarks(quote)
  for (const candidate of [bare, bare.trim(), quote.trim()])
    if (candidate !== '' && text.includes(candidate)) return candidate
  return quote
}

function withoutMarks(quote: string): string {
  return quote
    .split('\n')
    .map((line) => line.replace(prefix, ''))
    .join('\n')
}

function plainPath(file: string): string {
  return file.trim().replace(/^\.\//, '')
}
