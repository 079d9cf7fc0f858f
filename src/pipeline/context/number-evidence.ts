/** Turns what the planes found into numbered evidence of the bundle, and their drafts into candidates that cite it. */
import { openEvidenceBook } from '../../domain/evidence.ts'
import type { Candidate, CandidateDraft, DraftCitation } from '../../domain/finding.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import { buildContext } from './build-context.ts'

/**
 * The bundle with the drafts' evidence appended under a new hash, and the candidates in the order of the drafts
 * (`C1`, `C2` …). The same item cited twice is kept once. What a draft cites by number keeps that number, whether there
 * is such an item or not: validation says so.
 */
export function numberEvidence(
  context: ReviewContext,
  drafts: readonly CandidateDraft[],
): { context: ReviewContext; candidates: Candidate[] } {
  const book = openEvidenceBook(context.evidence)
  const number = (citation: DraftCitation): string =>
    'item' in citation ? book.add(citation.item) : citation.cited

  const candidates = drafts.map((draft, index) => ({
    ...draft,
    id: `C${index + 1}`,
    evidence: draft.evidence.map((citation) => ({ evidence: number(citation), quote: citation.quote })),
  }))
  const { request, configHash, change, symbols, tests, around, cuts } = context
  return {
    context: buildContext({
      request,
      configHash,
      change,
      symbols,
      tests,
      around,
      evidence: [...book.items],
      cuts,
    }),
    candidates,
  }
}
