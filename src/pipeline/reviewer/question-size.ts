/** How large a question may be, and the most that all questions of a review cost. */
import { type ModelEstimate, sumCalls } from '../../domain/model-report.ts'
import type { Gateway, Question, RoleModel } from '../../llm/contract.ts'
import type { ReviewAnswer } from './answer/schema.ts'

/** For a model whose context window is unknown. */
const unknownWindow = 32_000

/** An estimate on the safe side, where no model has counted yet. */
const bytesPerToken = 3

/** Of the first answer and of each further one; thinking counts. A small window leaves less. */
const longestAnswer = { review: 12_000, followUp: 8_000 }

type AnswerTokens = typeof longestAnswer

type RoomParts = {
  model: RoleModel
  /** Tokens of both answers of a conversation, and of the range shown in a follow-up. */
  answerTokens: number
  /** Bytes of the instructions and of the overview. */
  fixedBytes: number
  /** The configured cap. */
  groupBytes: number
}

/** Bytes; at least a little, so that a tiny window makes many small groups rather than none. */
export function roomForGroup({ model, answerTokens, fixedBytes, groupBytes }: RoomParts): number {
  const window = model.contextWindow ?? unknownWindow
  const free = bytesOfTokens(window - answerTokens) - fixedBytes
  return Math.max(2_000, Math.min(groupBytes, free))
}

export function answerTokensFor({ contextWindow }: RoleModel): AnswerTokens {
  const window = contextWindow ?? unknownWindow
  return {
    review: Math.min(longestAnswer.review, Math.floor(window * 0.3)),
    followUp: Math.min(longestAnswer.followUp, Math.floor(window * 0.2)),
  }
}

/** Of the whole window. */
export function windowBytes({ contextWindow }: RoleModel): number {
  return bytesOfTokens(contextWindow ?? unknownWindow)
}

export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

function bytesOfTokens(tokens: number): number {
  return tokens * bytesPerToken
}

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
