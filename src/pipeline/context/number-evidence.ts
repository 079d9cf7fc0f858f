/** Turns what the planes found into numbered evidence of the bundle, and their drafts into candidates that cite it. */
import { canonicalJson } from '../../base/canonical-json.ts'
import type { Evidence, EvidenceDraft } from '../../domain/evidence.ts'
import type { Candidate, CandidateDraft } from '../../domain/finding.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import { buildContext } from './build-context.ts'

/**
 * The bundle with the drafts' evidence appended under a new hash, and the candidates in the order of the drafts
 * (`C1`, `C2` …). The same item cited twice is kept once.
 */
export function numberEvidence(
  context: ReviewContext,
  drafts: readonly CandidateDraft[],
): { context: ReviewContext; candidates: Candidate[] } {
  const evidence = [...context.evidence]
  const idOf = new Map(evidence.map(({ id, ...item }) => [canonicalJson(item), id]))

  const number = (item: EvidenceDraft): string => {
    const key = canonicalJson(item)
    const known = idOf.get(key)
    if (known) return known
    const id = `E${evidence.length + 1}`
    idOf.set(key, id)
    evidence.push({ id, ...item } satisfies Evidence)
    return id
  }

  const candidates = drafts.map((draft, index) => ({
    ...draft,
    id: `C${index + 1}`,
    evidence: draft.evidence.map(({ item, quote }) => ({ evidence: number(item), quote })),
  }))
  const { request, configHash, change, symbols, tests, cuts } = context
  return {
    context: buildContext({ request, configHash, change, symbols, tests, evidence, cuts }),
    candidates,
  }
}
