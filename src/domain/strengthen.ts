/** What becomes of a finding of code to which a model has more to say: the model's words are added, nothing is replaced. */
import type { Finding } from './finding.ts'
import { severityRank } from './severity.ts'

const longest = { explanation: 4_000, remedy: 1_000 }
const mostEvidence = 20

/**
 * `code` with what `model`, which passed all checks of its own, adds: how it fails, how to fix it, evidence, further places.
 * The severity only ever rises: to what is left of the model's after validation and the independent check.
 */
export function strengthen(code: Finding, model: Finding): Finding {
  const quoted = new Set(code.evidence.map(({ evidence, quote }) => `${evidence} ${quote}`))
  const further = model.evidence
    .filter(({ evidence, quote }) => !quoted.has(`${evidence} ${quote}`))
    .slice(0, Math.max(0, mostEvidence - code.evidence.length))
  const places = [...(code.places ?? []), ...(model.places ?? [])]
  const suggested = code.suggestion || code.example !== undefined ? code : model
  return {
    ...code,
    severity: severityRank(model.severity) < severityRank(code.severity) ? model.severity : code.severity,
    explanation: append(
      code.explanation,
      `\n\nThe reviewer model adds: ${model.explanation}`,
      longest.explanation,
    ),
    remedy: joinRemedies(code.remedy, model.remedy),
    evidence: [...code.evidence, ...further],
    verifiedBy: [...new Set([...code.verifiedBy, ...model.verifiedBy])],
    suggestion: suggested.suggestion,
    ...(suggested.example === undefined ? {} : { example: suggested.example }),
    ...(places.length > 0 ? { places } : {}),
    ...(model.documented ? { documented: model.documented } : {}),
  }
}

function joinRemedies(own: string | null, added: string | null): string | null {
  if (own === null || added === null) return own ?? added
  return own.includes(added) ? own : append(own, ` ${added}`, longest.remedy)
}

/** Without the addition where there is no room for all of it. */
function append(text: string, addition: string, most: number): string {
  const whole = `${text}${addition}`.trim()
  return whole.length > most ? text : whole
}
