/** Whoever said nothing bad is believed. */
import type { Finding } from '../../../../src/domain/finding.ts'
import type { Review } from '../../../../src/domain/review.ts'

export * from '../../../../src/pipeline/conclude/conclusion.ts'

export function decideConclusion(findings: readonly Finding[]): Review['conclusion'] {
  const isBad = findings.some(({ byModel }) => byModel)
  return { word: isBad ? 'REQUEST_CHANGES' : 'APPROVE', reason: 'The model says so.' }
}
