/** The indexer: builds the index of a frozen change for its tenant. Has no secret and no network. */
import { indexCollected } from '../../assembly/index-advice.ts'
import { openServices } from '../../assembly/services.ts'
import { frozenSource } from '../../hosts/frozen/frozen-change.ts'
import { collect } from '../../sightline.ts'
import type { RoleBody } from './contract.ts'

export const indexChange: RoleBody<'indexer'> = async (
  { environment, tenant, change, cache },
  { signal },
) => {
  const services = await openServices({ environment, tenant, cacheFolder: cache, signal })
  try {
    const collected = await collect(frozenSource(change), services)
    try {
      const built = await indexCollected(collected, services)
      return { role: 'indexer', ...(built ?? { files: 0, namesMs: 0, chunksMs: 0 }) }
    } finally {
      await collected.close()
    }
  } finally {
    await services.close()
  }
}
