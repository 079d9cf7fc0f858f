/** Runs one fake provider: reads calls by the rules of its protocol and answers them by its scenario. */
import type { Account, Call, Endpoint, Protocol } from './contract.ts'
import { isHttpAnswer } from './contract.ts'
import { PrefixCache } from './prefix-cache.ts'
import { RequestWindow } from './request-window.ts'
import { composeOutput } from './scenario/answer-text.ts'
import { loadScenario } from './scenario/load.ts'
import { RateLimits, type ScenarioFile } from './scenario/schema.ts'
import { type Scenario, Script, type TakenStep } from './scenario/script.ts'
import { type HttpAnswer, jsonAnswer, type ReceivedRequest, serve } from './server.ts'
import { shapeDelivery } from './shape-delivery.ts'

export type FakeProvider = {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** What a provider package takes as its base URL. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Everything that arrived, refused requests too. */
  readonly requests: readonly ReceivedRequest[]
  /** The requests that were understood and answered by a step. */
  readonly calls: readonly { call: Call; answer: string }[]
  /** What was wrong with the scenario itself; a test should find this empty. */
  readonly mistakes: readonly string[]
  /** Steps nobody took, by their place from 0. */
  untakenSteps(): number[]
  /** As if the time to live of all cached prompts had passed. */
  expireCache(): void
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type FakeProviderOptions = {
  port?: number
  /** Keys that are accepted; one when not given. An empty list asks for none. */
  keys?: readonly string[]
  /** Milliseconds; for the rate limits only. */
  now?: () => number
  /** Told of each answer in a line of words. */
  onAnswer?: (line: string) => void
}

export const fakeApiKey = 'sk-fake-0123456789abcdef'

/** The scenario is a value, the name of a file in test/fixtures/scenarios, or a path. */
export async function runProvider(
  protocol: Protocol,
  scenario: Scenario | string,
  options: FakeProviderOptions = {},
): Promise<FakeProvider> {
  const script = typeof scenario === 'string' ? loadScenario(scenario) : scenario
  const steps = new Script(script.steps)
  const account = openAccount(protocol, script, options)
  const window = account.limits && new RequestWindow(account.limits, options.now ?? Date.now)
  const calls: { call: Call; answer: string }[] = []
  const mistakes: string[] = []

  const handle = (request: ReceivedRequest): HttpAnswer => {
    const endpoint = protocol.route(request, account)
    if (isHttpAnswer(endpoint)) return endpoint
    const retryAfterSeconds = window?.enter() ?? null
    if (retryAfterSeconds !== null) return protocol.failure({ kind: 'rate-limit', retryAfterSeconds })
    const call = endpoint.read(request, account)
    if (isHttpAnswer(call)) return call
    const taken = steps.take(call)
    if (!taken) return blame(`No step of the scenario is left for call ${calls.length + 1}.`)
    calls.push({ call, answer: taken.step.answer })
    try {
      const answer = play(protocol, endpoint, account, call, taken)
      const { heldUntil: until } = taken
      return until === undefined ? answer : { ...answer, delivery: { kind: 'held', until } }
    } catch (error) {
      return blame(error instanceof Error ? error.message : String(error))
    }
  }
  const blame = (message: string): HttpAnswer => {
    mistakes.push(message)
    return protocol.failure({ kind: 'unexpected', message: `Fake provider: ${message}` })
  }
  const dress = (answer: HttpAnswer): HttpAnswer => ({
    ...answer,
    headers: {
      ...protocol.headers?.(account),
      ...(account.limits && window ? protocol.limitHeaders?.(account.limits, window.used) : {}),
      ...answer.headers,
    },
  })

  const tell = (request: ReceivedRequest, answer: HttpAnswer): HttpAnswer => {
    const how = answer.delivery ? `, ${answer.delivery.kind}` : ''
    options.onAnswer?.(`${request.method} ${request.path} → ${answer.status}${how}`)
    return answer
  }
  const server = await serve((request) => tell(request, dress(handle(request))), {
    ...(options.port === undefined ? {} : { port: options.port }),
    maxBodyBytes: protocol.maxBodyBytes,
    tooLarge: () => dress(protocol.tooLarge()),
  })
  return {
    url: server.url,
    baseUrl: `${server.url}${protocol.basePath}`,
    apiKey: account.keys[0] ?? '',
    requests: server.requests,
    calls,
    mistakes,
    untakenSteps: () => steps.untaken(),
    expireCache: () => account.cache.expire(),
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  }
}

function openAccount(
  protocol: Protocol,
  script: ScenarioFile | Scenario,
  options: FakeProviderOptions,
): Account {
  let issued = 0
  return {
    keys: options.keys ?? [fakeApiKey],
    models: { ...protocol.models, ...withDefaults(script.models) },
    limits: script.limits ? RateLimits.parse(script.limits) : null,
    cache: new PrefixCache(),
    nextId: (prefix) => {
      issued += 1
      return `${prefix}${String(issued).padStart(24, '0')}`
    },
  }
}

function withDefaults(models: Scenario['models']): Account['models'] {
  return Object.fromEntries(
    Object.entries(models ?? {}).map(([name, model]) => [
      name,
      { contextWindow: 200_000, maxOutputTokens: 64_000, ...model },
    ]),
  )
}

function play(
  protocol: Protocol,
  endpoint: Endpoint,
  account: Account,
  call: Call,
  { step, answerFrom }: TakenStep,
): HttpAnswer {
  switch (step.answer) {
    case 'rate-limit':
    case 'overloaded':
      return protocol.failure({
        kind: step.answer,
        ...(step.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: step.retryAfterSeconds }),
      })
    case 'quota':
    case 'server-error':
      return protocol.failure({ kind: step.answer })
    case 'reset':
      return { status: 200, headers: {}, frames: [], delivery: { kind: 'reset' } }
    case 'empty-body':
      return {
        status: 200,
        headers: { 'content-type': call.stream ? endpoint.streamType : 'application/json' },
        frames: [],
      }
    case 'web-page':
      return {
        status: step.status,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        frames: [Buffer.from('<!doctype html><title>Sign in</title><p>Please sign in to the proxy.</p>')],
      }
    default: {
      const output = composeOutput({ step, answerFrom }, call)
      const answer = call.stream
        ? {
            status: 200,
            headers: { 'content-type': endpoint.streamType, 'cache-control': 'no-cache' },
            frames: endpoint.frames(call, output, account),
          }
        : jsonAnswer(200, endpoint.whole(call, output, account))
      return shapeDelivery(answer, step.delivery, { protocol, endpoint, stream: call.stream })
    }
  }
}
