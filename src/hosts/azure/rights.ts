/**
 * A token on Azure DevOps. No request tells its scopes, so some are found out by a request that needs them; what the account may
 * do in a repository, the server says itself.
 */
import { z } from 'zod'
import { partsOf } from '../../domain/repository-name.ts'
import { isForbidden, refusalOf, unlessUnknown } from '../remote/answers.ts'
import { type HostApi, withQuery } from '../remote/api.ts'
import { listOf } from '../remote/azure-requests.ts'
import {
  accountAccess,
  missingIn,
  missingRights,
  type Right,
  type TokenRights,
  withoutRoles,
} from '../rights/contract.ts'
import { gitPermissions, openAzureApi } from './client.ts'

const code: Right = {
  right: 'scopes Code (Read), Code (Status) and PR threads (Read & write)',
  isFor: 'the code, comments, and the status of a pull request',
  without: 'nothing can be reviewed or posted',
}
const identity: Right = {
  right: 'scope Identity (Read)',
  isFor: 'what people may do in the repository',
  without: withoutRoles,
}
const workItems: Right = {
  right: 'scope Work Items (Read)',
  isFor: 'linked work items',
  without: 'linked work items are not read',
}
const contribute: Right = {
  right: 'permission Contribute to pull requests',
  isFor: 'comments, and the status of a pull request',
  without: 'nothing can be posted',
}

export const rights: TokenRights = {
  needed: [code, identity, workItems, contribute],
  async readMissing(place, access, signal) {
    const found = await missingIn(place, async (where) => {
      const api = openAzureApi({ ...place, ...partsOf(where) }, { ...access, tokenName: 'the settings' })
      const repository = await unlessUnknown(() => api.readRepository(signal))
      if (!repository) return [accountAccess]
      const { repositoryId, securityToken: tokens } = repository
      const { namespace, contributeToPullRequests: bit } = gitPermissions
      const asked = withQuery(`/permissions/${namespace}/${bit}`, { tokens })
      const [may = true] = listOf(z.boolean()).parse(await api.collection.get(asked, signal))
      // Without the scope it is refused as a token that is not valid, which it was for the repository.
      const lacks = async (on: HostApi, path: string) =>
        (await refusalOf(() => unlessUnknown(() => on.get(path, signal)), isForbidden)) !== null
      return [
        ...(may ? [] : [contribute]),
        ...((await lacks(api.identities, `/identities?identityIds=${repositoryId}`)) ? [identity] : []),
        ...((await lacks(api.collection, '/wit/workitems/1')) ? [workItems] : []),
      ]
    })
    return missingRights([], found)
  },
}
