/**
 * The hosts that this server is connected to: their webhook secrets, whose tenant something is, and access to one
 * repository. Tokens of a GitHub App are minted for one repository and one purpose, and only here is its key known.
 */
import { type GitHubApp, openGitHubApp } from '../../hosts/github/app.ts'
import type { Permissions } from '../../hosts/github/client.ts'
import { Refused } from '../../hosts/remote/answers.ts'
import type { HostAccess, RepositoryPlace } from '../../hosts/remote/contract.ts'
import { factsOf } from '../../hosts/remote/facts.ts'
import { hostOf } from '../../hosts/remote/registry.ts'
import { openTransport, type TransportOptions, WritePause } from '../../hosts/remote/transport.ts'
import type { MissingRight } from '../../hosts/rights/contract.ts'
import { markerKeyOf } from '../../pipeline/publish/sync/marker.ts'
import type { Database } from '../database/contract.ts'
import { openPause } from '../jobs/pauses.ts'
import type { Secrets } from '../settings/load.ts'
import type { Connection, ServerSettings } from '../settings/schema.ts'
import { appPermissions, grantedOf, missingRightsOf } from './app-rights.ts'
import { type AppCredentials, readApp } from './app-store.ts'
import { addressesOf } from './host-addresses.ts'
import { readInstallation, rememberInstallations } from './installations.ts'
import type { Sealer } from './sealed-secrets.ts'

export type Purpose = 'collect' | 'publish' | 'read'

/** `pause`: until when nothing is written with it. */
export type PausedAccess = HostAccess & { readonly pause: WritePause }

