/** Step 4: every claim is checked. A refuted claim drops the candidate, or removes the one place that it is about. */
import type { Claim, ClaimKind } from '../../../domain/claim.ts'
import { type Candidate, checkFailed } from '../../../domain/finding.ts'
import { consultChecker } from '../checker/consult.ts'
import {
  type CandidateState,
  type CheckedClaim,
  type ClaimContext,
  type ClaimResult,
  drop,
  type EvidenceTable,
  locationOf,
  reasonOf,
  type StepResult,
  unverifiable,
  type ValidationContext,
  type ValidationStep,
} from '../contract.ts'
import { checkClaim } from './registry.ts'
import { requireSecondWitness } from './second-witness.ts'
import { capSeverity, checkRelevance } from './weight.ts'

export const claimSteps: readonly ValidationStep[] = [
  { name: 'claims', step: 'claims', run: checkClaims },
  { name: 'bearing of claims', step: 'claims', run: checkRelevance },
  { name: 'severity cap', step: 'claims', run: capSeverity },
  { name: 'second witness', step: 'claims', run: requireSecondWitness },
]

/** Kinds of which a candidate makes one claim for each place it names. */
const perPlace: ReadonlySet<ClaimKind> = new Set([
  'caller-not-updated',
  'undefined',
  'not-exported',
  'missing-path',
])

/**
 * A candidate may name many places of one kind (callers). Refuted ones are removed together with their evidence, as
 * long as a confirmed one remains. For any other claim, one refutation drops the candidate.
 */
async function checkClaims(
  state: CandidateState,
  { bundle, ...context }: ValidationContext,
): Promise<StepResult> {
  const { candidate } = state
  const claimContext = { ...context, symbols: bundle.symbols, location: locationOf(state) }
  const checkedClaims: CheckedClaim[] = []
  for (const claim of candidate.claims)
    checkedClaims.push({ claim, result: await checkSafely(claim, candidate, claimContext), isRelevant: true })

  const refutations = checkedClaims.filter(({ result }) => result.status === 'refuted')
  const remaining = checkedClaims.filter(({ result }) => result.status !== 'refuted')
  const [first] = refutations
  const mayLoseSome =
    refutations.every(({ claim }) => perPlace.has(claim.kind)) &&
    remaining.some(({ claim, result }) => perPlace.has(claim.kind) && result.status === 'confirmed')
  if (first && !mayLoseSome) return drop(`A claim is false (${first.claim.kind}): ${reasonOf(first)}`)
  const reduced = first ? withoutPlaces(candidate, refutations, remaining, context.evidence) : candidate
  const existedBefore = remaining.some(({ result }) => result.status === 'confirmed' && result.preExisting)
  return {
    candidate: existedBefore ? { ...reduced, preExisting: true } : reduced,
    checkedClaims: remaining,
    demotions: refutations.map((one) => `one place left out: ${reasonOf(one)}`),
  }
}

async function checkSafely(claim: Claim, candidate: Candidate, context: ClaimContext): Promise<ClaimResult> {
  try {
    return await consultChecker(claim, await checkClaim(claim, context), candidate, context)
  } catch (error) {
    return unverifiable(`${checkFailed}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function withoutPlaces(
  candidate: Candidate,
  refutations: readonly CheckedClaim[],
  remaining: readonly CheckedClaim[],
  evidence: EvidenceTable,
): Candidate {
  const places = refutations.flatMap(({ claim }) => ('line' in claim ? [claim] : []))
  const isAboutThem = (id: string): boolean => {
    const item = evidence.get(id)
    return places.some(
      ({ path, line }) =>
        item !== undefined &&
        item.path === path &&
        item.startLine !== null &&
        item.startLine <= line &&
        line <= (item.endLine ?? item.startLine),
    )
  }
  const kept = candidate.evidence.filter((citation) => !isAboutThem(citation.evidence))
  const note = `Checked again, ${refutations.length} of the ${refutations.length + remaining.length} places named did not hold and ${refutations.length === 1 ? 'is' : 'are'} left out.`
  return {
    ...candidate,
    claims: remaining.map(({ claim }) => claim),
    // A finding always keeps some evidence.
    evidence: kept.length > 0 ? kept : candidate.evidence,
    explanation: `${candidate.explanation.slice(0, 4000 - note.length - 2)}\n\n${note}`.trim(),
  }
}
