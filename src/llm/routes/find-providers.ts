/** Which providers there are: those of the settings first, then those whose key lies in the environment. */
import { trimTrailing } from '../../base/trim-text.ts'
import type { ModelSettings, ProviderSettings } from '../../config/settings/models.ts'
import type { Provider } from '../providers/contract.ts'
import { type KnownProvider, knownProviders } from './known-providers.ts'

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

/** A provider that is named in a role without standing in the settings; null when nobody knows it. */
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
  const baseUrl = settings.baseUrl ?? (known && addressFrom(value(known.baseUrlFrom))) ?? known?.usualBaseUrl
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
