/** Freezes what is known about the change into a bundle whose name is the hash of its content. */
import { canonicalJson, sha256 } from '../../base/canonical-json.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import type { Evidence } from '../../domain/evidence.ts'
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

/** Times, host names and folders are no part of it: the same change has the same hash everywhere. */
export function buildContext({ around = null, ...parts }: ContextParts): ReviewContext {
  const content = { schemaVersion: 1 as const, ...parts, around }
  return { ...content, hash: sha256(canonicalJson(content)) }
}
