/**
 * From a finding on the wire to a candidate for validation. It judges nothing: wrong tags, made-up evidence and quotes
 * go on as they are, so that validation drops them with the reason. Only what does not fit a candidate's shape at all
 * is left out, and told.
 */
import { visibleLine } from '../../../base/visible-text.ts'
import type { ChangeSet } from '../../../domain/change-set.ts'
import type { EvidenceBook } from '../../../domain/evidence.ts'
import type { CandidateDraft, DraftCitation, Suggestion } from '../../../domain/finding.ts'
import { parseTag } from '../../../domain/line-tag.ts'
import { bareTag } from './bare-tag.ts'
import { lineEvidence, pathWithTag } from './diff-places.ts'
import { readClaim } from './read-claim.ts'
import { readQuote } from './read-quote.ts'
import type { WireFinding } from './schema.ts'

const most = { tags: 40, citations: 20, claims: 20 }

export type DraftBench = {
  /** Whose finding it is. */
  plane: string
  change: ChangeSet
  book: EvidenceBook
  /** The files this question was about: where a tag without its file is looked for. */
  files: readonly string[]
  /** The answer had to be mended before it could be read: code in it is suspect. */
  repaired: boolean
}

/** Part of a finding that could not be taken over. */
export type Unfit = { what: string; reason: string }

export function draftCandidate(
  finding: WireFinding,
  bench: DraftBench,
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
  const suggestion = readSuggestion(finding, path, bench)
  if (typeof suggestion === 'string') leaveOut('the suggestion', suggestion)

  const draft: CandidateDraft = {
    plane: bench.plane,
    rule: `${bench.plane}/${finding.category}`,
    severity: finding.severity,
    category: finding.category,
    // Certainty comes from what code confirms, never from a model's word.
    confidence: finding.confidence === 'possible' ? 'possible' : 'likely',
    title: finding.title.trim().replace(/\.$/, ''),
    explanation: finding.explanation.trim(),
    remedy: finding.remedy?.trim() || null,
    anchor: { path, tags: tagsOf(finding, path, bench) },
    claims,
    suggestion: typeof suggestion === 'string' ? null : suggestion,
    preExisting: false,
    byModel: true,
    evidence: finding.evidence
      .slice(0, most.citations)
      .map(({ id, quote }) => citationOf(bareTag(id), quote, path, bench)),
  }
  return { draft, unfit }
}

/** What stands in a file that did not change has no tag: its evidence stands in, and validation looks for the cause. */
function tagsOf({ tags, evidence }: WireFinding, path: string, { change }: DraftBench): string[] {
  const cited = tags.slice(0, most.tags).map(bareTag)
  const isChanged = change.files.some((file) => file.path === path)
  return cited.length > 0 || isChanged ? cited : evidence.slice(0, 1).map(({ id }) => bareTag(id))
}

function citationOf(id: string, quote: string, path: string, bench: DraftBench): DraftCitation {
  const known = bench.book.get(id)
  if (known) return { cited: id, quote: readQuote(quote, known.text) }
  const lines = quote.trim().split('\n').length
  const holder = lineEvidence(bench.change, path, id, 1) ? path : pathWithTag(bench.change, bench.files, id)
  const item = holder === null ? null : lineEvidence(bench.change, holder, id, lines)
  return item ? { item, quote: readQuote(quote, item.text) } : { cited: id, quote }
}

/** Null when there is none; in words, why it cannot be taken. */
function readSuggestion(
  { suggestion }: WireFinding,
  path: string,
  { change, repaired }: DraftBench,
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
