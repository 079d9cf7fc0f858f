/** A token on GitLab: any token may read its own scopes, and a member the level of its account. */
import { z } from 'zod'
import { askHost, missingIn, type Right, type TokenRights } from './contract.ts'

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

export const gitlabRights: TokenRights = {
  needed: [api, developer],
  async readMissing({ apiUrl, repositories }, { token, fetch }, signal) {
    const headers = { authorization: `Bearer ${token}` }
    const ask = (path: string) => askHost(`${apiUrl}${path}`, headers, { fetch }, signal)
    // Older servers do not tell.
    const scopes = Token.safeParse((await ask('/personal_access_tokens/self')).body).data?.scopes
    if (scopes && !scopes.includes('api')) {
      const lacks = [
        ...(scopes.includes('read_api') ? [] : [read]),
        ...(scopes.includes('read_repository') ? [] : [code]),
        api,
      ]
      return missingIn(lacks.map((right) => ({ right, where: null })))
    }
    const user = User.safeParse((await ask('/user')).body).data
    // An administrator needs no role.
    if (!user || user.is_admin === true) return []
    const found = repositories.map(async (where) => {
      const member = await ask(`/projects/${encodeURIComponent(where)}/members/all/${user.id}`)
      const level = Member.safeParse(member.body).data?.access_level ?? 0
      return level < developerLevel ? [{ right: developer, where }] : []
    })
    return missingIn((await Promise.all(found)).flat())
  },
}
