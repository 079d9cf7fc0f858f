/**
 * What the rest asks of language models: one question, one checked answer. Loops, prompts and what to do with an answer
 * belong to those who ask; providers, repairs, retries, prices and the journal stay behind this contract.
 */
import type { z } from 'zod'
import type { ModelCall, RunCost } from '../domain/model-call.ts'

/** Roles that answer questions; embedder and reranker have contracts of their own. */
export type AskedRole = 'scout' | 'reviewer' | 'judge'

export type PromptPart = {
  text: string
  /**
   * Everything up to the end of this part stays the same over the following calls, so that it is worth caching. At most
   * three in one question; providers allow four marks.
   */
  stable?: boolean
}

export type Turn = { from: 'user' | 'model'; parts: readonly PromptPart[] }

/** Plain JSON of a known shape. See stack notes in docs: no optional keys, records, tuples or unions by tag. */
export type AnswerShape<Value> = {
  /** Snake case; providers show it to the model. */
  name: string
  /** What goes over the wire, and what the answer is parsed with. */
  schema: z.ZodType<Value>
  /** Stricter checks that the wire cannot carry: every problem in words, for the one repair turn. */
  check?: (value: Value) => readonly string[]
}

export type Question<Value> = {
  role: AskedRole
  /** Where in the run: `quick/group-1/review`. Unique within a run, but for samples. */
  address: string
  /** Which prompt file asked, for the journal: `quick-review@1`. */
  prompt: string
  /** Our own words only: never a word that a repository, a ticket or a model wrote. */
  instructions: readonly PromptPart[]
  /** Begins and ends with a user's turn. Foreign text stands fenced in it (see `fenceUntrusted`). */
  turns: readonly Turn[]
  answer: AnswerShape<Value>
  maxOutputTokens: number
  effort: 'none' | 'low' | 'medium' | 'high'
  /** A model, `provider/model`: one of another provider is asked first, where the role, or for a judge the reviewer, has any. */
  apartFrom?: string
  /** 0 when not given; another number asks the same question again for another answer. */
  sample?: number
  signal: AbortSignal
}

export type Reply<Value> = {
  /** Every exchange it took, failed ones and repairs too. */
  calls: readonly ModelCall[]
} & (
  | {
      outcome: 'answered'
      value: Value
      /** The text the value was read from, as the model's turn in a further question. */
      text: string
      /** The text was repaired before it could be read: regular expressions and backslashes in it are suspect. */
      repaired: boolean
    }
  | {
      /**
       * `refused`: the model would not; `truncated`: it ran into the output limit; `unusable`: no JSON of this shape,
       * even after the repair turn; `failed`: no model of the route could be asked (no key, no connection, a request
       * that the provider refuses), which `reason` tells one by one; `over-budget`: not asked, or not
       * asked again, for want of money.
       */
      outcome: 'refused' | 'truncated' | 'unusable' | 'failed' | 'over-budget'
      /** In words, without secrets. */
      reason: string
    }
)

export type RoleModel = {
  /** `provider/model` of the first in the route. */
  model: string
  /** Tokens; null when not known. */
  contextWindow: number | null
}

export interface Gateway {
  /** Never throws for anything a provider does; rejects only with the signal's reason after an abort. */
  ask<Value>(question: Question<Value>): Promise<Reply<Value>>
  /**
   * As `ask` for each, side by side, replies in the order of the questions. Money is set aside for them in that order,
   * and before any answer gives some back, so that what a budget allows does not depend on who is faster.
   */
  askAll<Value>(questions: readonly Question<Value>[]): Promise<Reply<Value>[]>
  /** Null when no model plays this role. A judge that is not named is played by the reviewer's model. */
  modelOf(role: AskedRole, apartFrom?: string): RoleModel | null
  /** What it would take, by the bytes of the prompt and the whole of the output limit. Nothing is sent. */
  estimate<Value>(question: Question<Value>): {
    inputTokens: number
    outputTokens: number
    usd: number | null
  }
  /** What was spent so far, recorded answers at what they cost when they were given. */
  cost(): RunCost
}
