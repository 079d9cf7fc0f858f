/**
 * A provider without a socket: the very rules and frames of the fake server, called as `fetch`. All of the gateway runs
 * as it does over the network: SDK, streaming, secrets, budget, retries, journal.
 */
import {
  type Account,
  type Call,
  isHttpAnswer,
  type Output,
  type Protocol,
} from '../../helpers/fakes/contract.ts'
import { PrefixCache } from '../../helpers/fakes/prefix-cache.ts'
import { fakeApiKey } from '../../helpers/fakes/provider.ts'
import type { HttpAnswer, ReceivedRequest } from '../../helpers/fakes/server.ts'
import { countTokens } from '../../helpers/fakes/tokens.ts'

/** What a scripted model says to one call: text as it stands, and how it ends. */
export type Said = { text: string; stop: 'end' | 'length' | 'refusal' }

export type Exchange = { call: Call; said: Said; inputTokens: number; outputTokens: number }

export type InProcess = {
  fetch: typeof fetch
  /** In the order in which they came. */
  exchanges: Exchange[]
  /** Requests that the protocol refused: a fault of ours, not of the attacker. */
  refused: string[]
}

export function playInProcess(protocol: Protocol, speak: (call: Call) => Said): InProcess {
  const account = openAccount(protocol)
  const exchanges: Exchange[] = []
  const refused: string[] = []
  const refuse = (answer: HttpAnswer): Response => {
    refused.push(Buffer.concat(answer.frames).toString('utf8').slice(0, 300))
    return toResponse(answer)
  }
  return {
    exchanges,
    refused,
    async fetch(input, init = {}) {
      init.signal?.throwIfAborted()
      const request = receive(String(input instanceof Request ? input.url : input), init)
      const endpoint = protocol.route(request, account)
      if (isHttpAnswer(endpoint)) return refuse(endpoint)
      const call = endpoint.read(request, account)
      if (isHttpAnswer(call)) return refuse(call)
      const said = speak(call)
      const outputTokens = Math.min(countTokens(said.text), call.maxOutputTokens)
      const output = cut(said, call, outputTokens)
      exchanges.push({ call, said, inputTokens: call.usage.input, outputTokens })
      const frames = call.stream
        ? endpoint.frames(call, output, account)
        : [Buffer.from(JSON.stringify(endpoint.whole(call, output, account)))]
      const type = call.stream ? endpoint.streamType : 'application/json'
      return toResponse({ status: 200, headers: { 'content-type': type }, frames })
    },
  }
}

/** A real service stops at its limit, whatever the model would have gone on to say. */
function cut({ text, stop }: Said, call: Call, outputTokens: number): Output {
  const isLonger = countTokens(text) > call.maxOutputTokens
  const kept = isLonger ? text.slice(0, call.maxOutputTokens * 4) : text
  const base = { thinking: null, thinkingTokens: 0, outputTokens }
  if (call.answerTool !== null && stop === 'end' && !isLonger) {
    const input = asObject(kept)
    if (input) return { ...base, text: '', tool: { name: call.answerTool, input }, stop: 'tool' }
  }
  return { ...base, text: kept, tool: null, stop: isLonger ? 'length' : stop }
}

function asObject(text: string): { [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

function openAccount(protocol: Protocol): Account {
  let issued = 0
  return {
    keys: [fakeApiKey],
    models: protocol.models,
    limits: null,
    cache: new PrefixCache(),
    nextId: (prefix) => `${prefix}${String(++issued).padStart(24, '0')}`,
  }
}

function receive(url: string, init: RequestInit): ReceivedRequest {
  const { pathname, searchParams } = new URL(url)
  const text = typeof init.body === 'string' ? init.body : ''
  return {
    method: init.method ?? 'GET',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(new Headers(init.headers)),
    text,
    body: text === '' ? undefined : JSON.parse(text),
    outcome: 'answered',
  }
}

function toResponse({ status, headers, frames }: HttpAnswer): Response {
  return new Response(Buffer.concat(frames), { status, headers: { ...headers } })
}
