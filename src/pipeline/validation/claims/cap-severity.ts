/** What code cannot verify is no great harm: without a claim that is confirmed and counts, `medium` is the most. */
import type { ClaimKind } from '../../../domain/claim.ts'
import { isAtLeast } from '../../../domain/severity.ts'
import type { StepResult, Walk } from '../step.ts'
import { type Proof, reasonOf } from './contract.ts'

/** Confirmed, these say that something breaks. Of a model's claims only they carry a high severity. */
const harmful: ReadonlySet<ClaimKind> = new Set([
  'caller-not-updated',
  'undefined',
  'not-exported',
  'missing-path',
  'type-mismatch',
])

/**
 * A plane that is certain may do without claims; its quotes were checked. A model may not, and a claim that is true of
 * any line (`line-contains`), or that says nothing of harm, does not carry a model's word that the harm is great.
 */
export function capSeverity({ candidate, proofs }: Walk): StepResult {
  const byModel = candidate.byModel === true
  const isProven = proofs.some(
    ({ claim, result, bears }) =>
      result.status === 'confirmed' && bears && (!byModel || harmful.has(claim.kind)),
  )
  const isExempt = !byModel && proofs.length === 0 && candidate.confidence === 'certain'
  if (isProven || isExempt || !isAtLeast(candidate.severity, 'high')) return {}
  return {
    candidate: { ...candidate, severity: 'medium' },
    demotions: [`severity capped at medium, from ${candidate.severity}: ${whyNot(proofs)}`],
  }
}

function whyNot(proofs: readonly Proof[]): string {
  if (proofs.length === 0) return 'it makes no claim that code can check'
  const open = proofs.find(({ result }) => result.status !== 'confirmed')
  if (open) return reasonOf(open)
  return proofs.some(({ bears }) => !bears)
    ? 'what code could confirm is about another place'
    : 'what code could confirm does not show such harm'
}
