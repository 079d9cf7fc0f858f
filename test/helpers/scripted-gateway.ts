/** A gateway whose answers a test computes from the question: for what has to do with answers, not with providers. */
import type { ModelCall, RunCost } from '../../src/domain/model-call.ts'
import type { Gateway, Question, Reply, RoleModel } from '../../src/llm/contract.ts'

export type Failed = { outcome: Exclude<Reply<unknown>['outcome'], 'answered'>; reason?: string }

/** The answer as plain JSON, or how it failed. */
export type Say = (question: Question<unknown>, number: number) => object | Failed

export type ScriptedGateway = Gateway & { readonly questions: Question<unknown>[] }

const model: RoleModel = { model: 'test/reviewer', contextWindow: 200_000 }

export function scriptedGateway(say: Say, role: RoleModel | null = model): ScriptedGateway {
  const questions: Question<unknown>[] = []
  const calls: ModelCall[] = []
  const ask = async <Value>(question: Question<Value>): Promise<Reply<Value>> => {
    question.signal.throwIfAborted()
    questions.push(question as Question<unknown>)
    const said = say(question as Question<unknown>, questions.length)
    const call = callOf(question as Question<unknown>, JSON.stringify(said))
    calls.push(call)
    if ('outcome' in said)
      return { outcome: said.outcome, reason: said.reason ?? `it was ${said.outcome}`, calls: [call] }
    const value = question.answer.schema.parse(said)
    return { outcome: 'answered', value, text: JSON.stringify(said), repaired: false, calls: [call] }
  }
  return {
    questions,
    ask,
    askAll: (asked) => Promise.all(asked.map(ask)),
    modelOf: () => role,
    estimate: (question) => ({
      inputTokens: Math.ceil(wordsOf(question).length / 3),
      outputTokens: question.maxOutputTokens,
      usd: 0.1,
    }),
    cost: () => costOf(calls),
  }
}

/** All words of a question, as a model would read them. */
export function wordsOf({ instructions, turns }: Pick<Question<unknown>, 'instructions' | 'turns'>): string {
  return [...instructions, ...turns.flatMap(({ parts }) => parts)].map(({ text }) => text).join('\n')
}

/** The tag of the first line of the prompt that holds these words. */
export function tagOfLine(question: Question<unknown>, words: string): string {
  const line = wordsOf(question)
    .split('\n')
    .find((one) => one.includes(words) && /\[[LO]\d+#/.test(one))
  const tag = /\[([LO]\d+#[0-9a-z]{3})\]/.exec(line ?? '')?.[1]
  if (tag === undefined) throw new Error(`The prompt has no tagged line with "${words}".`)
  return tag
}

function callOf(question: Question<unknown>, answer: string): ModelCall {
  const input = Math.ceil(wordsOf(question).length / 4)
  const output = Math.ceil(answer.length / 4)
  return {
    role: question.role,
    address: question.address,
    model: model.model,
    usage: { input, cacheRead: 0, cacheWrite: 0, output, reasoning: 0 },
    usd: 0.01,
    pricedAs: 'test/reviewer',
    durationMs: 1,
    served: 'live',
    outcome: 'answered',
  }
}

function costOf(calls: readonly ModelCall[]): RunCost {
  const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }
  for (const call of calls) {
    usage.input += call.usage.input
    usage.output += call.usage.output
  }
  const usd = calls.reduce((sum, call) => sum + (call.usd ?? 0), 0)
  return {
    calls: calls.length,
    usage,
    usd,
    unpricedCalls: 0,
    byRole:
      calls.length === 0 ? [] : [{ role: 'reviewer', model: model.model, calls: calls.length, usage, usd }],
  }
}
