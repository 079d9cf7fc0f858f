/**
 * A personal token on GitHub. Classic ones name their scopes in a header of every answer; what a fine-grained one may do is told
 * by refusals alone, but the role of its account is told for both.
 */
import { z } from 'zod'
import {
  accountAccess,
  missingIn,
  missingRights,
  openAsk,
  type Right,
  type TokenRights,
} from '../rights/contract.ts'

const scope: Right = {
  right: 'scope repo',
  isFor:
    'reading changes, comments and statuses (a fine-grained token: Contents, Pull requests, Issues, Commit statuses)',
  without: 'private repositories cannot be reviewed, and nothing is posted to them',
}
const publicScope: Right = { ...scope, right: 'scope public_repo', without: 'nothing can be posted' }
const push: Right = {
  right: 'write access of the account',
  isFor: 'the status of a commit, resolving threads, and the roles of people',
  without:
    'there is no status, threads stay open, and commands in comments are ignored, since roles are not known',
}

const Repository = z.object({
  private: z.boolean(),
  permissions: z.object({ push: z.boolean() }).optional(),
})

export const rights: TokenRights = {
  needed: [scope, accountAccess, push],
  async readMissing(place, access, signal) {
    const headers = { authorization: `Bearer ${access.token}`, 'x-github-api-version': '2022-11-28' }
    const ask = openAsk(place, access, headers, signal)
    const scopes = scopesIn((await ask('/user')).headers)
    const lacksRepo = scopes !== null && !scopes.includes('repo')
    const isReadOnly = lacksRepo && !scopes.includes('public_repo')
    const found = await missingIn(place, async (where) => {
      const { status, body } = await ask(`/repos/${where}`)
      const repository = Repository.safeParse(body).data
      if (status !== 200 || !repository) return lacksRepo ? [] : [accountAccess]
      // Without a scope for it, the role is no use.
      return repository.permissions?.push === false ? [push] : []
    })
    const ofToken = isReadOnly ? [publicScope, scope] : lacksRepo ? [scope] : []
    return missingRights(ofToken, found)
  },
}

/** Null for a token that has none, such as a fine-grained one. */
function scopesIn(headers: Headers): string[] | null {
  return headers.get('x-oauth-scopes')?.split(/,\s*/) ?? null
}
