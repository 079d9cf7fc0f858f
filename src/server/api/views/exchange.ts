/**
 * One call of a run: what was sent and what came back, without secrets. Bodies are shown as they were kept, sealed secrets
 * stay sealed; the texts in them are found by the shapes that providers share.
 */
import { count } from '../../../base/count.ts'
import { redactText } from '../../../base/secrets/redact.ts'
import { JournalAnswer, JournalRequest } from '../../../domain/journal.ts'
import type { StoredRun } from '../../../storage/runs/stored-run.ts'
import { CallMatcher } from '../../../telemetry/timeline.ts'
import { Refused } from '../../http/contract.ts'
import type { CutText } from '../contract/common.ts'
import type { RunCall } from '../contract/runs.ts'
import { cutText } from './cut.ts'

const longest = 400_000

/** Refuses with 404 when the run has fewer calls. */
export async function exchangeOf(run: StoredRun, number: number): Promise<RunCall> {
  const answers = run.entries.filter((entry) => entry.type === 'answer')
  const entry = answers[number]
  if (!entry) throw new Refused(404, `This run has ${count(answers.length, 'call')}.`)
  const matcher = new CallMatcher(run.entries)
  // Calls of one address are told apart by their order.
  const model = answers
    .slice(0, number + 1)
    .reduce((_, one) => matcher.take(one), null as ReturnType<CallMatcher['take']>)
  const request = await read(run, entry.request, JournalRequest)
  const answer = await read(run, entry.answer, JournalAnswer)
  const sent = request && ('body' in request ? request.body : JSON.stringify(request.input ?? null))
  const isModel = entry.kind === 'model'
  return {
    call: number,
    kind: entry.kind,
    role: entry.role,
    address: entry.address,
    target: entry.target,
    status: entry.status,
    served: entry.served,
    startMs: Math.max(0, entry.at - (entry.served === 'record' ? 0 : entry.durationMs)),
    durationMs: entry.durationMs,
    model: model?.model ?? null,
    usage: model?.usage ?? null,
    usd: model?.usd ?? null,
    messages: isModel && sent !== null ? messagesIn(sent) : [],
    answer: isModel && answer ? shown(answerIn(answer.body)) : null,
    request: sent === null ? null : shown(sent),
    response: answer && shown(answer.body),
  }
}

async function read<Value>(
  run: StoredRun,
  name: string | null,
  schema: { safeParse(value: unknown): { success: boolean; data?: Value } },
): Promise<Value | null> {
  const text = name === null ? null : await run.object(name)
  if (text === null) return null
  return schema.safeParse(parse(text)).data ?? null
}

function shown(text: string): CutText {
  return cutText(redactText(text), longest)
}

/** Texts of a request by role, in order: `system`, `messages`, `input` or `contents` of the providers. */
function messagesIn(body: string): RunCall['messages'] {
  const sent = parse(body)
  if (!isObject(sent)) return []
  const system = [sent.system, sent.instructions, sent.systemInstruction].flatMap(textsIn)
  const turns = [sent.messages, sent.input, sent.contents].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  const messages = [
    ...system.map((text) => ({ role: 'system', text })),
    ...turns.flatMap((turn) => {
      if (!isObject(turn)) return []
      const role = typeof turn.role === 'string' ? turn.role : 'user'
      return [turn.content, turn.parts].flatMap(textsIn).map((text) => ({ role, text }))
    }),
  ]
  return messages.map(({ role, text }) => ({ role, ...shown(text) }))
}

/** What a model wrote, from a whole answer or from the pieces of a stream. */
function answerIn(body: string): string {
  const whole = parse(body)
  if (whole !== undefined) return piecesIn(whole).join('')
  const events = body.split('\n').flatMap((line) => (line.startsWith('data:') ? [parse(line.slice(5))] : []))
  return events.flatMap(streamedIn).join('')
}

/** Of one event: the deltas of Anthropic, of OpenAI (chat and responses) and of those that speak as they do, and Google's. */
function streamedIn(event: unknown): string[] {
  if (!isObject(event)) return []
  const { type, delta, choices, candidates } = event
  if (type === 'response.output_text.delta' && typeof delta === 'string') return [delta]
  if (type === 'content_block_delta' && isObject(delta)) return strings([delta.text, delta.partial_json])
  if (Array.isArray(choices))
    return choices.flatMap((choice) =>
      isObject(choice) && isObject(choice.delta) ? textsIn(choice.delta.content) : [],
    )
  return Array.isArray(candidates) ? piecesIn(event) : []
}

function piecesIn(answer: unknown): string[] {
  if (!isObject(answer)) return []
  const lists = [answer.content, answer.choices, answer.output, answer.candidates]
  return lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .flatMap((item) => {
      if (!isObject(item)) return []
      const inner = isObject(item.message) ? item.message : item
      const input = isObject(inner.input) ? [JSON.stringify(inner.input)] : []
      const content = isObject(inner.content) ? textsIn(inner.content.parts) : textsIn(inner.content)
      return [...strings([inner.text]), ...input, ...content]
    })
}

/** A text, or a list of parts with texts. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value))
    return value.flatMap((part) => (isObject(part) ? strings([part.text]) : strings([part])))
  if (isObject(value)) return [...strings([value.text]), ...textsIn(value.parts)]
  return []
}

function strings(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
