/** What a claim check is: code that checks one kind of claim against the repository. */
import type { Claim, ClaimKind } from '../../../domain/claim.ts'
import type { SymbolChange } from '../../../domain/code-symbol.ts'
import type { Checker } from '../checker/contract.ts'
import type { DiffLocation } from '../contract.ts'
import type { Sources } from '../sources.ts'

export type ClaimOf<Kind extends ClaimKind> = Extract<Claim, { kind: Kind }>

export type ClaimResult =
  /** `by`: what confirmed it, as in `confirmed by the code index`. */
  | {
      status: 'confirmed'
      by: string
      /** It holds, and held before the change. */
      preExisting?: true
    }
  | { status: 'refuted'; reason: string }
  /** Neither could be shown. */
  | { status: 'unverifiable'; reason: string }

export type ClaimContext = {
  sources: Sources
  symbols: readonly SymbolChange[]
  location: DiffLocation
  /** Tells test files from others, by path. */
  isTest: (path: string) => boolean
  /** Head paths that exist but were left out of the tree, too large to read. */
  unread: ReadonlySet<string>
  /** Knows types; absent when there is none. */
  checker?: Checker | null
}

/** One claim and the result of its check. */
export type CheckedClaim = {
  claim: Claim
  result: ClaimResult
  /** It is about the same code as the finding, so that it may support the finding's severity. */
  isRelevant: boolean
}

/** May throw: the claim then counts as unverifiable. Must not depend on the order in which claims are checked. */
export type ClaimCheck<Kind extends ClaimKind> = (
  claim: ClaimOf<Kind>,
  context: ClaimContext,
) => Promise<ClaimResult>

export function confirmed(by: string): Extract<ClaimResult, { status: 'confirmed' }> {
  return { status: 'confirmed', by }
}

export function refuted(reason: string): ClaimResult {
  return { status: 'refuted', reason }
}

export function unverifiable(reason: string): ClaimResult {
  return { status: 'unverifiable', reason }
}

/** Why it was refuted or not, or what confirmed it. */
export function reasonOf({ result }: CheckedClaim): string {
  return result.status === 'confirmed' ? result.by : result.reason
}
