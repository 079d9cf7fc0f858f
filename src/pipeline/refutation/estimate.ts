/** What second looks would take at most, before anybody knows how many findings there will be. */
import type { Config } from '../../config/schema.ts'
import type { EstimateOf } from '../../domain/model-report.ts'
import type { Gateway } from '../../llm/contract.ts'
import { mostEvidenceBytes } from './dossier.ts'
import { askedWith } from './question.ts'

/** A question to a reviewer that brings more findings than this is rare; `review.refutations` bounds it in any case. */
const findingsOfAQuestion = 5
/** The finding, the diff around it and the words between. */
const otherBytes = 12_000

export type RefutationSize = {
  gateway: Gateway
  config: Config
  /** How many questions are put to reviewers. */
  questions: number
}

/** Null when there are no second looks, or nobody to ask. Sends nothing. */
export function estimateRefutation({ gateway, config, questions }: RefutationSize): EstimateOf | null {
  const model = gateway.modelOf('judge')
  const calls = Math.min(config.review.refutations, questions * findingsOfAQuestion)
  if (!model || calls === 0) return null
  const text = ' '.repeat(mostEvidenceBytes + otherBytes)
  const one = gateway.estimate(
    askedWith(text, 'refute/estimate', { model, signal: new AbortController().signal }),
  )
  return {
    calls,
    inputTokens: calls * one.inputTokens,
    outputTokens: calls * one.outputTokens,
    usd: one.usd === null ? null : calls * one.usd,
  }
}
