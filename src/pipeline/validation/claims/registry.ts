/** Which claims can be checked, and by what. A new kind of claim does not compile until it has a line here. */
import type { Claim } from '../../../domain/claim.ts'
import { checkCallerNotUpdated } from './caller-not-updated.ts'
import { checkChangesTogether } from './changes-together.ts'
import type { ClaimBench, ClaimResult } from './contract.ts'
import { checkDuplicateOf } from './duplicate-of.ts'
import { checkLineContains } from './line-contains.ts'
import { checkMissingPath } from './missing-path.ts'
import { checkNoTestCalls } from './no-test-calls.ts'
import { checkNotExported } from './not-exported.ts'
import { checkRuleMatches } from './rule-matches.ts'
import { checkTypeMismatch } from './type-mismatch.ts'
import { checkUndefined } from './undefined.ts'
import { checkUnused } from './unused.ts'

export function checkClaim(claim: Claim, bench: ClaimBench): Promise<ClaimResult> {
  switch (claim.kind) {
    case 'caller-not-updated':
      return checkCallerNotUpdated(claim, bench)
    case 'undefined':
      return checkUndefined(claim, bench)
    case 'not-exported':
      return checkNotExported(claim, bench)
    case 'missing-path':
      return checkMissingPath(claim, bench)
    case 'duplicate-of':
      return checkDuplicateOf(claim, bench)
    case 'no-test-calls':
      return checkNoTestCalls(claim, bench)
    case 'unused':
      return checkUnused(claim, bench)
    case 'type-mismatch':
      return checkTypeMismatch(claim, bench)
    case 'line-contains':
      return checkLineContains(claim, bench)
    case 'rule-matches':
      return checkRuleMatches(claim, bench)
    case 'changes-together':
      return checkChangesTogether(claim, bench)
  }
}
