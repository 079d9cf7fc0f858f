/**
 * The `fetch` of embedders and rerankers: the network only when the journal has no answer, money reserved before and
 * booked after, and the answer recorded before it is used. Every exchange is reported, also one that failed.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { z } from 'zod'
import { canonicalJson } from '../base/canonical-json.ts'
import { readBounded } from '../base/read-bounded.ts'
import { withoutValues } from '../base/secrets/redact.ts'
import type { EventListener } from '../domain/events.ts'
import type { Journal, JournalAnswer, JournalRequest } from '../domain/journal.ts'
import { ModelCall } from '../domain/model-call.ts'
import { RemoteError } from './embedding/endpoint.ts'
import { type Account, beyondBudget, noTokens } from './money/account.ts'
import type { PriceBook, PricedModel } from './money/prices.ts'

export type MeterParts = {
  journal: Journal
  account: Account
  prices: PriceBook
  unknownPrice: 'allow' | 'refuse'
  onEvent: EventListener
  send: typeof fetch
  now: () => Date
}

export type Metered = { role: 'embedder' | 'reranker'; model: PricedModel }

type MeteredRequest = Extract<JournalRequest, { kind: 'embedding' | 'rerank' }>

const places = {
  embedder: { kind: 'embedding', role: 'embedder', address: 'search/embed' },
  reranker: { kind: 'rerank', role: 'reranker', address: 'search/rerank' },
} as const

/** While another run asks the same. */
const mostPatienceMs = 120_000

/** Holds the call that an answer was, so that a replay has the same account. */
const callHeader = 'sightline-call'

/** 2,048 texts with vectors of 4,096 numbers, written out, have less. */
const largestAnswer = 256 * 1024 * 1024

/** Rejects with `RemoteError` and `over-budget` for what must not be sent, and otherwise as `fetch` does. */
export function meteredFetch({ role, model }: Metered, parts: MeterParts): typeof fetch {
  const { journal, account } = parts
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    const body = typeof init.body === 'string' ? init.body : ''
    const request = describeRequest(role, url, body)
    const known = await journal.find(request, {
      patienceMs: mostPatienceMs,
      ...(init.signal ? { signal: init.signal } : {}),
    })
    const kept = known && recordedCall(known)
    if (known && kept) {
      recount(kept, parts)
      return toResponse(known)
    }
    try {
      return await ask(request, body, url, init)
    } finally {
      journal.release?.(request)
    }
  }

  async function ask(request: MeteredRequest, body: string, url: string, init: RequestInit) {
    const reservedUsd = reserve(model, body, parts)
    const began = performance.now()
    const response = await receive(parts.send, url, init)
    const isGood = !('error' in response) && response.status >= 200 && response.status <= 299
    const cost = isGood ? priceOf(model, body, response.text, parts) : { tokens: 0, usd: 0, pricedAs: null }
    const call: ModelCall = {
      role,
      address: request.address,
      model: model.name,
      usage: { ...noTokens, input: cost.tokens },
      usd: cost.usd,
      pricedAs: cost.pricedAs,
      durationMs: Math.round(performance.now() - began),
      served: 'live',
      outcome: isGood ? 'answered' : 'failed',
    }
    const answer = toAnswer('error' in response ? { status: 0, text: '' } : response, call)
    // A failed one is kept apart, so that the same question is asked again; a replay counts it all the same.
    await journal.record(isGood ? request : { ...request, outcome: 'failed' }, answer)
    account.budget.settle(reservedUsd, cost.usd ?? reservedUsd)
    report(call, parts)
    if ('error' in response) throw response.error
    return new Response(response.text, { status: response.status, headers: response.headers })
  }
}

const listening = new AsyncLocalStorage<ModelCall[]>()

/** `work`, and what embedders and rerankers were called for on the way. */
export async function withCallsOf<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; calls: ModelCall[] }> {
  const calls: ModelCall[] = []
  return { result: await listening.run(calls, work), calls }
}

/** The call behind a recorded answer; null for an answer that no meter recorded. */
export function recordedCall({ headers }: JournalAnswer): ModelCall | null {
  try {
    return { ...ModelCall.parse(JSON.parse(headers[callHeader] ?? '')), served: 'record' }
  } catch {
    return null
  }
}

/** A call of an earlier run whose answer this one uses: part of its account, as those of models are. */
export function recount(call: ModelCall, parts: Pick<MeterParts, 'account' | 'onEvent'>): void {
  parts.account.budget.settle(0, call.usd ?? 0)
  report({ ...call, served: 'record' }, parts)
}

