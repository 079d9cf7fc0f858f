/**
 * Indexes of repositories, built after their reviews: one at a time and at low priority, so that the next push is reviewed
 * against an index that lacks only what the push changed. All workers of a machine share them, for one tenant each.
 */

import { join } from 'node:path'
import { type RoleAccount, runRole } from '../roles/run-role.ts'
import type { ProcessParts } from './job-roles.ts'
import type { LiveIndexes } from './live-indexes.ts'
import { type JobPlaces, placesOf } from './places.ts'

export type Indexing = {
  /** Takes over the folders of a job that was reviewed, and removes them in the end. */
  add(tenant: string, repository: string, own: JobPlaces): void
  /** Ends what is under way. */
  stop(): Promise<void>
}

type Waiting = { tenant: string; repository: string; own: JobPlaces }

/** `live`: keeps at hand what was indexed. */
export function openIndexing(
  { data, limits, isBoxed, compiled }: ProcessParts,
  onEnd: (tenant: string, account: RoleAccount) => void,
  live: LiveIndexes | null = null,
): Indexing {
  const waiting: Waiting[] = []
  const stop = new AbortController()
  let running: Promise<void> | null = null

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { tenant, own } = next
      const places = placesOf(data, tenant)
      const account = await runRole({
        folder: own.roles.indexer,
        readable: [own.frozen],
        writable: [places.cacheOwn],
        isBoxed,
        compiled,
        hasNetwork: false,
        limits: limits.indexer,
        signal: stop.signal,
        order: {
          role: 'indexer',
          tenant,
          change: own.frozen,
          cache: places.cache,
          environment: { XDG_STATE_HOME: join(own.roles.indexer, 'home') },
        },
      })
      // From now on it is at hand.
      if (account.end.kind === 'done') await live?.refresh(tenant, next.repository, own.frozen)
      own.remove()
      onEnd(tenant, account)
    }
  }

  return {
    add(tenant, repository, own) {
      // Of one repository, the newest is enough.
      const at = waiting.findIndex((one) => one.tenant === tenant && one.repository === repository)
      if (at >= 0) for (const older of waiting.splice(at, 1)) older.own.remove()
      waiting.push({ tenant, repository, own })
      running ??= work().finally(() => {
        running = null
      })
    },
    async stop() {
      for (const { own } of waiting.splice(0)) own.remove()
      stop.abort()
      await running
    },
  }
}
