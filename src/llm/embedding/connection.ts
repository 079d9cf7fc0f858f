/** Where a provider is reached and with which key: from the settings and the environment. */
import { trimTrailing } from '../../base/trim-text.ts'
import type { Endpoint } from './post-json.ts'
import { RemoteError } from './remote-error.ts'

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

type Settings = { baseUrl?: string | undefined; keyFrom?: string | undefined }

/**
 * A base URL without a path gets that of the usual one (`http://gpu:8000` → `http://gpu:8000/v1`). Throws `RemoteError`
 * with `no-key`; at an address of one's own a key is not insisted on.
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

/** For the id of an embedder: the same model elsewhere may be another one. */
export function providerName(kind: string, baseUrl: string | undefined): string {
  return baseUrl === undefined ? kind : `${kind} at ${baseUrl}`
}

function rootOf(defaults: ProviderDefaults, baseUrl: string | undefined): string {
  if (baseUrl === undefined) return defaults.baseUrl
  const url = new URL(baseUrl)
  const path = trimTrailing(url.pathname, '/')
  return `${url.origin}${path === '' ? new URL(defaults.baseUrl).pathname : path}`
}
