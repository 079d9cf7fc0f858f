/** What a provider of models is to us: how it is reached, how a model of it is opened, and its way of marking a cache. */
import type { LanguageModel, streamText } from 'ai'
import { trimTrailing } from '../../base/trim-text.ts'
import type { ProviderKind, ProviderSettings } from '../../config/settings/models.ts'

/** A model object of the AI SDK. Never its name: a name would go to somebody else's gateway. */
export type Model = Exclude<LanguageModel, string>

/** Options for one provider among many; each provider reads only its own. */
export type Dialect = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>

/** A provider with its name in the settings, as it is reached. Plain data without keys, so that a run can keep it. */
export type Provider = ProviderSettings & {
  name: string
  /** Environment variables that hold the key, or all parts of it, in this order. Empty: no key is needed. */
  keysFrom: readonly string[]
  /** True when the provider works without its key (a server of one's own). */
  keyIsOptional: boolean
}

export type OpenOptions = {
  provider: Provider
  /** The model's own name, without that of the provider. */
  model: string
  /** The value of a variable of `keysFrom`; empty when it is not set. */
  secret: (name: string) => string
  /** The journal stands in for it. */
  fetch: typeof fetch
}

export type Effort = 'none' | 'low' | 'medium' | 'high'

export type CallTraits = {
  provider: Provider
  model: string
  /** The same for prompts that begin alike, for providers that route by it. */
  cacheKey: string
}

export interface ProviderFamily {
  /** Loads the library of this provider, which takes a moment, and opens a model. Nothing is sent. */
  open(options: OpenOptions): Promise<Model>
  /** Whether models take a JSON schema, when the settings do not say. */
  readonly structuredOutput: 'native' | 'prompt'
  /** The schema has to stand in the prompt too: the SDK offers it as a tool that the model may leave alone. */
  needsWords?(model: string): boolean
  /** Options on the whole call. */
  callOptions?(traits: CallTraits): Dialect
  /** The mark after a part that is worth caching; null where the provider caches by itself. */
  cacheMark?(lifetime: '5m' | '1h', traits: Pick<CallTraits, 'provider' | 'model'>): Dialect | null
  /** The wanted amount of thinking as this model accepts it; null where it accepts none. */
  effortFor(wanted: Effort, traits: Pick<CallTraits, 'provider' | 'model'>): Effort | null
  /** US dollars that the provider itself says it took, from the raw usage. */
  billedUsd?(rawUsage: Readonly<Record<string, unknown>>): number | null
  /** How the price table names the provider; null when it has no prices for it. */
  priceTable(provider: Provider): string | null
}

export type Families = Readonly<Record<ProviderKind, ProviderFamily>>

/** A base URL as the SDKs want it, without a slash at the end: `http://gpu:8000` → `http://gpu:8000/v1`; a given path stays. */
export function baseUrl(given: string | undefined, fallback: string): string {
  if (given === undefined) return fallback
  const url = new URL(given)
  const path = trimTrailing(url.pathname, '/')
  return `${url.origin}${path === '' ? trimTrailing(new URL(fallback).pathname, '/') : path}`
}
