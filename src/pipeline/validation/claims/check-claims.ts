/** Step 4: every claim is checked. One refuted claim drops the candidate, or takes the place that it is about with it. */
import type { Claim, ClaimKind } from '../../../domain/claim.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { consult } from '../checker/consult.ts'
import type { EvidenceTable } from '../evidence/table.ts'
import { type Bench, drop, placeOf, type StepResult, type ValidationStep, type Walk } from '../step.ts'
import { checkBearing } from './bearing.ts'
import { capSeverity } from './cap-severity.ts'
import { type ClaimBench, type ClaimResult, type Proof, reasonOf, unverifiable } from './contract.ts'
import { checkClaim } from './registry.ts'

export const claimSteps: readonly ValidationStep[] = [
  { name: 'claims', step: 'claims', run: checkClaims },
  { name: 'bearing of claims', step: 'claims', run: checkBearing },
  { name: 'severity cap', step: 'claims', run: capSeverity },
]

/** Kinds of which a candidate makes one claim for each place it names. */
const perPlace: ReadonlySet<ClaimKind> = new Set([
  'caller-not-updated',
  'undefined',
  'not-exported',
  'missing-path',
])

/**
 * A candidate may name many places of one kind (callers). Those that do not hold are taken out, with the evidence
 * that showed them, as long as one is left; for any other claim a single refutation is the end.
 */
async function checkClaims(walk: Walk, { context, ...bench }: Bench): Promise<StepResult> {
  const { candidate } = walk
  const claimBench = { ...bench, symbols: context.symbols, place: placeOf(walk) }
  const proofs: Proof[] = []
  for (const claim of candidate.claims)
    proofs.push({ claim, result: await checkSafely(claim, candidate, claimBench), bears: true })

  const refutations = proofs.filter(({ result }) => result.status === 'refuted')
  const standing = proofs.filter(({ result }) => result.status !== 'refuted')
  const [first] = refutations
  const mayLoseSome =
    refutations.every(({ claim }) => perPlace.has(claim.kind)) &&
    standing.some(({ claim, result }) => perPlace.has(claim.kind) && result.status === 'confirmed')
  if (first && !mayLoseSome) return drop(`A claim does not hold (${first.claim.kind}): ${reasonOf(first)}`)
  const reduced = first ? withoutPlaces(candidate, refutations, standing, bench.evidence) : candidate
  const stoodBefore = standing.some(({ result }) => result.status === 'confirmed' && result.preExisting)
  return {
    candidate: stoodBefore ? { ...reduced, preExisting: true } : reduced,
    proofs: standing,
    verifiedBy: describe(standing),
    demotions: refutations.map((one) => `one place left out: ${reasonOf(one)}`),
  }
}

async function checkSafely(claim: Claim, candidate: Candidate, bench: ClaimBench): Promise<ClaimResult> {
  try {
    return await consult(claim, await checkClaim(claim, bench), candidate, bench)
  } catch (error) {
    return unverifiable(`The check itself failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function withoutPlaces(
  candidate: Candidate,
  refutations: readonly Proof[],
  standing: readonly Proof[],
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
  const note = `Checked again, ${refutations.length} of the ${refutations.length + standing.length} places named did not hold and ${refutations.length === 1 ? 'is' : 'are'} left out.`
  return {
    ...candidate,
    claims: standing.map(({ claim }) => claim),
    // Whatever happens, a finding keeps something to show for itself.
    evidence: kept.length > 0 ? kept : candidate.evidence,
    explanation: `${candidate.explanation.slice(0, 4000 - note.length - 2)}\n\n${note}`.trim(),
  }
}

/** `2 claims confirmed by the code index`, one line per means, in the order of the claims. */
function describe(standing: readonly Proof[]): string[] {
  const numbers = new Map<string, number>()
  for (const { result } of standing) {
    const words = result.status === 'confirmed' ? `confirmed by ${result.by}` : 'not checkable here'
    numbers.set(words, (numbers.get(words) ?? 0) + 1)
  }
  return [...numbers].map(([words, number]) => `${number} ${number === 1 ? 'claim' : 'claims'} ${words}`)
}