function report(call: ModelCall, { account, onEvent }: Pick<MeterParts, 'account' | 'onEvent'>): void {
  listening.getStore()?.push(call)
  account.keep(call)
  onEvent({ type: 'model-call', call })
}

function describeRequest(role: Metered['role'], url: string, body: string): MeteredRequest {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  const sent = { method: 'POST', url: bare.href, body: canonicalJson(JSON.parse(body)) }
  return { ...places[role], ...sent, outcome: 'answered' }
}

/** US dollars that were set aside: the most that it may cost. */
function reserve(
  model: PricedModel,
  body: string,
  { account, prices, unknownPrice, now }: MeterParts,
): number {
  const usage = { input: estimateTokens(body), cacheRead: 0, cacheWrite: 0, output: 0 }
  const price = prices.price(model, usage, now())
  if (!price && unknownPrice === 'allow') return 0
  if (!price)
    throw new RemoteError(
      'over-budget',
      `the price of ${model.name} is not known, and the settings refuse such models`,
    )
  if (account.budget.reserve(price.usd)) return price.usd
  throw new RemoteError(
    'over-budget',
    `${model.name} was not asked: ${beyondBudget(price.usd, account.budget)}`,
  )
}

function priceOf(model: PricedModel, body: string, text: string, { prices, now }: MeterParts) {
  const tokens = tokensIn(text) ?? estimateTokens(body)
  const price = prices.price(model, { input: tokens, cacheRead: 0, cacheWrite: 0, output: 0 }, now())
  return { tokens, usd: price?.usd ?? null, pricedAs: price?.pricedAs ?? null }
}

/** A third of a token for a byte; a reranker reads the query once more with each document. */
function estimateTokens(body: string): number {
  const sent = Query.safeParse(JSON.parse(body))
  const again = sent.success ? Buffer.byteLength(sent.data.query) * sent.data.documents.length : 0
  return Math.ceil((Buffer.byteLength(body) + again) / 3)
}

const Query = z.object({ query: z.string(), documents: z.array(z.unknown()) })

const tokens = z.number().int().nonnegative().nullish()
/** As OpenAI and Voyage, Cohere, and Ollama count. */
const Counted = z.object({
  usage: z.object({ total_tokens: tokens }).nullish(),
  meta: z
    .object({ billed_units: z.object({ input_tokens: tokens, search_units: z.unknown() }).nullish() })
    .nullish(),
  prompt_eval_count: tokens,
})

/** Null when the provider does not say, or says what cannot be. */
function tokensIn(text: string): number | null {
  try {
    const { usage, meta, prompt_eval_count: evaluated } = Counted.parse(JSON.parse(text))
    const billed = meta?.billed_units
    // Who bills searches bills no tokens.
    const none = billed?.search_units === undefined ? null : 0
    return usage?.total_tokens ?? billed?.input_tokens ?? evaluated ?? none
  } catch {
    return null
  }
}

type Received = { status: number; headers: Headers; text: string } | { error: unknown }

async function receive(send: typeof fetch, url: string, init: RequestInit): Promise<Received> {
  try {
    const answer = await send(url, init)
    const text = await readBounded(answer, largestAnswer)
    if (text === null) return { error: new RemoteError('bad-answer', 'its answer is too large') }
    return { status: answer.status, headers: answer.headers, text: withoutKey(text, init) }
  } catch (error) {
    return { error }
  }
}

/** Some services repeat the key they were given. */
function withoutKey(text: string, { headers }: RequestInit): string {
  const key = new Headers(headers).get('authorization')?.replace(/^Bearer /, '') ?? ''
  return withoutValues(text, [key])
}

/** As bytes: numbers are no place for a search for secrets, which would only bend them. */
function toAnswer({ status, text }: { status: number; text: string }, call: ModelCall): JournalAnswer {
  const headers = {
    'content-type': 'application/json',
    'sightline-bytes': 'base64',
    [callHeader]: JSON.stringify(call),
  }
  return { status, headers, body: Buffer.from(text).toString('base64'), durationMs: call.durationMs }
}

function toResponse({ status, body }: JournalAnswer): Response {
  return new Response(Buffer.from(body, 'base64'), {
    status,
    headers: { 'content-type': 'application/json' },
  })
}

/** A journal that keeps nothing, for calls outside of a run. */
export const noJournal: Journal = {
  find: async () => null,
  record: async () => {},
  note() {},
}
