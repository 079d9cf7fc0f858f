/** Which providers there are: those of the settings first, then those whose key lies in the environment. */
import { trimTrailing } from '../../base/trim-text.ts'
import type { ModelSettings, ProviderKind, ProviderSettings } from '../../config/settings/models.ts'
import type { Provider } from '../providers/contract.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type FoundProvider = Provider & {
  from: 'settings' | 'environment'
  /** Of `keysFrom`, what is set. */
  keysSet: readonly string[]
}

/** Everything that can be used or is described, in the order of choice. Values of keys are never read into it. */
export function findProviders({ providers }: ModelSettings, environment: Environment): FoundProvider[] {
  const described = Object.entries(providers).map(([name, settings]): FoundProvider => {
    const known = knownProviders.find((one) => one.name === name && one.kind === settings.kind)
    return {
      ...withAddress(settings, known, environment),
      ...keysOf(settings, known, environment),
      name,
      from: 'settings',
    }
  })
  const detected = knownProviders
    .filter(({ name, signs }) => !(name in providers) && signs.some((names) => areSet(names, environment)))
    .map((known) => fromEnvironment(known, environment))
  return [...described, ...detected]
}

/** A provider that is named in a role but not in the settings; null for an unknown one. */
export function knownProvider(name: string, environment: Environment): FoundProvider | null {
  const known = knownProviders.find((one) => one.name === name)
  return known ? fromEnvironment(known, environment) : null
}

function fromEnvironment(known: KnownProvider, environment: Environment): FoundProvider {
  const settings: ProviderSettings = { kind: known.kind }
  return {
    ...withAddress(settings, known, environment),
    ...keysOf(settings, known, environment),
    name: known.name,
    from: 'environment',
  }
}

function withAddress(
  settings: ProviderSettings,
  known: KnownProvider | undefined,
  environment: Environment,
): ProviderSettings {
  const like =
    known ?? knownProviders.find(({ kind }) => kind === settings.kind && kind !== 'openai-compatible')
  const value = (name: string | undefined) =>
    name === undefined ? undefined : environment[name] || undefined
  const baseUrl =
    settings.baseUrl ?? (known && addressFrom(value(known.baseUrlFrom))) ?? known?.defaultBaseUrl
  const region = settings.region ?? like?.regionFrom?.map(value).find((found) => found !== undefined)
  const resourceName = settings.resourceName ?? value(like?.resourceNameFrom)
  return {
    ...settings,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(region === undefined ? {} : { region }),
    ...(resourceName === undefined ? {} : { resourceName }),
  }
}

/** `OLLAMA_HOST` is often only `0.0.0.0` or `gpu:11434`; what is no address counts as none. */
function addressFrom(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const full = /^https?:\/\//.test(given) ? given : `http://${given}${/:\d+$/.test(given) ? '' : ':11434'}`
  if (!URL.canParse(full)) return undefined
  const url = new URL(full)
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  return `${url.origin}${trimTrailing(url.pathname, '/')}`
}

function keysOf(
  settings: ProviderSettings,
  known: KnownProvider | undefined,
  environment: Environment,
): Pick<FoundProvider, 'keysFrom' | 'keysSet' | 'keyIsOptional'> {
  const named = settings.keyFrom === undefined ? null : [settings.keyFrom]
  // Somebody else's address gets no key that was set for the usual one.
  const isOwnAddress = known === undefined && settings.baseUrl !== undefined
  const like = known ?? knownProviders.find(({ kind }) => kind === settings.kind)
  const usual =
    isOwnAddress || settings.kind === 'openai-compatible' ? (known?.signs ?? []) : (like?.signs ?? [])
  const complete = usual.find((names) => areSet(names, environment))
  const isAddress = (names: readonly string[]) => names.includes(known?.baseUrlFrom ?? '')
  const keysFrom = named ?? (complete ?? usual[0] ?? []).filter((name) => !isAddress([name]))
  return {
    keysFrom,
    keysSet: keysFrom.filter((name) => areSet([name], environment)),
    keyIsOptional: named === null && (known?.keyIsOptional ?? keysFrom.length === 0),
  }
}

