/** What a fake provider is made of: a protocol that reads calls and writes answers, and an account that pays for them. */
import type { PrefixCache } from './prefix-cache.ts'
import type { RateLimits } from './scenario/schema.ts'
import type { HttpAnswer, ReceivedRequest } from './server.ts'

export type JsonObject = { [key: string]: unknown }

/** What a model of the fake can do, and what the real one would refuse. Tokens. */
export type FakeModel = {
  contextWindow: number
  maxOutputTokens: number
  /** Refuses `temperature`, `top_p` and `top_k`. */
  rejectsSampling?: boolean
  /** Refuses a tool choice that forces a tool. */
  rejectsForcedTools?: boolean
  /** Refuses a native JSON schema. */
  noStructuredOutput?: boolean
  /** Takes tools or a JSON shape, not both. */
  toolsOrJson?: boolean
  /** Refuses cache marks; streams no tool calls. */
  isPlain?: boolean
  /** Thinks before it answers; OpenAI's then want `max_completion_tokens`. */
  reasons?: boolean
  /** The shortest prefix that is cached. */
  cacheFrom?: number
}

export type Account = {
  /** Any of them is accepted; none: no key is asked for. */
  keys: readonly string[]
  models: Readonly<Record<string, FakeModel>>
  limits: RateLimits | null
  cache: PrefixCache
  /** Counts up within one server, so that two runs get the same ids. */
  nextId(prefix: string): string
}

/** One understood request for an answer. */
export type Call = {
  request: ReceivedRequest
  model: string
  stream: boolean
  /** All words of the prompt in order: system, then turns. */
  prompt: string
  /** The words of the last turn only. */
  lastTurn: string
  /** The schema that the provider itself enforces on the answer. */
  schema: { name: string | null; schema: JsonObject } | null
  /** The tool through which an answer has to be given, if there is one. */
  answerTool: string | null
  maxOutputTokens: number
  usage: InputUsage
}

export type InputUsage = {
  /** All of the prompt, cached or not. */
  input: number
  cacheRead: number
  cacheWrite: number
  /** Of `cacheWrite`, what is kept for an hour. */
  cacheWriteHour?: number
}

export type Output = {
  text: string
  thinking: string | null
  /** An answer through a tool; `text` then comes before it. */
  tool: { name: string; input: JsonObject } | null
  stop: 'end' | 'length' | 'refusal' | 'tool'
  outputTokens: number
  thinkingTokens: number
}

export type FailureKind = 'rate-limit' | 'quota' | 'overloaded' | 'server-error' | 'unexpected'

export type Failure = { kind: FailureKind; message?: string; retryAfterSeconds?: number }

/** One way in which a protocol is asked for an answer. */
export type Endpoint = {
  /** A call, or the very refusal the real service sends. */
  read(request: ReceivedRequest, account: Account): Call | HttpAnswer
  whole(call: Call, output: Output, account: Account): unknown
  /** One frame for each event. */
  frames(call: Call, output: Output, account: Account): Uint8Array[]
  streamType: string
  /** The event that says that the answer breaks off. */
  errorFrame(failure: Failure): Uint8Array
}

export interface Protocol {
  maxBodyBytes: number
  models: Readonly<Record<string, FakeModel>>
  /** What the base URL of a provider package ends with. */
  basePath: string
  tooLarge(): HttpAnswer
  /** An endpoint; or at once an answer: a model list, an unknown path, a wrong key. */
  route(request: ReceivedRequest, account: Account): Endpoint | HttpAnswer
  failure(failure: Failure): HttpAnswer
  /** Headers on each answer that tell how much of the rate limits is left. */
  limitHeaders?(limits: RateLimits, usedRequests: number): Record<string, string>
  /** Headers on each answer. */
  headers?(account: Account): Record<string, string>
}

export function isHttpAnswer(value: object): value is HttpAnswer {
  return 'status' in value
}
