/** What a second look makes of a verdict. Only a refutation whose words stand drops a finding. */
import type { Finding, Refutation, Verdict } from '../../domain/finding.ts'
import { isConfirmedByCode, upheldWords } from '../../domain/proof.ts'
import { isAtLeast } from '../../domain/severity.ts'

type Standing = Verdict & { finding: Finding }

export function applyRefutation(verdict: Standing, { outcome, reason }: Refutation): Verdict {
  switch (outcome) {
    case 'refuted':
      return {
        ...verdict,
        outcome: 'dropped',
        step: 'refutation',
        reason: `An independent check refuted it: ${reason}`,
        finding: null,
      }
    case 'upheld':
      return uphold(verdict)
    case 'undecided':
      return doubt(verdict, reason)
    case 'not-asked':
      return verdict
  }
}

function uphold(verdict: Standing): Standing {
  const finding = { ...verdict.finding, verifiedBy: [...verdict.finding.verifiedBy, upheldWords] }
  return verdict.step === 'kept'
    ? { ...verdict, finding, reason: finding.verifiedBy.join('; ') }
    : { ...verdict, finding }
}

/**
 * What could not be decided stands, with less weight: it is possible and no more, and no graver than medium, as all that
 * nobody could verify. What code confirmed of it is still confirmed, and keeps its severity.
 */
function doubt(verdict: Standing, reason: string): Standing {
  const { finding } = verdict
  const isCapped = isAtLeast(finding.severity, 'high') && !isConfirmedByCode(finding)
  const words = [
    `an independent check could not decide it: ${reason}`,
    ...(isCapped ? [`severity capped at medium, from ${finding.severity}`] : []),
  ].join('; ')
  return {
    ...verdict,
    outcome: 'demoted',
    step: verdict.step === 'kept' ? 'refutation' : verdict.step,
    reason: verdict.step === 'kept' ? words : `${verdict.reason}; ${words}`,
    finding: { ...finding, confidence: 'possible', severity: isCapped ? 'medium' : finding.severity },
  }
}
