/** Whether what a finding cites is there, and says so: checked here again, apart from the product's own validation. */
import type { Evidence, Finding } from '../../index.ts'

export function countCitations(
  finding: Pick<Finding, 'evidence'>,
  evidence: readonly Evidence[],
): { citations: number; valid: number } {
  const texts = new Map(evidence.map(({ id, text }) => [id, text]))
  const valid = finding.evidence.filter(({ evidence: id, quote }) => texts.get(id)?.includes(quote) ?? false)
  return { citations: finding.evidence.length, valid: valid.length }
}
