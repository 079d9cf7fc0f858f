/** Freezes what is known about the change into a bundle that is identified by the hash of its content. */
import { canonicalJson, sha256 } from '../../base/canonical-json.ts'
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
  return { ...content, hash: sha256(asCanonicalJson(content)) }
}

/** The change and its symbols are most of a bundle, and the same through all of its versions: each is written once. */
const written = new WeakMap<object, string>()

/** As `canonicalJson` of the whole. */
function asCanonicalJson(content: Omit<ReviewContext, 'hash'>): string {
  const parts = Object.entries(content)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([key, value]) =>
        `"${key}":${typeof value === 'object' && value ? writtenOnce(value) : canonicalJson(value)}`,
    )
  return `{${parts.join(',')}}`
}

function writtenOnce(value: object): string {
  const json = written.get(value) ?? canonicalJson(value)
  written.set(value, json)
  return json
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
