/** A token on GitLab: any token may read its own scopes, and a member the level of its account. */
import { z } from 'zod'
import { missingIn, missingRights, openAsk, type Right, type TokenRights } from '../rights/contract.ts'

const api: Right = {
  right: 'scope api',
  isFor: 'reading merge requests, comments, and the status of a commit',
  without: 'nothing can be posted',
}
const read: Right = { ...api, right: 'scope read_api', without: 'nothing can be reviewed' }
const code: Right = {
  right: 'scope read_repository',
  isFor: 'reading the code; a part of `api`',
  without: 'nothing can be reviewed',
}
const developer: Right = {
  right: 'role Developer',
  isFor: 'the status of a commit, and resolving threads',
  without: 'there is no status, and threads are answered but stay open',
}
const developerLevel = 30

const Token = z.object({ scopes: z.array(z.string()) })
const User = z.object({ id: z.number(), is_admin: z.boolean().optional() })
const Member = z.object({ access_level: z.number() })

export const rights: TokenRights = {
  needed: [api, developer],
  async readMissing(place, access, signal) {
    const ask = openAsk(place, access, { authorization: `Bearer ${access.token}` }, signal)
    // Older servers do not tell.
    const scopes = Token.safeParse((await ask('/personal_access_tokens/self')).body).data?.scopes
    if (scopes && !scopes.includes('api')) {
      const lacks = (right: Right, scope: string) => (scopes.includes(scope) ? [] : [right])
      return missingRights([...lacks(read, 'read_api'), ...lacks(code, 'read_repository'), api])
    }
    const user = User.safeParse((await ask('/user')).body).data
    // An administrator needs no role.
    if (!user || user.is_admin === true) return []
    const found = await missingIn(place, async (where) => {
      const member = await ask(`/projects/${encodeURIComponent(where)}/members/all/${user.id}`)
      const level = Member.safeParse(member.body).data?.access_level ?? 0
      return level < developerLevel ? [developer] : []
    })
    return missingRights([], found)
  },
}