function areSet(names: readonly string[], environment: Environment): boolean {
  return names.every((name) => environment[name] !== undefined && environment[name] !== '')
}

/**
 * Providers that need no settings: a key in the environment is enough. Model names are those of the SDK packages we pin
 * and of the price table (both of November 2026); the scout is a cheap one whose price is known, so that a budget holds.
 */
type KnownProvider = {
  name: string
  kind: ProviderKind
  /** What each of its users has set: all variables of one row. The first row that is complete counts. */
  signs: readonly (readonly string[])[]
  keyIsOptional: boolean
  /** Variables that name another address, region and resource. */
  baseUrlFrom?: string
  defaultBaseUrl?: string
  regionFrom?: readonly string[]
  resourceNameFrom?: string
}

/** In the order in which they are chosen when several are there. */
export const knownProviders: readonly KnownProvider[] = [
  {
    name: 'anthropic',
    kind: 'anthropic',
    signs: [['ANTHROPIC_API_KEY']],
    keyIsOptional: false,
    baseUrlFrom: 'ANTHROPIC_BASE_URL',
  },
  {
    name: 'openai',
    kind: 'openai',
    signs: [['OPENAI_API_KEY']],
    keyIsOptional: false,
    baseUrlFrom: 'OPENAI_BASE_URL',
  },
  {
    name: 'google',
    kind: 'google',
    signs: [['GOOGLE_GENERATIVE_AI_API_KEY'], ['GEMINI_API_KEY']],
    keyIsOptional: false,
  },
  {
    name: 'openrouter',
    kind: 'openai-compatible',
    signs: [['OPENROUTER_API_KEY']],
    keyIsOptional: false,
    defaultBaseUrl: 'https://openrouter.ai/api/v1',
  },
  {
    name: 'azure',
    kind: 'azure',
    signs: [['AZURE_API_KEY'], ['AZURE_OPENAI_API_KEY']],
    keyIsOptional: false,
    baseUrlFrom: 'AZURE_OPENAI_ENDPOINT',
    resourceNameFrom: 'AZURE_RESOURCE_NAME',
  },
  {
    name: 'bedrock',
    kind: 'bedrock',
    signs: [
      ['AWS_BEARER_TOKEN_BEDROCK'],
      ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
      ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
    ],
    keyIsOptional: false,
    regionFrom: ['AWS_REGION', 'AWS_DEFAULT_REGION'],
  },
  {
    name: 'ollama',
    kind: 'openai-compatible',
    signs: [['OLLAMA_HOST']],
    keyIsOptional: true,
    baseUrlFrom: 'OLLAMA_HOST',
    defaultBaseUrl: 'http://127.0.0.1:11434/v1',
  },
  {
    name: 'lmstudio',
    kind: 'openai-compatible',
    signs: [],
    keyIsOptional: true,
    defaultBaseUrl: 'http://127.0.0.1:1234/v1',
  },
]

type DefaultModels = { scout: string; reviewer: string }

/** By the name of a known provider, else by the kind of one from the settings. Azure and local servers have names of their own. */
export const defaultModels: Readonly<Record<string, DefaultModels>> = {
  anthropic: { scout: 'claude-haiku-4-5', reviewer: 'claude-sonnet-5-5' },
  openai: { scout: 'gpt-6-luna', reviewer: 'gpt-6-sol' },
  'openai-chat': { scout: 'gpt-6-luna', reviewer: 'gpt-6-sol' },
  google: { scout: 'gemini-3.5-flash-lite', reviewer: 'gemini-3.1-pro-preview' },
  openrouter: { scout: 'anthropic/claude-haiku-4.5', reviewer: 'anthropic/claude-sonnet-5' },
  bedrock: {
    scout: 'us.anthropic.claude-haiku-4-5-20251001-v1:0',
    reviewer: 'us.anthropic.claude-sonnet-5-5',
  },
}
