/**
 * A whole server inside this process, roles and all, on a connected host: webhooks in, jobs, and reviews on the host. Servers
 * and roles in processes of their own: `test/server/server-world.ts`.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Database } from '../../../src/server/database/contract.ts'
import type { RunRole } from '../../../src/server/roles/run-role.ts'
import { serve } from '../../../src/server/serve.ts'
import type { LoadedServerSettings, Secrets } from '../../../src/server/settings/load.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { openEmptyDatabase } from '../empty-database.ts'
import { shareForRoles } from '../kept-compiled.ts'
import { noSecrets } from '../no-secrets.ts'
import { runRoleHere } from '../role-here.ts'
import { environment } from '../sightline.ts'
import type { ConnectedHost } from './hosts.ts'
import type { ShownCheck } from './token-hosts.ts'

/** Nobody waits as long between two attempts as a server of users does. */
const patience = 0.02

export type ServedServer = {
  url: string
  adminToken: string
  log: readonly string[]
  stop(): Promise<void>
}

type HereOptions = {
  /** Home and data; those of another server are not shared. */
  folder: string
  settings: Record<string, unknown>
  connections: Secrets['connections']
  secretKey?: string | null
  env?: Record<string, string>
  /** What another server leaves to it, and still open at its end; an empty one of its own when not given. */
  database?: Database
  runRole?: RunRole
}

export async function serveHere(options: HereOptions): Promise<ServedServer> {
  const { folder, settings, connections, secretKey = null, env = {} } = options
  const adminToken = 'an-admin-token-that-is-long-enough'
  const loaded = {
    settings: ServerSettings.parse({ listen: { port: 0 }, ...settings }),
    ...{
      secrets: { ...noSecrets, secretKey, adminToken, connections },
      dataFolder: join(folder, 'data'),
      path: null,
    },
  }
  const home = { HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder }
  const database = options.database ?? (await openEmptyDatabase())
  const server = await serveLoaded(loaded, { ...options, environment: { ...home, ...env }, database })
  return {
    ...{ ...server, adminToken },
    async stop() {
      await server.stop()
      if (!options.database) await database.close()
    },
  }
}

/** With settings as the command reads them. */
export async function serveLoaded(
  loaded: LoadedServerSettings,
  { environment: own, database, runRole = runRoleHere }: LoadedOptions,
): Promise<Omit<ServedServer, 'adminToken'>> {
  await shareForRoles(loaded.dataFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const ending = new AbortController()
  const log: string[] = []
  let ended: Promise<void> = Promise.resolve()
  const url = await new Promise<string>((resolve, reject) => {
    ended = serve(loaded, {
      ...{ environment: environment(own), signal: ending.signal, runRole },
      ...(database ? { database } : {}),
      patience,
      writeLog: (line) => log.push(line),
      onReady: (ready) => resolve(ready.url),
    })
    ended.catch(reject)
  })
  return {
    ...{ url, log },
    async stop() {
      ending.abort()
      await ended
    },
  }
}

/** `database`: that of the settings when not given. */
type LoadedOptions = Pick<HereOptions, 'runRole' | 'database'> & { environment: Record<string, string> }

export type ServedOptions = Omit<HereOptions, 'settings' | 'connections'> & {
  host: ConnectedHost
  /** Where the host is reached; not always as it calls itself. */
  hostUrl?: string
  settings?: Record<string, unknown>
}

export function startServed({ host, hostUrl = host.url, settings, ...options }: ServedOptions) {
  const connections = { host: { ...host.connection(), url: hostUrl } }
  return serveHere({
    ...options,
    settings: { connections, ...settings },
    connections: { host: { ...host.secrets } },
  })
}

/** The check of this commit, once it waits for nothing more. `isIt`: of several, which end is meant. */
export async function endOfCheck(
  host: ConnectedHost,
  server: Pick<ServedServer, 'log'>,
  commit: string = host.change.head,
  isIt: (check: ShownCheck) => boolean = () => true,
): Promise<ShownCheck> {
  const since = performance.now()
  for (;;) {
    const check = host.check(commit)
    if (check?.isEnded && isIt(check)) return check
    if (performance.now() - since > 240_000)
      throw new Error(
        `no end of the check on ${host.kind}: ${JSON.stringify(check)}\n${server.log.join('\n')}`,
      )
    await delay(50)
  }
}

/** Every state that the check had, as somebody sees it who looks often. */
export function watchCheck(host: ConnectedHost): ShownCheck[] {
  const seen: ShownCheck[] = []
  const look = () => {
    const check = host.check(host.change.head)
    if (check && check.title !== seen.at(-1)?.title) seen.push(check)
  }
  const timer = setInterval(look, 20)
  onTestFinished(() => clearInterval(timer))
  return seen
}
