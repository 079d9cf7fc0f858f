/** Fetches one repository of a tenant's workspace and brings its index up to date, for the reviews of others. Has no key of a model. */
import { openServices } from '../../assembly/services.ts'
import { updateWorkspace } from '../../assembly/workspace/status.ts'
import type { RoleBody } from './contract.ts'

export const updateMember: RoleBody<'workspace'> = async (
  { environment, tenant, cache, address, isWhole },
  { facts, signal },
) => {
  const shared = facts ? { facts } : {}
  const services = await openServices({ environment, tenant, cacheFolder: cache, signal, ...shared })
  try {
    const [status] = await updateWorkspace(services, () => {}, { only: address, isWhole })
    return { role: 'workspace', commit: status?.commit ?? null }
  } finally {
    await services.close()
  }
}
