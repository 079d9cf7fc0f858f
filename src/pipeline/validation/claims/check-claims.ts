/** Step 4: every claim is checked. One refuted claim drops the candidate; when none can be checked it is capped. */
import type { Claim, ClaimKind } from '../../../domain/claim.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { isAtLeast } from '../../../domain/severity.ts'
import type { EvidenceTable } from '../evidence.ts'
import { type Dropped, drop, type StepNotes } from '../step.ts'
import { type ClaimBench, type ClaimResult, unverifiable } from './contract.ts'
import { checkClaim } from './registry.ts'

export type Proven = StepNotes & { candidate: Candidate }

/** Kinds of which a candidate makes one claim for each place it names. */
const perPlace: ReadonlySet<ClaimKind> = new Set([
  'caller-not-updated',
  'undefined',
  'not-exported',
  'missing-path',
])

type Checked = { claim: Claim; result: ClaimResult }

/**
 * A candidate may name many places of one kind (callers). Those that do not hold are taken out, with the evidence
 * that showed them, as long as one is left; for any other claim a single refutation is the end.
 */
export async function checkClaims(
  candidate: Candidate,
  evidence: EvidenceTable,
  bench: ClaimBench,
): Promise<Proven | Dropped> {
  const checked: Checked[] = []
  for (const claim of candidate.claims) checked.push({ claim, result: await checkSafely(claim, bench) })

  const refutations = checked.filter(({ result }) => result.status === 'refuted')
  const standing = checked.filter(({ result }) => result.status !== 'refuted')
  const first = refutations[0]
  const mayLoseSome =
    refutations.every(({ claim }) => perPlace.has(claim.kind)) &&
    standing.some(({ claim, result }) => perPlace.has(claim.kind) && result.status === 'confirmed')
  if (first && !mayLoseSome) return drop(`A claim does not hold (${first.claim.kind}): ${reasonOf(first)}`)

  const reduced =
    refutations.length > 0 ? withoutPlaces(candidate, refutations, standing, evidence) : candidate
  const demotions = refutations.map((one) => `one place left out: ${reasonOf(one)}`)
  return capUnproven({ candidate: reduced, verifiedBy: describe(standing), demotions }, standing)
}

async function checkSafely(claim: Claim, bench: ClaimBench): Promise<ClaimResult> {
  try {
    return await checkClaim(claim, bench)
  } catch (error) {
    return unverifiable(`The check itself failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function withoutPlaces(
  candidate: Candidate,
  refutations: readonly Checked[],
  standing: readonly Checked[],
  evidence: EvidenceTable,
): Candidate {
  const places = refutations.flatMap(({ claim }) => ('line' in claim ? [claim] : []))
  const isAboutThem = (id: string): boolean => {
    const item = evidence.get(id)
    return places.some(
      ({ path, line }) =>
        item?.path === path &&
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

/**
 * A plane that is certain may do without claims; its quotes were checked. A model may not, and a claim that is true of
 * any line (`line-contains`), or that says nothing of harm, does not carry a model's word that the harm is great.
 */
function capUnproven(proven: Proven, standing: readonly Checked[]): Proven | Dropped {
  const { candidate } = proven
  const byModel = candidate.byModel === true
  const isProven = standing.some(
    ({ claim, result }) => result.status === 'confirmed' && (!byModel || perPlace.has(claim.kind)),
  )
  const isExempt = !byModel && standing.length === 0 && candidate.confidence === 'certain'
  if (isProven || isExempt || !isAtLeast(candidate.severity, 'high')) return proven
  const open = standing.find(({ result }) => result.status !== 'confirmed')
  const reason = open ? reasonOf(open) : unprovenWords(standing)
  return {
    ...proven,
    candidate: { ...candidate, severity: 'medium' },
    demotions: [...proven.demotions, `severity capped at medium, from ${candidate.severity}: ${reason}`],
  }
}

function unprovenWords(standing: readonly Checked[]): string {
  return standing.length === 0
    ? 'it makes no claim that code can check'
    : 'what code could confirm does not show such harm'
}

function reasonOf({ result }: Checked): string {
  return result.status === 'confirmed' ? result.by : result.reason
}

/** `2 claims confirmed by the code index`, one line per means, in the order of the claims. */
function describe(standing: readonly Checked[]): string[] {
  const numbers = new Map<string, number>()
  for (const { result } of standing) {
    const words = result.status === 'confirmed' ? `confirmed by ${result.by}` : 'not checkable here'
    numbers.set(words, (numbers.get(words) ?? 0) + 1)
  }
  return [...numbers].map(([words, number]) => `${number} ${number === 1 ? 'claim' : 'claims'} ${words}`)
}
