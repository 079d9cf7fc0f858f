/** A token on Bitbucket Cloud. Every answer names the scopes of the token; what its account may do in a repository is a separate list. */
import { z } from 'zod'
import {
  accountAccess,
  administrator,
  missingIn,
  missingRights,
  openAsk,
  type Right,
  type TokenRights,
} from '../rights/contract.ts'
import { credentialsOf } from './client.ts'

const account: Right = {
  right: 'scope account (`read:user:bitbucket`)',
  isFor: 'knowing which comments are ours',
  without: 'nothing can be posted',
}
const repository: Right = {
  right: 'scope repository (`read:repository:bitbucket`)',
  isFor: 'reading the code, and the build status of a commit',
  without: 'nothing can be reviewed',
}
const pullRequest: Right = {
  right: 'scope pullrequest (`read:pullrequest:bitbucket`)',
  isFor: 'reading pull requests, and comments',
  without: 'nothing can be reviewed',
}

/** A wider scope holds the narrower one: `pullrequest:write`, `write:pullrequest:bitbucket`. */
const scopes: readonly [Right, RegExp][] = [
  [account, /^account\b|:user:bitbucket$/],
  [repository, /^repository\b|:repository:bitbucket$/],
  [pullRequest, /^pullrequest\b|:pullrequest:bitbucket$/],
]

const Permissions = z.object({ values: z.array(z.object({ permission: z.string() })) })

export const rights: TokenRights = {
  needed: [account, repository, pullRequest, administrator],
  async readMissing(place, access, signal) {
    const ask = openAsk(place, access, credentialsOf(access.token).header, signal)
    const user = await ask('/user')
    const granted = user.headers.get('x-oauth-scopes')?.split(/[\s,]+/)
    const ofToken = scopes.flatMap(([right, pattern]) =>
      granted && !granted.some((scope) => pattern.test(scope)) ? [right] : [],
    )
    const found = await missingIn(place, async (where) => {
      const [workspace = '', slug = ''] = where.split('/').map(encodeURIComponent)
      if ((await ask(`/repositories/${workspace}/${slug}`)).status === 404) return [accountAccess]
      const roles = await ask(`/workspaces/${workspace}/permissions/repositories/${slug}?pagelen=1`)
      return Permissions.safeParse(roles.body).success ? [] : [administrator]
    })
    return missingRights(ofToken, found)
  },
}
