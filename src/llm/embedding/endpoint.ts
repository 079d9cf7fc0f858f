/**
 * The wire of embedders and rerankers: where a provider is reached and with which key, and calls that send and read JSON,
 * bounded in time, size and tries. Faults are classified as those of models are.
 */
import type { z } from 'zod'
import { readBounded } from '../../base/read-bounded.ts'
import { withoutValues } from '../../base/secrets/redact.ts'
import { trimTrailing } from '../../base/trim-text.ts'
import { type Fault, faultOfStatus, mayPass, pause, saidIn } from '../wire/fault.ts'

export type Surroundings = {
  environment: Readonly<Record<string, string | undefined>>
  /** The journal stands in for it. */
  fetch: typeof fetch
} & Pick<Endpoint, 'wait' | 'random'>

/** What a kind of provider is like when the settings say nothing else. */
export type ProviderDefaults = {
  name: string
  baseUrl: string
  /** Environment variables, the first that is set counts; none: no key is needed. */
  keysFrom: readonly string[]
}

export type Endpoint = {
  /** For messages: `OpenAI`, `Voyage`. */
  name: string
  url: string
  /** Goes into a header of the request, and nowhere else. */
  key: string | null
  fetch: typeof fetch
  /** Tests do not wait. Rejects with the signal's reason. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 to 1, for jitter. */
  random?: () => number
}

type Settings = { baseUrl?: string | undefined; keyFrom?: string | undefined }

const mostTries = 5
const firstWaitMs = 500
const longestWaitMs = 20_000
/** A provider that asks for a longer wait than this is given up. */
const longestAskedMs = 60_000
const callMs = 60_000
const errorBytes = 64 * 1024

/**
 * A base URL without a path gets the default one (`http://gpu:8000` → `http://gpu:8000/v1`). Throws `RemoteError` with
 * `no-key`; another address than the default needs a key only if the settings name one.
 */
export function connect(
  defaults: ProviderDefaults,
  { baseUrl, keyFrom }: Settings,
  path: string,
  { environment, ...rest }: Surroundings,
): Endpoint {
  const names = keyFrom === undefined ? defaults.keysFrom : [keyFrom]
  const key =
    names.map((name) => environment[name]).find((value) => value !== undefined && value !== '') ?? null
  const isNeeded = names.length > 0 && (baseUrl === undefined || keyFrom !== undefined)
  if (key === null && isNeeded)
    throw new RemoteError('no-key', `${defaults.name} needs a key: set ${names.join(' or ')}`)
  return { name: defaults.name, url: `${rootOf(defaults, baseUrl)}${path}`, key, ...rest }
}

function rootOf(defaults: ProviderDefaults, baseUrl: string | undefined): string {
  if (baseUrl === undefined) return defaults.baseUrl
  const url = new URL(baseUrl)
  const path = trimTrailing(url.pathname, '/')
  return `${url.origin}${path === '' ? new URL(defaults.baseUrl).pathname : path}`
}

/**
 * The answer in its `shape`, of at most `largestBytes`. Rejects with `RemoteError`, or with the signal's reason.
 */
export async function postJson<Answer>(
  endpoint: Endpoint,
  body: unknown,
  { shape, signal, largestBytes }: { shape: z.ZodType<Answer>; signal: AbortSignal; largestBytes: number },
): Promise<Answer> {
  const { name, random = Math.random, wait = pause } = endpoint
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    const tried = await tryOnce(endpoint, JSON.stringify(body), signal, largestBytes)
    if ('value' in tried) {
      const parsed = shape.safeParse(tried.value)
      if (parsed.success) return parsed.data
      throw new RemoteError('bad-answer', `${name} sent an answer that does not follow its API`)
    }
    signal.throwIfAborted()
    const { error, retryMs } = tried
    if (retryMs === null || attempt === mostTries || retryMs > longestAskedMs) throw error
    const backoffMs = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1))
    await wait(Math.max(retryMs, Math.round(backoffMs * (0.5 + random() / 2))), signal)
  }
}

/** `retryMs`: how long the provider asks to wait, 0 when it does not say; null when another try is of no use. */
type Tried = { value: unknown } | { error: RemoteError; retryMs: number | null }

async function tryOnce(
  { name, url, key, fetch: send }: Endpoint,
  body: string,
  signal: AbortSignal,
  largestBytes: number,
): Promise<Tried> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  }
  const both = AbortSignal.any([signal, AbortSignal.timeout(callMs)])
  // Some services repeat the key they were given.
  const keys = key === null ? [] : [key]
  try {
    // A redirect would carry the texts to another host.
    const answer = await send(url, { method: 'POST', headers, body, signal: both, redirect: 'error' })
    const text = await readBounded(answer, answer.ok ? largestBytes : errorBytes)
    if (!answer.ok)
      return refusal(name, faultOfStatus(answer.status, answer.headers, withoutValues(text ?? '', keys)))
    if (text === null) return badAnswer(`${name} answered with more than ${largestBytes} bytes`)
    return { value: JSON.parse(text) }
  } catch (error) {
    // It was kept here, for want of money.
    if (error instanceof RemoteError) return { error, retryMs: null }
    if (error instanceof SyntaxError) return badAnswer(`${name} answered with something other than JSON`)
    const why = error instanceof Error ? saidIn(withoutValues(causeOf(error), keys)) : 'no answer'
    const unreachable = new RemoteError('unreachable', `${name} cannot be reached: ${why}`, { cause: error })
    return { error: unreachable, retryMs: 0 }
  }
}

function refusal(name: string, found: Fault): Tried {
  const message = found.message.replace(/^it/, name)
  if (mayPass(found))
    return { error: new RemoteError('unreachable', message), retryMs: found.retryAfterMs ?? 0 }
  const problem = found.kind === 'quota' || found.kind === 'too-long' ? found.kind : 'refused'
  return { error: new RemoteError(problem, message), retryMs: null }
}

function badAnswer(message: string): Tried {
  return { error: new RemoteError('bad-answer', message), retryMs: null }
}

function causeOf(error: Error): string {
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

/**
 * `no-key`: the environment has none; `refused`: the key or the request is not accepted; `quota`: no money or none left;
 * `too-long`: more tokens than the model takes; `unreachable`: no answer, or only errors, after all tries;
 * `bad-answer`: an answer that cannot be used; `over-budget`: not asked, for want of money.
 */
export type RemoteProblem =
  | 'no-key'
  | 'refused'
  | 'quota'
  | 'too-long'
  | 'unreachable'
  | 'bad-answer'
  | 'over-budget'

/** What went wrong with an embedder or a reranker, in words that hold no key. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  readonly problem: RemoteProblem

  constructor(problem: RemoteProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}
