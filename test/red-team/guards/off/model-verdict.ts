/** Whoever said nothing bad is believed. */
import type { Finding } from '../../../../src/domain/finding.ts'
import type { Review } from '../../../../src/domain/review.ts'

export * from '../../../../src/pipeline/conclude/verdict.ts'

export function decideVerdict(findings: readonly Finding[]): Review['conclusion'] {
  const isBad = findings.some(({ byModel }) => byModel)
  return { verdict: isBad ? 'REQUEST_CHANGES' : 'APPROVE', reason: 'The model says so.' }
}
