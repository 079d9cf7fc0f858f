/**
 * A token on Azure DevOps. No request tells its scopes, so some are found out by a request that needs them; what the account may
 * do in a repository, the server says itself.
 */
import { z } from 'zod'
import { isForbidden, refusalOf } from '../remote/answers.ts'
import {
  accountAccess,
  missingRights,
  openAsk,
  type Right,
  type TokenRights,
  withoutRoles,
} from '../rights/contract.ts'
import { gitPermissions, headersFor, identityUrl, listOf, permissionToken, Repository } from './client.ts'

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
    const headers = headersFor(access.token)
    const ask = openAsk(place, access, headers, signal)
    const askIdentity = openAsk({ ...place, apiUrl: identityUrl(place.apiUrl) }, access, headers, signal)
    const lacksIn = async (where: string): Promise<Right[]> => {
      const parts = where.split('/').map((part) => `/${encodeURIComponent(part)}`)
      const collection = parts.slice(0, -2).join('')
      const { body } = await ask(`${parts.slice(0, -1).join('')}/_apis/git/repositories${parts.at(-1)}`)
      const repository = Repository.safeParse(body).data
      if (!repository) return [accountAccess]
      const { namespace, contributeToPullRequests: bit } = gitPermissions
      const tokens = encodeURIComponent(permissionToken(repository))
      const allowed = await ask(`${collection}/_apis/permissions/${namespace}/${bit}?tokens=${tokens}`)
      const [may = true] = listOf(z.boolean()).safeParse(allowed.body).data ?? []
      // Without the scope it is refused as a token that is not valid, which it was for the repository.
      const isRefused = async (asked: Promise<unknown>) =>
        (await refusalOf(() => asked, isForbidden)) !== null
      const people = askIdentity(`${collection}/_apis/identities?identityIds=${repository.id}`)
      const lacksIdentity = await isRefused(people)
      const lacksWorkItems = await isRefused(ask(`${collection}/_apis/wit/workitems/1`))
      return [
        ...(may ? [] : [contribute]),
        ...(lacksIdentity ? [identity] : []),
        ...(lacksWorkItems ? [workItems] : []),
      ]
    }
    const found = place.repositories.map(async (where) =>
      (await lacksIn(where)).map((right) => ({ right, where })),
    )
    return missingRights([], (await Promise.all(found)).flat())
  },
}
