/**
 * One prompt to one model, with our retries: the network only when the journal has no answer, money reserved before and
 * booked after, and the answer on record before anybody uses it.
 */
import type { Journal, JournalRequest } from '../domain/journal.ts'
import type { ModelCall } from '../domain/model-call.ts'
import {
  type CallPrice,
  type CallRecord,
  earlierOf,
  faultOf,
  giveUpAnswer,
  pricedAnswer,
  priceIn,
} from './call-record.ts'
import type { AskedRole } from './contract.ts'
import { type Budget, noTokens } from './money/account.ts'
import type { ReservationTurn } from './money/ordered-reservations.ts'
import { outputLimitIn, type ReadUsage, readUsage, type TokenEstimator } from './money/tokens.ts'
import type { OpenedModel } from './opened-model.ts'
import type { Provider } from './providers/contract.ts'
import { askedWait, type Fault, fault, faultOfStream, fullJitter, mayPass } from './wire/fault.ts'
import { gaveUpRequest, openWire, type SecretFilter, type Seen, type Wire } from './wire/journalled.ts'
import { type CallInput, type CallResult, callOnce } from './wire/one-call.ts'
import type { WireTimeouts } from './wire/post.ts'

export type ExchangeInput = Omit<CallInput, 'model' | 'signal'> & {
  model: OpenedModel
  role: AskedRole
  address: string
  sample: number
  /** Among the questions that are asked side by side with it; null when it is asked alone. */
  place: ReservationTurn | null
  signal: AbortSignal
}

/** A call whose answer has not been read yet. */
export type UnreadCall = Omit<ModelCall, 'outcome' | 'reason'>

export type Exchanged =
  | { ok: true; failed: ModelCall[]; call: UnreadCall; text: string; end: 'stop' | 'truncated' | 'refused' }
  | { ok: false; failed: ModelCall[]; fault: Fault }

const mostTries = 4
/** A silent server costs minutes for each try. */
const mostStalls = 2

/** Rejects with the signal's reason after an abort, and with what the journal throws. */
export async function exchange(input: ExchangeInput, parts: GatewayParts): Promise<Exchanged> {
  const claimed: JournalRequest[] = []
  try {
    return await askUntilOver(input, parts, claimed)
  } finally {
    // What was answered is on record by now; other runs need not wait for the rest.
    for (const request of claimed) parts.journal.release?.(request)
  }
}

/** Each request that went past the journal is put into `claimed`. */
async function askUntilOver(
  input: ExchangeInput,
  parts: GatewayParts,
  claimed: JournalRequest[],
): Promise<Exchanged> {
  const failed: ModelCall[] = []
  let waitedMs = 0
  for (let attempt = 1; ; attempt++) {
    const tried = await tryOnce(input, parts, failed, attempt > 1, claimed)
    if (tried.ok) return tried
    if (tried.recorded) return { ok: false, failed: tried.recorded, fault: tried.fault }
    // A record that cannot be read would not be read better from the network, which a replay must not touch.
    if (tried.seen.served === 'record') return { ok: false, failed: [tried.call], fault: tried.fault }
    if (tried.seen.sent) failed.push(tried.call)
    const most = tried.fault.kind === 'stalled' ? mostStalls : mostTries
    const waitMs = askedWait(tried.fault.retryAfterMs, fullJitter(attempt, parts.random), parts.random)
    const isOver = !mayPass(tried.fault) || attempt >= most || waitedMs + waitMs > parts.patienceMs
    if (isOver) return await giveUp(input, parts, failed, tried)
    parts.reportRetry({
      address: input.address,
      model: input.model.name,
      reason: tried.fault.message,
      waitMs,
    })
    await parts.wait(waitMs, input.signal)
    waitedMs += waitMs
  }
}

/** `call` counts only when it was sent, or is on record. */
type Failure = { ok: false; fault: Fault; call: ModelCall; seen: Seen; recorded: ModelCall[] | null }

async function tryOnce(
  input: ExchangeInput,
  parts: GatewayParts,
  failed: readonly ModelCall[],
  isRetry: boolean,
  claimed: JournalRequest[],
): Promise<Extract<Exchanged, { ok: true }> | Failure> {
  const { model, signal, role, address, sample } = input
  signal.throwIfAborted()
  let reservedUsd = 0
  const wire = openWire({
    journal: parts.journal,
    role,
    address,
    sample,
    secrets: parts.secrets,
    timeouts: parts.timeoutsOf(model.provider),
    signal,
    send: parts.send,
    isRetry,
    async admit(body) {
      await input.place?.comes
      const limit = Math.max(input.maxOutputTokens, outputLimitIn(body))
      const admitted = parts.admit(model, Buffer.byteLength(body), limit)
      input.place?.pass()
      if ('kind' in admitted) return admitted
      reservedUsd = admitted.usd
      return null
    },
  })
  const result = await call(input, parts, wire)
  const { seen } = wire
  if (seen.request) claimed.push(seen.request)
  if (seen.thrown || signal.aborted) {
    parts.budget.settle(reservedUsd, 0)
    signal.throwIfAborted()
    throw seen.thrown?.reason
  }
  const base = { role, address, model: model.name, served: seen.served } as const
  const found = seen.gaveUp ? faultOf(seen.gaveUp) : faultIn(seen, result)
  if (!found && seen.request && seen.answer)
    return await succeed({
      input,
      parts,
      failed,
      reservedUsd,
      result,
      base,
      seen: { ...seen, answer: seen.answer },
    })

  const reason = found ?? fault('bad-answer', 'nothing was sent')
  // What was begun may have been charged, and how much is unknown.
  parts.budget.settle(reservedUsd, seen.begun ? reservedUsd : 0)
  const durationMs = seen.answer?.durationMs ?? 0
  const usd = seen.begun ? null : 0
  return {
    ok: false,
    fault: reason,
    seen,
    recorded: seen.gaveUp ? earlierOf(seen.gaveUp, base) : null,
    call: {
      ...base,
      usage: noTokens,
      usd,
      pricedAs: null,
      durationMs,
      outcome: 'failed',
      reason: reason.message,
    },
  }
}

