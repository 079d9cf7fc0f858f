/**
 * The `fetch` below the SDKs. The one that comes with Node gives up after five minutes without a byte, whatever its
 * caller would wait; here silence is bounded in one place only, in `post`, by what the operator's settings say.
 */
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch as send } from 'undici'

/** Zero switches a limit off. Connecting keeps its own: a machine that is not there is not a slow one. */
const withoutLimits = { headersTimeout: 0, bodyTimeout: 0 }

const opened = new Map<'direct' | 'proxied', Dispatcher>()

/** Rejects as `fetch` does. Honours Node's own switch for proxies (`NODE_USE_ENV_PROXY=1`). */
export const patientFetch: typeof fetch = async (input, init = {}) => {
  const url = input instanceof Request ? input.url : String(input)
  const { method, headers, body, signal, redirect } = init
  if (body && typeof body !== 'string') throw new TypeError('What is sent to a model is text.')
  const answer = await send(url, {
    ...(method ? { method } : {}),
    ...(headers ? { headers: [...new Headers(headers)] } : {}),
    ...(body ? { body } : {}),
    ...(signal ? { signal } : {}),
    ...(redirect ? { redirect } : {}),
    dispatcher: dispatcher(),
  })
  return new Response(answer.body, { status: answer.status, headers: [...answer.headers] })
}

function dispatcher(): Dispatcher {
  const way = process.env.NODE_USE_ENV_PROXY === '1' ? 'proxied' : 'direct'
  const known = opened.get(way)
  if (known) return known
  const made = way === 'proxied' ? new EnvHttpProxyAgent(withoutLimits) : new Agent(withoutLimits)
  opened.set(way, made)
  return made
}
