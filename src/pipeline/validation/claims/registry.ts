/** The check for each kind of claim. A new kind does not compile until it has a line here. */
import type { Claim } from '../../../domain/claim.ts'
import type { ClaimContext, ClaimResult } from '../contract.ts'
import { checkCallerNotUpdated } from './caller-not-updated.ts'
import { checkChangesTogether } from './changes-together.ts'
import { checkDuplicateOf } from './duplicate-of.ts'
import { checkLineContains, checkMissingPath, checkRuleMatches, checkTypeMismatch } from './line-claims.ts'
import { checkCallMismatch, checkNotExported, checkUndefined } from './name-claims.ts'
import { checkNoTestCalls, checkUnused } from './use-claims.ts'

export function checkClaim(claim: Claim, context: ClaimContext): Promise<ClaimResult> {
  switch (claim.kind) {
    case 'caller-not-updated':
      return checkCallerNotUpdated(claim, context)
    case 'undefined':
      return checkUndefined(claim, context)
    case 'not-exported':
      return checkNotExported(claim, context)
    case 'call-mismatch':
      return checkCallMismatch(claim, context)
    case 'missing-path':
      return checkMissingPath(claim, context)
    case 'duplicate-of':
      return checkDuplicateOf(claim, context)
    case 'no-test-calls':
      return checkNoTestCalls(claim, context)
    case 'unused':
      return checkUnused(claim, context)
    case 'type-mismatch':
      return checkTypeMismatch(claim, context)
    case 'line-contains':
      return checkLineContains(claim, context)
    case 'rule-matches':
      return checkRuleMatches(claim, context)
    case 'changes-together':
      return checkChangesTogether(claim, context)
  }
}
