/** How much of a group's text one question has room for. */
import type { RoleModel } from '../../../llm/contract.ts'
import { bytesOfTokens } from '../tokens.ts'

/** A model whose window nobody knows is taken for a small one. */
const unknownWindow = 32_000

/** Of the first answer and of each further one; thinking counts. A small window leaves less. */
const longestAnswer = { review: 12_000, followUp: 8_000 }

export type AnswerTokens = typeof longestAnswer

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

export type RoomParts = {
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
