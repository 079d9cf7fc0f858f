/** The frozen bundle that every plane looks at, and nothing else. Its SHA-256 is its name. */
import { z } from 'zod'
import { ChangeSet } from './change-set.ts'
import { SymbolChange } from './code-symbol.ts'
import { Evidence } from './evidence.ts'
import { ReviewRequest } from './review-request.ts'

/** Test files at the head in which the name of a changed symbol stands. A name is not a call: a hint, not a proof. */
export const SymbolTests = z.object({
  symbol: z.string(),
  /** Where the symbol is defined. */
  path: z.string(),
  /** In path order. */
  tests: z.array(z.object({ path: z.string(), changed: z.boolean() })),
})
export type SymbolTests = z.infer<typeof SymbolTests>

export const ReviewContext = z.object({
  schemaVersion: z.literal(1),
  /** SHA-256 (hex) of the canonical JSON of everything below. */
  hash: z.string(),
  request: ReviewRequest,
  /** SHA-256 of the effective configuration. */
  configHash: z.string(),
  change: ChangeSet,
  symbols: z.array(SymbolChange),
  /** For changed symbols that are visible outside their file, the tests that name them. */
  tests: z.array(SymbolTests),
  evidence: z.array(Evidence),
  /** What a budget cut, in words. Inside the hash: a cut bundle is another bundle. */
  cuts: z.array(z.string()),
})
export type ReviewContext = z.infer<typeof ReviewContext>
