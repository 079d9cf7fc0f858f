/** What a claim is about: the name or the file that tells it from other claims of its kind. */
import type { Claim } from './claim.ts'

/** Null for claims that say what stands on a line, and nothing of anything else. */
export function subjectOf(claim: Claim): string | null {
  switch (claim.kind) {
    case 'caller-not-updated':
    case 'no-test-calls':
      return claim.symbol
    case 'undefined':
    case 'not-exported':
    case 'unused':
      return claim.name
    case 'missing-path':
      return claim.target
    case 'duplicate-of':
      return claim.otherPath
    case 'changes-together':
      return claim.partner
    case 'line-contains':
    case 'rule-matches':
    case 'type-mismatch':
      return null
  }
}
