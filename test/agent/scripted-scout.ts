/** A scout that says what is written down, turn by turn; it keeps the questions it was asked. */
import type { LoopAnswer } from '../../src/agent/explore.ts'
import type { Gateway, Question, Reply } from '../../src/llm/contract.ts'

export type Said =
  | Partial<LoopAnswer>
  | { outcome: 'refused' | 'truncated' | 'unusable' | 'failed' | 'over-budget' }

const noUsage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }

export function scriptedScout(
  say: (turn: number) => Said,
): Gateway & { readonly questions: Question<unknown>[] } {
  const questions: Question<unknown>[] = []
  const ask = async <Value>(question: Question<Value>): Promise<Reply<Value>> => {
    question.signal.throwIfAborted()
    questions.push(question as Question<unknown>)
    const said = say(questions.length)
    if ('outcome' in said) return { outcome: said.outcome, reason: `it ${said.outcome}`, calls: [] }
    const whole = { reasoning: '', tools: [], done: false, ...said }
    const value = question.answer.schema.parse(whole)
    return { outcome: 'answered', value, text: JSON.stringify(whole), repaired: false, calls: [] }
  }
  return {
    questions,
    ask,
    askAll: (asked) => Promise.all(asked.map(ask)),
    modelOf: () => ({ model: 'test/scout', contextWindow: 100_000 }),
    estimate: () => ({ inputTokens: 0, outputTokens: 0, usd: null }),
    cost: () => ({ calls: questions.length, usage: noUsage, usd: 0, unpricedCalls: 0, byRole: [] }),
  }
}
