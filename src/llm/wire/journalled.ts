/**
 * The `fetch` that the SDK of a provider gets: asks the journal first, and only then the network. What went out and came
 * back stays here for the gateway, which records an answer once it is known to be whole.
 */
import { canonicalJson } from '../../base/canonical-json.ts'
import { redactStrings, withoutValues } from '../../base/secrets/redact.ts'
import { redactFrames, redactStream } from '../../base/secrets/redact-stream.ts'
import type { Journal, JournalAnswer, JournalRequest } from '../../domain/journal.ts'
import type { ModelRole } from '../../domain/model-call.ts'
import type { Question } from '../contract.ts'
import type { Provider } from '../providers/contract.ts'
import type { Environment } from '../routes/find-providers.ts'
import { type Fault, faultOfStatus } from './fault.ts'
import { post, type WireTimeouts } from './post.ts'

export type ModelRequest = Extract<JournalRequest, { kind: 'model' }>

export type WireOptions = {
  journal: Journal
  role: ModelRole
  address: string
  sample: number
  secrets: SecretFilter
  timeouts: WireTimeouts
  signal: AbortSignal
  send: typeof fetch
  /** The journal was asked for this very request before: this is another try. */
  isRetry: boolean
  /** Called with the body right before it would go out; a fault keeps it here. */
  admit: (body: string) => Promise<Fault | null>
}

export type Wire = {
  readonly fetch: typeof fetch
  /** What is known after the SDK is done. */
  readonly seen: Seen
}

export type Seen = {
  request: ModelRequest | null
  answer: JournalAnswer | null
  served: 'live' | 'record'
  /** Something went out; a call that was kept here is none. */
  sent: boolean
  /** What the wire itself has against it; the SDK's error adds nothing then. */
  fault: Fault | null
  /** Bytes of a good answer had come before the fault. */
  begun: boolean
  /** The record says that the run gave up here. */
  gaveUp: JournalAnswer | null
  /** What the journal threw, or the reason of an abort. */
  thrown: { reason: unknown } | null
}

export function openWire(options: WireOptions): Wire {
  const seen: Seen = {
    request: null,
    answer: null,
    served: 'live',
    sent: false,
    fault: null,
    begun: false,
    gaveUp: null,
    thrown: null,
  }
  const run = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input)
    const body = typeof init.body === 'string' ? init.body : ''
    const request = describeRequest(options, url, init.method ?? 'POST', body)
    seen.request = request
    const recorded = options.isRetry ? null : await findRecorded(options, request, seen)
    if (seen.gaveUp) throw new Error('the run gave up here')
    if (recorded) {
      seen.answer = recorded
      seen.served = 'record'
      return toResponse(recorded)
    }
    seen.fault = await options.admit(body)
    if (seen.fault) throw new Error(seen.fault.message)
    return await askNetwork(options, url, init, seen)
  }
  return {
    seen,
    fetch: async (input, init) => {
      try {
        return await run(input, init)
      } catch (reason) {
        if (!seen.fault && !seen.gaveUp) seen.thrown = { reason }
        throw reason
      }
    },
  }
}

async function askNetwork(
  options: WireOptions,
  url: string,
  init: RequestInit,
  seen: Seen,
): Promise<Response> {
  const began = performance.now()
  seen.sent = true
  const posted = await post(options.send, url, init, options.timeouts, options.signal)
  const durationMs = Math.round(performance.now() - began)
  if (!posted.ok) {
    seen.fault = { ...posted.fault, message: options.secrets.withoutKeys(posted.fault.message) }
    seen.begun = posted.begun
    throw new Error(seen.fault.message)
  }
  const { status, headers, bytes } = posted
  const answer = await toAnswer(status, headers, bytes, durationMs, options.secrets)
  seen.answer = answer
  if (status < 200 || status > 299) seen.fault = faultOfStatus(status, headers, answer.body)
  return toResponse(answer)
}

/** Keeps that all tries failed, so that a replay fails over where the run did. */
export function gaveUpRequest(request: ModelRequest): ModelRequest {
  return { ...request, outcome: 'failed' }
}

async function findRecorded(
  { journal, timeouts, signal }: WireOptions,
  request: ModelRequest,
  seen: Seen,
): Promise<JournalAnswer | null> {
  try {
    return await journal.find(request, { patienceMs: timeouts.totalMs, signal })
  } catch (error) {
    signal.throwIfAborted()
    // Only a replay refuses. It may still know that this model had failed.
    seen.gaveUp = await journal.find(gaveUpRequest(request)).catch(() => null)
    if (seen.gaveUp) return null
    throw error
  }
}

function describeRequest(
  { role, address, sample }: WireOptions,
  url: string,
  method: string,
  body: string,
): ModelRequest {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  bare.searchParams.delete('key')
  const canonical = body === '' ? '' : canonicalJson(JSON.parse(body))
  const sent = { method, url: bare.href, body: canonical, sample }
  return { kind: 'model', role, address, ...sent, outcome: 'answered' }
}

const bytesAsText = 'sightline-bytes'

/** Bedrock streams in a binary framing, which is kept as base64. */
async function toAnswer(
  status: number,
  headers: Headers,
  bytes: Uint8Array,
  durationMs: number,
  secrets: SecretFilter,
): Promise<JournalAnswer> {
  const type = headers.get('content-type') ?? 'application/json'
  const isBinary = type.includes('eventstream') || type.includes('octet-stream')
  const body = isBinary
    ? Buffer.from(secrets.cleanFrames(bytes)).toString('base64')
    : secrets.clean(Buffer.from(bytes).toString('utf8'))
  return {
    status,
    headers: { 'content-type': type, ...(isBinary ? { [bytesAsText]: 'base64' } : {}) },
    body,
    durationMs,
  }
}

function toResponse({ status, headers, body }: JournalAnswer): Response {
  const bytes = headers[bytesAsText] === 'base64' ? Buffer.from(body, 'base64') : Buffer.from(body, 'utf8')
  const type = headers['content-type'] ?? 'application/json'
  return new Response(bytes, { status, headers: { 'content-type': type } })
}

/** A shorter value would be found in ordinary words. */
const shortestKey = 8

export interface SecretFilter {
  /** Our own keys only: for error texts and other short words. */
  withoutKeys(text: string): string
  /** Of an answer, streamed or not. */
  clean(text: string): string
  /** Of an answer in the binary frames of AWS. */
  cleanFrames(bytes: Uint8Array): Uint8Array
  cleanQuestion<Value>(question: Question<Value>): Question<Value>
}

export function openSecretFilter(providers: readonly Provider[], environment: Environment): SecretFilter {
  const names = new Set(providers.flatMap(({ keysFrom }) => keysFrom))
  const keys = [...names]
    .map((name) => environment[name] ?? '')
    .filter((key) => key.length >= shortestKey)
    .sort((a, b) => b.length - a.length)
  const withoutKeys = (text: string) => withoutValues(text, keys)
  return {
    withoutKeys,
    clean: (text) => redactStream(text, keys),
    cleanFrames: (bytes) => redactFrames(bytes, keys),
    cleanQuestion(question) {
      const { instructions, turns } = redactStrings({
        instructions: question.instructions.map((part) => ({ ...part, text: withoutKeys(part.text) })),
        turns: question.turns.map((turn) => ({
          ...turn,
          parts: turn.parts.map((part) => ({ ...part, text: withoutKeys(part.text) })),
        })),
      })
      return { ...question, instructions, turns }
    },
  }
}
