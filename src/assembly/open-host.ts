/**
 * From an address to its host: which server it is, whether a token may be sent there, and which one. The environment is
 * read here and nowhere below. docs/pull-requests.md lists the variables.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../base/errors.ts'
import type { HostSettings } from '../config/settings/hosts.ts'
import {
  type KnownHost,
  parseAddress,
  parseRepositoryAddress,
  usualForm,
  usualRoot,
} from '../hosts/remote/addresses.ts'
import type { ChangeAddress, HostAccess, HostFacts, RepositoryPlace } from '../hosts/remote/contract.ts'
import { allKinds, defaultApiUrl, factsOf } from '../hosts/remote/facts.ts'
import type { Host } from '../hosts/remote/host.ts'
import { hostOf } from '../hosts/remote/registry.ts'
import { openTransport, pauseName, WritePause } from '../hosts/remote/transport.ts'
import type { RepositoryReader } from '../hosts/repository/contract.ts'
import { type MarkerKeys, markerKeyOf } from '../pipeline/publish/sync/marker.ts'
import type { Services } from './services.ts'

export type OpenedHost = {
  host: Host
  address: ChangeAddress
  access: HostAccess
  /** To sign what is posted. */
  markerKeys: MarkerKeys
}

/** One pause for all that this process writes to a host; in the cache folder, for all processes of this tenant. */
const pauses = new Map<string, WritePause>()

type HostServices = Pick<Services, 'settings' | 'environment'> & Partial<Pick<Services, 'folders'>>

/** Throws `host-unknown`, and `usage` for an address that is no change request. */
export function openHost(url: string, services: HostServices): OpenedHost {
  const address = parseAddress(url, knownHosts(services))
  const access = accessTo(address, services)
  return {
    host: hostOf(address.kind),
    address,
    access,
    markerKeys: markerKeysOf(access, services.environment),
  }
}

export type OpenedRepository = { place: RepositoryPlace; reader: RepositoryReader }

/** One that is no change request, with the token that goes to its host. Throws `host-unknown`, and `usage` for another address. */
export function openHostedRepository(url: string, services: HostServices): OpenedRepository {
  const place = placeOf(url, services)
  return { place, reader: hostOf(place.kind).openRepository(place, accessTo(place, services)) }
}

/** The same, without reading a token. */
export function placeOf(url: string, services: Pick<Services, 'settings' | 'environment'>): RepositoryPlace {
  return parseRepositoryAddress(url, knownHosts(services))
}

/** Those that a token may be sent to, beside the public servers. */
export function knownHosts({
  settings,
  environment,
}: Pick<Services, 'settings' | 'environment'>): KnownHost[] {
  const ci = hostOfCi(environment)
  return [...Object.entries(settings.hosts).map(knownHost), ...(ci ? [ci] : [])]
}

function accessTo(place: RepositoryPlace, { settings, environment, folders }: HostServices): HostAccess {
  const file = pauseFile(folders?.cache ?? null, place)
  const pause = pauses.get(file ?? place.apiUrl) ?? new WritePause(file)
  pauses.set(file ?? place.apiUrl, pause)
  const credentials = credentialsFor(place, settings.hosts, environment, hostOfCi(environment))
  return { ...credentials, fetch: openTransport({ pause }) }
}

/** From SIGHTLINE_MARKER_SECRET, of which the first signs, and from the key of an App. A server gives its keys as such. */
function markerKeysOf(
  { app, tokenName }: Pick<HostAccess, 'app' | 'tokenName'>,
  environment: NodeJS.ProcessEnv,
): MarkerKeys {
  const { SIGHTLINE_MARKER_KEYS: made = '', SIGHTLINE_MARKER_LEGACY: legacy, GITHUB_ACTIONS } = environment
  const secrets = listed(environment.SIGHTLINE_MARKER_SECRET ?? '')
  const own = [...listed(made), ...(app ? [markerKeyOf(app.privateKey)] : [])]
  // All workflows of a repository share one account.
  const isOfWorkflow = GITHUB_ACTIONS === 'true' && tokenName === 'GITHUB_TOKEN'
  return {
    keys: [...secrets.map(markerKeyOf), ...own],
    legacy: legacy ?? secrets[0] ?? own[0] ?? '',
    isShared: secrets.length > 0 && isOfWorkflow,
  }
}

function listed(words: string): string[] {
  return words.split(',').filter((word) => word !== '')
}

function pauseFile(cache: string | null, { apiUrl }: RepositoryPlace): string | null {
  return cache && join(cache, 'pauses', pauseName(apiUrl))
}

function knownHost([name, { kind, url, apiUrl }]: [string, HostSettings[string]]): KnownHost {
  const webUrl = usualRoot(url ?? `https://${name}`)
  return { kind, webUrl, apiUrl: apiUrl ?? defaultApiUrl(kind, webUrl) }
}

/** The server that runs this job names itself, in variables that no change can set. */
function hostOfCi(environment: NodeJS.ProcessEnv): KnownHost | null {
  for (const kind of allKinds) {
    const { ci } = factsOf(kind)
    if (ci === null) continue
    const { flag, server, api } = ci
    const webUrl = server.exec(usualForm(environment[ci.webUrl] ?? ''))?.[0]
    const apiUrl = api ? environment[api.variable] : undefined
    const isOfKind = !api || api.form.test(apiUrl ?? '')
    if (environment[flag]?.toLowerCase() === 'true' && webUrl && isOfKind)
      return { kind, webUrl, apiUrl: apiUrl ?? defaultApiUrl(kind, webUrl) }
  }
  return null
}

/** A token for one host is never sent to another. */
function credentialsFor(
  { kind, host, webUrl }: RepositoryPlace,
  settings: HostSettings,
  environment: NodeJS.ProcessEnv,
  ci: KnownHost | null,
): Omit<HostAccess, 'fetch'> {
  // By its address: what people call it says nothing of where a token may go.
  const own = Object.entries(settings).find((entry) => knownHost(entry).webUrl === webUrl)?.[1]
  if (own) {
    const name = own.token ?? null
    return { token: (name && environment[name]) || null, tokenName: name }
  }
  const isOfCi = ci !== null && new URL(ci.webUrl).origin === new URL(webUrl).origin
  const { server, tokens, ci: job, app: appNames } = factsOf(kind)
  if (!isOfCi && (server === null || host !== new URL(server.webUrl).host))
    return { token: null, tokenName: null }
  const app = appNames && appOf(environment, appNames)
  const names = isOfCi ? [...new Set([...tokens, ...(job ? [job.token] : [])])] : tokens
  // In a job, the variables of CI systems are about its own server.
  const meant = ci !== null && !isOfCi ? names.filter((name) => !ciTokens.has(name)) : names
  const name = meant.find((one) => environment[one]) ?? null
  return { token: name && (environment[name] ?? null), tokenName: name, ...(app ? { app } : {}) }
}

const ciTokens: ReadonlySet<string> = new Set(allKinds.flatMap((kind) => factsOf(kind).ci?.token ?? []))

/** Throws `host-refused` for a key file that cannot be read. */
function appOf(
  environment: NodeJS.ProcessEnv,
  names: NonNullable<HostFacts['app']>,
): HostAccess['app'] | null {
  const { [names.id]: id, [names.key]: key } = environment
  if (!id || !key) return null
  if (key.includes('-----BEGIN')) return { id, privateKey: key }
  try {
    return { id, privateKey: readFileSync(key, 'utf8') }
  } catch (error) {
    throw new UserError('host-refused', `${names.key}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
