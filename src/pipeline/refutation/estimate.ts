/** What the independent check can cost, before the number of findings is known. */
import type { Config } from '../../config/schema.ts'
import { type EstimateOf, sumCalls } from '../../domain/model-report.ts'
import type { Gateway, Turn } from '../../llm/contract.ts'
import { mostTogether } from './pack-findings.ts'
import { askedWith, bytesOfToken, evidenceRoom } from './question.ts'

/** Few answers of a reviewer have more findings; `review.refutations` is the limit in any case. */
const findingsOfAnAnswer = 5

/** Of a question with one finding: the diff around it, what the finding says, and the words between. */
const otherBytes = 16_000
/** What each further finding says. */
const findingBytes = 3_000
/** An answer to a look-up, of which each finding may ask for one. */
const lookUpBytes = 8_000

type RefutationSize = {
  gateway: Gateway
  config: Config
  /** How many questions are put to reviewers. */
  questions: number
}

/**
 * With as many findings as reviewers usually report at most, in full questions, each with all the evidence that it may hold
 * and all its look-ups, and as if each were judged a second time. Findings that share no question for lack of room, and those that are asked about alone once more,
 * come on top; the budget of the run holds for them too. Null without a judge. Sends nothing.
 */
export function estimateRefutation({ gateway, config, questions }: RefutationSize): EstimateOf | null {
  const model = gateway.modelOf('judge')
  const findings = Math.min(config.review.refutations, questions * findingsOfAnAnswer)
  if (!model || findings === 0) return null
  const estimate = (bytes: number, count: number) => {
    const turns: Turn[] = [{ from: 'user', parts: [{ text: ' '.repeat(bytes) }] }]
    const { signal } = new AbortController()
    const question = askedWith(turns, { address: 'refute/estimate', findings: count }, { model, signal })
    return { ...gateway.estimate(question), answer: question.maxOutputTokens * bytesOfToken }
  }
  const asked = packSizes(findings).flatMap((count) => {
    const bytes =
      evidenceRoom(model, config.review.depth === 'deep') + otherBytes + findingBytes * (count - 1)
    const first = estimate(bytes, count)
    const further = estimate(bytes + first.answer + lookUpBytes * count, count)
    return [first, further, first, further]
  })
  return sumCalls(asked)
}

/** 12 findings as 5, 5 and 2. */
function packSizes(findings: number): number[] {
  return Array.from({ length: Math.ceil(findings / mostTogether) }, (_, at) =>
    Math.min(mostTogether, findings - at * mostTogether),
  )
}
