/** What the questions of a review would take at most, before any is asked. */
import type { EstimateOf, ModelEstimate } from '../../domain/model-report.ts'
import type { Gateway, Question } from '../../llm/contract.ts'
import type { ReviewAnswer } from './answer/schema.ts'
import { answerTokensFor } from './groups/room.ts'

export function estimateQuestions(
  gateway: Gateway,
  questions: readonly Question<ReviewAnswer>[],
  { followUps, followUpTokens }: { followUps: number; followUpTokens: number },
): ModelEstimate {
  const model = gateway.modelOf('reviewer') ?? { model: 'none', contextWindow: null }
  const maxOutputTokens = answerTokensFor(model).followUp
  const first = questions.map((question) => gateway.estimate(question))
  // A follow-up reads all of the first question again, its answer and the range.
  const further = first.map(({ inputTokens, outputTokens, usd }, index) => {
    const question = questions[index]
    const added = outputTokens + followUpTokens
    const share = question ? gateway.estimate({ ...question, maxOutputTokens }) : null
    const perToken =
      usd === null || inputTokens + outputTokens === 0 ? null : usd / (inputTokens + outputTokens)
    return {
      inputTokens: inputTokens + added,
      outputTokens: maxOutputTokens,
      // The range and the earlier answer are priced like the rest of the call: a little too much, never too little.
      usd: share?.usd == null || perToken === null ? null : share.usd + added * perToken,
    }
  })
  return {
    model: model.model,
    ...sumCalls(first),
    followUps: sumCalls(further.flatMap((one) => Array.from({ length: followUps }, () => one))),
    explore: null,
  }
}

function sumCalls(calls: readonly Omit<EstimateOf, 'calls'>[]): EstimateOf {
  return sumEstimates(calls.map((call) => ({ calls: 1, ...call })))
}

/** A price that is not known makes that of all unknown. */
export function sumEstimates(parts: readonly EstimateOf[]): EstimateOf {
  return {
    calls: parts.reduce((total, { calls }) => total + calls, 0),
    inputTokens: parts.reduce((total, { inputTokens }) => total + inputTokens, 0),
    outputTokens: parts.reduce((total, { outputTokens }) => total + outputTokens, 0),
    usd: parts.reduce<number | null>(
      (total, { usd }) => (total === null || usd === null ? null : total + usd),
      0,
    ),
  }
}
