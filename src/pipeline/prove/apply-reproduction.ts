/** What a run of a test makes of a verdict: shown, and then without a cap on its severity; or less sure than before. */
import type { Finding, FindingVerdict, Refutation, Verdict } from '../../domain/finding.ts'
import { isConfirmedByCode, notShownWords, reproducedWords } from '../../domain/proof.ts'
import type { Reproduction } from '../../domain/reproduction.ts'
import { type Severity, severityRank } from '../../domain/severity.ts'

/** What was not run changes nothing, and neither does a test that could not be loaded or fails for another reason. */
export function applyReproduction(
  verdict: Verdict,
  reproduction: Reproduction | undefined,
  refutation: Refutation | undefined,
): Verdict {
  const { finding } = verdict
  if (!finding || !reproduction) return verdict
  if (reproduction.outcome === 'reproduced') return shown({ ...verdict, finding }, refutation)
  const passes = reproduction.outcome === 'not-reproduced' && reproduction.head?.status === 'passed'
  return passes && !isConfirmedByCode(finding) ? doubted({ ...verdict, finding }) : verdict
}

function shown(verdict: FindingVerdict, refutation: Refutation | undefined): FindingVerdict {
  const { lowered, ...finding } = verdict.finding
  const severity = severityOf(verdict, refutation)
  const verifiedBy = [...finding.verifiedBy, reproducedWords]
  const proven: Finding = { ...finding, severity, confidence: 'certain', verifiedBy }
  // A cap is lifted as if it had never been; whatever else was taken away stays.
  const isCapAlone = lowered !== undefined && verdict.reason.startsWith(lowered.why)
  if (verdict.outcome === 'kept' || isCapAlone)
    return { ...verdict, outcome: 'kept', step: 'kept', reason: verifiedBy.join('; '), finding: proven }
  return { ...verdict, reason: `${verdict.reason}; then ${reproducedWords}`, finding: proven }
}

/** As its author rated it, or milder where an independent check says so: a run shows that it fails, not how much harm it does. */
function severityOf({ finding, candidate }: FindingVerdict, refutation: Refutation | undefined): Severity {
  const { lowered, severity } = finding
  const uncapped = lowered?.from ?? (refutation?.outcome === 'undecided' ? candidate.severity : severity)
  const rated = refutation?.severity
  return rated && severityRank(rated) > severityRank(uncapped) ? rated : uncapped
}

/** Ranked lower and no less severe: that one test passes does not refute it. */
function doubted(verdict: FindingVerdict): FindingVerdict {
  const { finding } = verdict
  const isFirst = verdict.outcome === 'kept'
  return {
    ...verdict,
    outcome: 'demoted',
    step: isFirst ? 'refutation' : verdict.step,
    reason: isFirst ? notShownWords : `${verdict.reason}; ${notShownWords}`,
    finding: { ...finding, confidence: 'possible', verifiedBy: [...finding.verifiedBy, notShownWords] },
  }
}