async function call(input: ExchangeInput, parts: GatewayParts, wire: Wire): Promise<CallResult> {
  const { model, prompt, schema, maxOutputTokens, effort, options, signal } = input
  try {
    const opened = await model.open(wire.fetch)
    const result = await callOnce({ model: opened, prompt, schema, maxOutputTokens, effort, options, signal })
    for (const warning of result.warnings)
      parts.note('warning', input.address, { model: model.name, warning })
    return result
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { text: '', finish: null, usage: null, warnings: [], error: message }
  }
}

/** What the wire says comes first; the SDK only knows better about a stream that began well. */
function faultIn(seen: Seen, result: CallResult): Fault | null {
  if (seen.fault) return seen.fault
  if (!seen.answer)
    return fault('request-refused', `the request failed: ${result.error ?? 'nothing was sent'}`)
  if (result.error !== null && result.finish !== 'content-filter') {
    const isForm = /validation failed|JSON parsing|Invalid JSON|AI_/i.test(result.error)
    return isForm ? fault('bad-answer', 'its answer does not follow its API') : faultOfStream(result.error)
  }
  if (result.finish === null || (result.finish === 'other' && result.text === ''))
    return fault('cut', 'its answer is incomplete')
  return null
}

type Success = {
  input: ExchangeInput
  parts: GatewayParts
  failed: readonly ModelCall[]
  reservedUsd: number
  result: CallResult
  base: Pick<UnreadCall, 'role' | 'address' | 'model' | 'served'>
  seen: Seen & { answer: CallRecord }
}

async function succeed({ input, parts, failed, reservedUsd, result, base, seen }: Success) {
  const { model } = input
  const bytes = Buffer.byteLength(seen.request?.body ?? '')
  const usage = readUsage(result.usage, { bytes, maxOutputTokens: input.maxOutputTokens })
  const isLive = seen.served === 'live'
  const price = isLive
    ? parts.priceOf(model, usage, result.usage?.raw ?? {})
    : (priceIn(seen.answer) ?? parts.priceOf(model, usage, result.usage?.raw ?? {}))
  const earlier = isLive ? [...failed] : earlierOf(seen.answer, base)
  if (isLive && seen.request)
    await parts.journal.record(seen.request, pricedAnswer(seen.answer, price, failed))
  parts.budget.settle(reservedUsd, price.usd ?? reservedUsd)
  if (usage.isKnown) parts.estimator.learn({ model: model.name, bytes, tokens: usage.tokens.input })
  return {
    ok: true as const,
    failed: earlier,
    call: { ...base, usage: usage.tokens, ...price, durationMs: seen.answer.durationMs },
    text: result.text,
    end: endOf(result, seen.answer.body),
  }
}

/** Some servers say a refusal beside an empty text, and call the end a proper one. */
function endOf({ finish, text }: CallResult, body: string): 'stop' | 'truncated' | 'refused' {
  if (finish === 'length') return 'truncated'
  const isRefusal = text.trim() === '' && /"refusal"\s*:\s*"[^"]/.test(body)
  return finish === 'content-filter' || isRefusal ? 'refused' : 'stop'
}

/** On record, so that a replay fails over where the run did; a resumed run asks again. */
async function giveUp(
  { model, address }: ExchangeInput,
  parts: GatewayParts,
  failed: ModelCall[],
  { seen, fault: last }: Failure,
): Promise<Exchanged> {
  if (seen.request) await parts.journal.record(gaveUpRequest(seen.request), giveUpAnswer(last, failed))
  parts.note('gave-up', address, { model: model.name, kind: last.kind, reason: last.message })
  return { ok: false, failed, fault: last }
}

/** What the files of the gateway share during a run: journal, money, clock and reports. */
export type GatewayParts = {
  journal: Journal
  secrets: SecretFilter
  budget: Budget
  estimator: TokenEstimator
  /** The most that all waits before one answer may take together. Milliseconds. */
  patienceMs: number
  timeoutsOf(provider: Provider): WireTimeouts
  send: typeof fetch
  /** From 0 to 1. */
  random: () => number
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** Reserves the most that it may cost, or says why it must not be sent. */
  admit(model: OpenedModel, bytes: number, maxOutputTokens: number): Fault | { usd: number }
  priceOf(model: OpenedModel, usage: ReadUsage, raw: Readonly<Record<string, unknown>>): CallPrice
  note(type: string, address: string, detail: Record<string, unknown>): void
  reportRetry(retry: { address: string; model: string; reason: string; waitMs: number }): void
  /** Every exchange of the run, in the order in which their answers were read. */
  reportCall(call: ModelCall): void
}