export interface HostConnection extends Pick<RepositoryPlace, 'kind' | 'host' | 'webUrl' | 'apiUrl'> {
  readonly name: string
  /** The newest first; empty while there is none, and then every webhook is refused. */
  webhookSecrets(): Promise<string[]>
  /** Whose everything of it is; null for an installation that the host does not know, or that was suspended. */
  tenantOf(installation: string | null, signal: AbortSignal): Promise<string | null>
  /** For one repository. Throws `change-request-unknown`, `host-refused`, `host-unavailable`. */
  open(
    repository: { installation: string | null; id: string },
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<PausedAccess>
  /**
   * To sign what is posted: of what stays the same when the database, the data folder or `secretKey` is lost, and is the
   * same on another server.
   */
  markerKeys(): Promise<string[]>
  /** Null for anything but a GitHub App that exists. */
  app(): Promise<GitHubApp | null>
  /** It has a token, and so no App. */
  readonly hasToken: boolean
  /** Repositories that the settings name without a pattern. */
  readonly named: readonly string[]
  /**
   * What the App does not allow, of one installation or of all, or the token and its account in these repositories
   * (`owner/name`), as far as the host tells; each once. Throws `host-refused`, `host-unavailable`.
   */
  missingRights(
    about: { installation: string | null; repositories: readonly string[] },
    signal: AbortSignal,
  ): Promise<MissingRight[]>
  /** Reads from the host who installed the App now. */
  refreshInstallations(signal: AbortSignal): Promise<void>
}

/** What each step needs of a repository on GitHub, and nothing else. */
const permissionsFor: Readonly<Record<Purpose, Permissions>> = {
  read: { contents: 'read', issues: 'read', metadata: 'read', pull_requests: 'read' },
  collect: { contents: 'read', issues: 'read', metadata: 'read', pull_requests: 'read' },
  publish: appPermissions,
}

/** How long what another process may have changed is believed. */
const believedMs = 30_000

export type ConnectionParts = {
  settings: ServerSettings
  secrets: Secrets
  database: Database
  /** The server's data folder: in it, this process waits for what publishers were asked to wait for. */
  data?: string
  sealer: Sealer
  fetch?: typeof globalThis.fetch
  /** As in `TransportOptions`. */
  sleep?: TransportOptions['sleep']
  now?: () => number
}

export function openConnections(parts: ConnectionParts): ReadonlyMap<string, HostConnection> {
  return new Map(
    Object.entries(parts.settings.connections).map(([name, connection]) => [
      name,
      openConnection(name, connection, parts),
    ]),
  )
}

export function namedIn({ repositories }: Pick<Connection, 'repositories'>): string[] {
  return repositories.filter((glob) => !/[*?[\]{}!]/.test(glob))
}

function openConnection(name: string, connection: Connection, parts: ConnectionParts): HostConnection {
  const { database, sealer, fetch, sleep, now = Date.now } = parts
  const given = parts.secrets.connections[name]
  const { webUrl, apiUrl } = addressesOf(connection)
  const sendWith = (pause: WritePause) => ({
    pause,
    fetch: openTransport({ pause, now, ...(fetch ? { fetch } : {}), ...(sleep ? { sleep } : {}) }),
  })
  const shared = sendWith(new WritePause())
  let known: { app: AppCredentials; until: number } | null = null
  const credentials = async (): Promise<AppCredentials | null> => {
    if (!factsOf(connection.kind).app || given?.token) return null
    if (connection.appId && given?.appKey)
      return { id: connection.appId, privateKey: given.appKey, webhookSecret: given.webhookSecret ?? '' }
    if (known && known.until >= now()) return known.app
    const found = await readApp(database, sealer, name)
    // That there is none yet is asked again each time: its first webhook comes right after it was made.
    known = found && { app: found, until: now() + believedMs }
    return found
  }
  const app = async (): Promise<GitHubApp | null> => {
    const found = await credentials()
    return found && openGitHubApp({ apiUrl, app: found, fetch: shared.fetch })
  }
  const tokens = new Map<string, { token: string; until: number }>()
  const refreshInstallations = async (signal: AbortSignal) => {
    const found = await (await app())?.listInstallations(signal)
    if (found)
      await rememberInstallations(database, { connection: name, tenant: connection.tenant ?? null }, found)
  }
  const tenantOf = async (installation: string | null, signal: AbortSignal) => {
    if (installation === null) return connection.tenant ?? name
    const row = await readInstallation(database, name, installation)
    if (row) return row.isActive ? row.tenant : null
    await refreshInstallations(signal)
    const fresh = await readInstallation(database, name, installation)
    return fresh?.isActive ? fresh.tenant : null
  }
  /** Whatever is written of one tenant waits together, on all servers, also when it was a read that was asked to wait. */
  const sendingFor = async (installation: string | null, signal: AbortSignal) => {
    const tenant = parts.data ? await tenantOf(installation, signal) : null
    return tenant && parts.data
      ? sendWith(await openPause(database, { data: parts.data, tenant, apiUrl }))
      : shared
  }
  return {
    name,
    kind: connection.kind,
    host: new URL(webUrl).host,
    webUrl,
    apiUrl,
    hasToken: Boolean(given?.token),
    named: namedIn(connection),
    app,
    refreshInstallations,
    async webhookSecrets() {
      const own = [given?.webhookSecret, given?.previousWebhookSecret].filter(
        (each) => typeof each === 'string',
      )
      if (own.length > 0) return own
      const made = await credentials()
      return made?.webhookSecret ? [made.webhookSecret] : []
    },
    async markerKeys() {
      const key = (await credentials())?.privateKey
      const secrets = [key, given?.webhookSecret, given?.previousWebhookSecret]
      return secrets.filter((secret) => typeof secret === 'string').map(markerKeyOf)
    },
    async missingRights({ installation, repositories }, signal) {
      const found = await app()
      if (found) return await missingRightsOf(found, installation, signal)
      const token = given?.token
      if (!token) return []
      const access = { token, fetch: shared.fetch }
      return await hostOf(connection.kind).rights.readMissing({ apiUrl, repositories }, access, signal)
    },
    tenantOf,
    async open({ installation, id }, purpose, signal) {
      const own = await sendingFor(installation, signal)
      const minter = installation === null ? null : await app()
      if (!minter || installation === null)
        return { token: given?.token ?? null, tokenName: `connections.${name}.token`, ...own }
      const key = `${installation}/${id}/${purpose}`
      const held = tokens.get(key)
      if (held && held.until > now()) return { token: held.token, tokenName: 'the GitHub App', ...own }
      const wanted = { installation, repositoryId: id, permissions: permissionsFor[purpose] }
      const made = await minter.mintToken(wanted, signal).catch(async (error: unknown) => {
        if (!(error instanceof Refused) || error.status !== 422) throw error
        const all = await minter.listInstallations(signal)
        const granted = all.find((one) => one.id === installation)?.permissions ?? {}
        const permissions = grantedOf(wanted.permissions, granted)
        return await minter.mintToken({ ...wanted, permissions }, signal)
      })
      for (const [other, { until }] of tokens) if (until <= now()) tokens.delete(other)
      // Ten minutes before it ends, so that a review that begins with it can end with it.
      tokens.set(key, { token: made.token, until: made.expiresAt - 10 * 60_000 })
      return { token: made.token, tokenName: 'the GitHub App', ...own }
    },
  }
}
