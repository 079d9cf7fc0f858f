/** Whoever said nothing bad is believed. */

import type { Judged } from '../../../../src/domain/conclusion.ts'
import type { Review } from '../../../../src/domain/review.ts'

export * from '../../../../src/domain/conclusion.ts'

export function decideConclusion({ findings }: Judged): Review['conclusion'] {
  const isBad = findings.some(({ byModel }) => byModel)
  return { word: isBad ? 'REQUEST_CHANGES' : 'APPROVE', headline: 'The model says so.', notices: [] }
}
