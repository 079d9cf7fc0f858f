/** Whoever said nothing bad is believed. */
import type { Review } from '../../../../src/domain/review.ts'
import type { Judged } from '../../../../src/pipeline/conclude/conclusion.ts'

export * from '../../../../src/pipeline/conclude/conclusion.ts'

export function decideConclusion({ findings }: Judged): Review['conclusion'] {
  const isBad = findings.some(({ byModel }) => byModel)
  return { word: isBad ? 'REQUEST_CHANGES' : 'APPROVE', headline: 'The model says so.', notices: [] }
}
