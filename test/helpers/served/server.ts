/** A whole server inside this process, on a connected host: webhooks in, jobs, and reviews on the host. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serve } from '../../../src/server/serve.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { shareForRoles } from '../kept-compiled.ts'
import { environment } from '../sightline.ts'
import type { ConnectedHost, ShownCheck } from './hosts.ts'

export type ServedServer = {
  url: string
  adminToken: string
  log: readonly string[]
  stop(): Promise<void>
}

export type ServedOptions = {
  host: ConnectedHost
  /** Home and data; those of another server are not shared. */
  folder: string
  secretKey?: string | null
  /** Where the host is reached; not always as it calls itself. */
  hostUrl?: string
  settings?: Record<string, unknown>
  env?: Record<string, string>
}

export async function startServed(options: ServedOptions): Promise<ServedServer> {
  const { host, folder, secretKey = null, hostUrl = host.url, settings = {}, env = {} } = options
  const dataFolder = join(folder, 'data')
  await shareForRoles(dataFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const adminToken = 'an admin token that is long enough for all'
  const ending = new AbortController()
  const log: string[] = []
  let ended: Promise<void> = Promise.resolve()
  const url = await new Promise<string>((resolve, reject) => {
    ended = serve(
      {
        settings: ServerSettings.parse({
          listen: { port: 0 },
          connections: { host: { ...host.connection(), url: hostUrl } },
          ...settings,
        }),
        secrets: {
          ...{ databaseUrl: null, secretKey, adminToken, metricsToken: null, clientSecrets: {} },
          connections: { host: { ...host.secrets } },
        },
        ...{ dataFolder, path: null },
      },
      {
        environment: environment({ HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder, ...env }),
        signal: ending.signal,
        writeLog: (line) => log.push(line),
        onReady: (ready) => resolve(ready.url),
      },
    )
    ended.catch(reject)
  })
  return {
    ...{ url, adminToken, log },
    stop() {
      ending.abort()
      return ended
    },
  }
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
