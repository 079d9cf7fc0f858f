/** The collector: reads a change request with a host's token, and freezes it into a folder. Has no key of a model. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openChangeRequest } from '../../assembly/change-request.ts'
import { openServices } from '../../assembly/services.ts'
import { writeFrozen } from '../../hosts/frozen/frozen-change.ts'
import { collect } from '../../sightline.ts'
import type { RoleBody } from './contract.ts'

export const collectChangeRequest: RoleBody<'collector'> = async (order, { report, signal }) => {
  const services = await openServices({
    environment: order.environment,
    tenant: order.tenant,
    cacheFolder: order.cache,
    signal,
    onEvent: (event) => {
      if (event.type === 'stage-start') report({ type: 'stage', stage: event.stage })
    },
  })
  try {
    const { repositoryId } = order
    const { source, ticket } = openChangeRequest(order.address, services, { repositoryId, mustBeOpen: true })
    const change = await collect(source, services, { ticket })
    try {
      await writeFrozen(change, order.change)
      const bytes = statSync(join(order.change, 'objects.pack')).size
      return { role: 'collector', head: change.request.head.commit, bytes }
    } finally {
      await change.close()
      await source.close?.()
    }
  } finally {
    await services.close()
  }
}
