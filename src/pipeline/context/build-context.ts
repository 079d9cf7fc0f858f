/** Freezes what is known about the change into a bundle that is identified by the hash of its content. */

import { createHash, type Hash } from 'node:crypto'
import { updateCanonically } from '../../base/canonical-json.ts'
import { compareText } from '../../base/compare-text.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import { type Evidence, openEvidenceBook } from '../../domain/evidence.ts'
import type { Candidate, CandidateDraft, DraftCitation } from '../../domain/finding.ts'
import type { ReviewContext, Surroundings, SymbolTests } from '../../domain/review-context.ts'
import type { ReviewRequest } from '../../domain/review-request.ts'

export type ContextParts = {
  request: ReviewRequest
  configHash: string
  change: ChangeSet
  symbols: SymbolChange[]
  tests: SymbolTests[]
  evidence: Evidence[]
  around?: Surroundings | null
  cuts: string[]
}

/** Without times, host names and folders, so that the same change has the same hash everywhere. */
export function buildContext({ around = null, ...parts }: ContextParts): ReviewContext {
  const content = { schemaVersion: 1 as const, ...parts, around }
  return { ...content, hash: hashOf(content) }
}

/** The hash so far of the surroundings and the change, which are most of a bundle and stay the same in its later versions. */
const begun = new WeakMap<ChangeSet, { around: Surroundings | null; hash: Hash }>()

/** SHA-256 of the canonical JSON of the whole, in which `around` and `change` come first. */
function hashOf({ around, change, ...rest }: Omit<ReviewContext, 'hash'>): string {
  const earlier = begun.get(change)
  const hash = earlier?.around === around ? earlier.hash : createHash('sha256').update('{')
  if (hash !== earlier?.hash) {
    addEntries(hash, { around, change })
    begun.set(change, { around, hash })
  }
  const whole = hash.copy().update(',')
  addEntries(whole, rest)
  return whole.update('}').digest('hex')
}

/** Adds the entries of `values`, in the order of their names. */
function addEntries(hash: Hash, values: object): void {
  const sorted = Object.entries(values).sort(([a], [b]) => compareText(a, b))
  for (const [index, [key, value]] of sorted.entries()) {
    hash.update(`${index > 0 ? ',' : ''}"${key}":`)
    updateCanonically(hash, value)
  }
}

/**
 * The bundle with the drafts' evidence appended under a new hash, and the candidates in the order of the drafts
 * (`C1`, `C2` …). The same item cited twice is kept once. A number that a draft cites is kept even if no such item exists;
 * validation reports it.
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
