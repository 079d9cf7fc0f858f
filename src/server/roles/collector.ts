/** The collector: reads a change request with a host's token, and freezes it into a folder. Has no key of a model. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openChangeRequest } from '../../assembly/change-request.ts'
import { openHost } from '../../assembly/open-host.ts'
import { openServices, type Services } from '../../assembly/services.ts'
import type { ReviewRequest } from '../../domain/review-request.ts'
import { writeFrozen } from '../../hosts/frozen/frozen-change.ts'
import { collect } from '../../sightline.ts'
import { selfKey } from '../../workspace/change-keys.ts'
import type { RoleBody } from './contract.ts'

function usersOf({ workspace }: ReviewRequest, services: Services): string[] {
  const found = workspace?.companions.filter(({ foundBy }) => foundBy === 'content') ?? []
  return found.map(({ url }) => selfKey(openHost(url, services).address))
}

export const collectChangeRequest: RoleBody<'collector'> = async (order, { facts, report, signal }) => {
  const services = await openServices({
    environment: order.environment,
    tenant: order.tenant,
    cacheFolder: order.cache,
    signal,
    ...(facts ? { facts } : {}),
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
      return {
        role: 'collector',
        head: change.request.head.commit,
        bytes,
        users: usersOf(change.request, services),
      }
    } finally {
      await change.close()
      await source.close?.()
    }
  } finally {
    await services.close()
  }
}
