/** Checks one claim in a small world and tells the outcome in one line. */
import type { Claim } from '../../../src/domain/claim.ts'
import { checkClaim } from '../../../src/pipeline/validation/claims/registry.ts'
import type { ClaimContext, DiffLocation } from '../../../src/pipeline/validation/contract.ts'
import type { World } from './world.ts'

function benchOf(world: World, overrides: Partial<ClaimContext> = {}): ClaimContext {
  const [file] = world.change.files
  if (!file) throw new Error('the change is empty')
  const place: DiffLocation = {
    file,
    side: 'new',
    startLine: 1,
    endLine: 1,
    shown: null,
    tags: [],
    excerpt: [],
  }
  return {
    sources: world.sources,
    symbols: [],
    location: place,
    isTest: (path) => path.startsWith('test/'),
    unread: new Set(),
    ...overrides,
  }
}

/** `confirmed`, or `refuted: …`, or `unverifiable: …`. */
export async function check(
  claim: Claim,
  world: World,
  overrides: Partial<ClaimContext> = {},
): Promise<string> {
  const result = await checkClaim(claim, benchOf(world, overrides))
  return result.status === 'confirmed' ? 'confirmed' : `${result.status}: ${result.reason}`
}
