/** One question through a route of models: the checked answer, after at most one repair by its model, or why there is none. */
import type { ModelCall } from '../domain/model-call.ts'
import { readAnswer } from './answers/read-answer.ts'
import { type JsonSchema, wireSchema } from './answers/wire-schema.ts'
import type { Question, Reply, Turn } from './contract.ts'
import { type Exchanged, exchange, type GatewayParts } from './exchange.ts'
import type { ReservationTurn } from './money/ordered-reservations.ts'
import type { OpenedModel } from './opened-model.ts'
import { saidIn } from './wire/fault.ts'
import { cacheKeyOf, wirePrompt } from './wire/prompt.ts'

type NoAnswer = Exclude<Reply<never>['outcome'], 'answered'>

export type AskOptions = {
  route: readonly OpenedModel[]
  instructionsCachedFor: '5m' | '1h'
  /** Null for a question that is asked alone. */
  place: ReservationTurn | null
}

/** Rejects with the signal's reason, with what the journal throws, and for a question that breaks the contract. */
export async function askRoute<Value>(
  asked: Question<Value>,
  options: AskOptions,
  parts: GatewayParts,
): Promise<Reply<Value>> {
  const schema = wireSchema(asked.answer)
  const question = parts.secrets.cleanQuestion(asked)
  const calls: ModelCall[] = []
  const failures: string[] = []
  for (const model of options.route) {
    parts.note('question', question.address, {
      model: model.name,
      role: question.role,
      prompt: question.prompt,
    })
    const inquiry = { question, schema, model, calls, ...options }
    const reply = await askModel(inquiry, parts)
    if (!('failure' in reply)) return { ...reply, calls }
    failures.push(`${model.name}: ${reply.failure}`)
  }
  const reason =
    failures.length === 0 ? `No model is configured for the role ${question.role}.` : failures.join('\n')
  return { outcome: 'failed', reason, calls }
}

type Inquiry<Value> = {
  question: Question<Value>
  schema: JsonSchema
  model: OpenedModel
  calls: ModelCall[]
  instructionsCachedFor: '5m' | '1h'
  place: ReservationTurn | null
}

type Outcome<Value> =
  | { outcome: 'answered'; value: Value; text: string; repaired: boolean }
  | { outcome: NoAnswer; reason: string }
  /** The next model of the route may know better. */
  | { failure: string }

async function askModel<Value>(inquiry: Inquiry<Value>, parts: GatewayParts): Promise<Outcome<Value>> {
  const { question, model } = inquiry
  let mode = model.structuredOutput
  let exchanged = await send(inquiry, mode, question.turns, parts)
  if (!exchanged.ok && exchanged.fault.kind === 'schema-refused' && mode === 'native') {
    const reason = exchanged.fault.message
    parts.note('schema-in-words', question.address, { model: model.name, reason })
    mode = 'prompt'
    exchanged = await send(inquiry, mode, question.turns, parts)
  }
  if (!exchanged.ok) {
    const { kind, message } = exchanged.fault
    return kind === 'over-budget'
      ? { outcome: kind, reason: `${model.name}: ${message}` }
      : { failure: message }
  }
  const first = settle(inquiry, exchanged, parts)
  if (!('problems' in first)) return first

  parts.note('repair', question.address, { model: model.name, problems: [...first.problems] })
  const turns = repairTurns(question.turns, exchanged.text, first.problems)
  const again = await send(inquiry, mode, turns, parts)
  const problems = first.problems.join('; ')
  if (!again.ok) {
    const outcome = again.fault.kind === 'over-budget' ? again.fault.kind : 'unusable'
    return {
      outcome,
      reason: `${model.name}: ${problems}; and asking it again failed: ${again.fault.message}`,
    }
  }
  const second = settle(inquiry, again, parts)
  if (!('problems' in second)) return second
  return { outcome: 'unusable', reason: `${model.name}: ${second.problems.join('; ')}` }
}

async function send<Value>(
  { question, schema, model, calls, instructionsCachedFor, place }: Inquiry<Value>,
  mode: 'native' | 'prompt',
  turns: readonly Turn[],
  parts: GatewayParts,
): Promise<Exchanged> {
  const { provider, family } = model
  const named = { name: question.answer.name, schema }
  const exchanged = await exchange(
    {
      model,
      role: question.role,
      address: question.address,
      sample: question.sample ?? 0,
      place,
      prompt: wirePrompt(
        { ...question, turns },
        {
          schemaInWords: mode === 'prompt' || family.needsWords?.(model.model) ? named : null,
          mark: (place) =>
            family.cacheMark?.(place === 'instructions' ? instructionsCachedFor : '5m', model) ?? null,
        },
      ),
      schema: mode === 'native' ? named : null,
      maxOutputTokens: question.maxOutputTokens,
      effort: family.effortFor(question.effort, model),
      options: family.callOptions?.({ provider, model: model.model, cacheKey: cacheKeyOf(question) }) ?? {},
      signal: question.signal,
    },
    parts,
  )
  for (const call of exchanged.failed) keep(call, calls, parts)
  return exchanged
}

/** Reads what came, and books the call with what became of it. */
function settle<Value>(
  { question, schema, model, calls }: Inquiry<Value>,
  { call, text, end }: Extract<Exchanged, { ok: true }>,
  parts: GatewayParts,
): Exclude<Outcome<Value>, { failure: string }> | { problems: readonly string[] } {
  const close = (outcome: ModelCall['outcome'], reason?: string) =>
    keep({ ...call, outcome, ...(reason === undefined ? {} : { reason }) }, calls, parts)
  if (end !== 'stop') {
    const said = end === 'refused' ? saidIn(text) : ''
    const why =
      end === 'refused'
        ? `it declined to answer${said === '' ? '' : `: ${said}`}`
        : `its answer ran into the limit of ${question.maxOutputTokens} tokens`
    close(end, why)
    return { outcome: end, reason: `${model.name}: ${why}` }
  }
  const read = readAnswer(text, question.answer, schema)
  if (!read.ok) {
    close('unusable', read.problems.join('; '))
    return { problems: read.problems }
  }
  close('answered')
  if (read.repaired) parts.note('mended', question.address, { model: model.name })
  return { outcome: 'answered', value: read.value, text, repaired: read.repaired }
}

function keep(call: ModelCall, calls: ModelCall[], parts: GatewayParts): void {
  calls.push(call)
  parts.reportCall(call)
}

/** The beginning of a hopeless answer is enough to show what was meant. Characters. */
const longestQuoted = 60_000

/** The one repair: the question's turns with the answer and what is wrong with it. An empty answer is not a valid turn. */
function repairTurns(turns: readonly Turn[], text: string, problems: readonly string[]): Turn[] {
  const asked = `Your answer could not be used:\n${problems.map((one) => `- ${one}`).join('\n')}\n
Answer again with the whole JSON object of the required shape, and nothing else. Keep the parts that were right.`
  const last = turns.at(-1)
  if (text.trim() === '' && last?.from === 'user')
    return [...turns.slice(0, -1), { ...last, parts: [...last.parts, { text: asked }] }]
  return [
    ...turns,
    { from: 'model', parts: [{ text: text.slice(0, longestQuoted) }] },
    { from: 'user', parts: [{ text: asked }] },
  ]
}
