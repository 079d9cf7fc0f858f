/**
 * The live index of a tenant: lives as long as pushes come, keeps the indexes of their repositories at hand, and brings each
 * up to date before its change is reviewed. Has no secret and no network.
 */
import { openServices } from '../../assembly/services.ts'
import { WarmIndexes } from '../../assembly/warm-indexes.ts'
import { frozenSource } from '../../hosts/frozen/frozen-change.ts'
import { collect } from '../../sightline.ts'
import type { RoleBody } from './contract.ts'

/** Shares of the memory that it may use: above the first it keeps one repository only, above the second it ends. */
const shrinkShare = 0.5
const endShare = 0.75

export const keepIndexes: RoleBody<'live-index'> = async (order, { refreshes, report, signal }) => {
  const { environment, tenant, cache: cacheFolder, megabytes } = order
  const services = await openServices({ environment, tenant, cacheFolder, signal })
  try {
    if (services.folders.cache === null) throw new Error('there is no folder for indexes')
    const indexes = new WarmIndexes(services, services.folders.cache)
    for await (const { id, change } of refreshes) {
      const startedAt = performance.now()
      const read = await refresh(change)
      report({ type: 'refreshed', id, read, ms: performance.now() - startedAt })
      const share = process.memoryUsage.rss() / 2 ** 20 / megabytes
      if (share > endShare) break
      if (share > shrinkShare) indexes.shrink()
    }

    /** Null when it could not be indexed: the review does without, as it would have. */
    async function refresh(change: string): Promise<number | null> {
      try {
        const collected = await collect(frozenSource(change), services)
        try {
          return await indexes.refresh(collected)
        } finally {
          await collected.close()
        }
      } catch {
        return null
      }
    }
    return { role: 'live-index' }
  } finally {
    await services.close()
  }
}
