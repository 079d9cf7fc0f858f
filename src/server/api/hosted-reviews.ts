/** What asked for reviews on a server, and how each ended, for whoever may see the repository. */
import type { Database } from '../database/contract.ts'
import { type Caller, namesWithin } from '../http/caller.ts'
import { Refused } from '../http/contract.ts'
import { listTriggers, readTrigger } from '../intake/triggers.ts'
import type { ServerSettings } from '../settings/schema.ts'
import { shownBefore } from './cursors.ts'
import { hostOf } from './hosted-repositories.ts'
import type { Handlers } from './routes.ts'

export function reviewHandlers({
  database,
  settings,
}: {
  database: Database
  settings: ServerSettings
}): Pick<Handlers, 'reviews' | 'review'> {
  const connections = Object.keys(settings.connections)
  /** Triggers name the connection where callers name its host. */
  const within = (caller: Caller) =>
    namesWithin(caller)?.flatMap((name) =>
      connections.flatMap((connection) => {
        const host = `${hostOf(settings, connection)}/`
        return name.startsWith(host) ? [`${connection}/${name.slice(host.length)}`] : []
      }),
    ) ?? null
  return {
    async reviews({ caller, query: { cursor, limit } }) {
      const offset = shownBefore(cursor)
      const found = await listTriggers(database, caller.tenant, { offset, limit: limit + 1 }, within(caller))
      return { items: found.slice(0, limit), next: found.length > limit ? String(offset + limit) : null }
    },
    async review({ caller, parameters: { review = '' } }) {
      const found = await readTrigger(database, caller.tenant, review, within(caller))
      if (!found) throw new Refused(404, 'There is no such review.')
      return found
    },
  }
}
