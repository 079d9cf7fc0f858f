/**
 * A token on Forgejo or Gitea. No request tells its scopes; a refusal names the one that was missing, and on newer versions of
 * Gitea all that there are. What only writes need is found out by the first of them.
 */
import { z } from 'zod'
import {
  accountAccess,
  administrator,
  missingRights,
  openAsk,
  type Right,
  type TokenRights,
  type Told,
} from '../rights/contract.ts'

const user: Right = {
  right: 'scope read:user',
  isFor: 'knowing which comments are ours',
  without: 'nothing can be posted',
}
const repository: Right = {
  right: 'scope write:repository',
  isFor: 'reading the code, reviews, and the status of a commit',
  without: 'nothing can be reviewed',
}
const issue: Right = {
  right: 'scope write:issue',
  isFor: 'comments in the conversation, and answers to commands',
  without: 'there is no overview, commands get no answer, and what was fixed is not marked',
}
const push: Right = {
  right: 'right of the account to write',
  isFor: 'the status of a commit',
  without: 'there is no status',
}

const Refusal = z.object({ message: z.string() })
const Repository = z.object({ permissions: z.object({ admin: z.boolean(), push: z.boolean() }) })

export const rights: TokenRights = {
  needed: [repository, issue, user, administrator],
  async readMissing(place, access, signal) {
    const ask = openAsk(place, access, { authorization: `token ${access.token}` }, signal)
    const own = await ask('/user')
    const answers = await Promise.all(
      place.repositories.map(async (where) => ({ where, told: await ask(`/repos/${where}`) })),
    )
    const ofAccount = answers.flatMap(({ where, told }) => {
      if (told.status === 404) return [{ right: accountAccess, where }]
      const permissions = Repository.safeParse(told.body).data?.permissions
      if (!permissions || permissions.admin) return []
      return [...(permissions.push ? [] : [{ right: push, where }]), { right: administrator, where }]
    })
    return missingRights(scopesMissing([own, ...answers.map(({ told }) => told)]), ofAccount)
  },
}

function scopesMissing(answers: readonly Told[]): Right[] {
  const refusals = answers.flatMap(({ status, body }) => {
    const said = Refusal.safeParse(body).data?.message ?? ''
    return status === 403 && said.includes('required scope') ? [said] : []
  })
  const required = new Set(refusals.flatMap((said) => /\[([\w:, ]+)\]/.exec(said)?.[1]?.split(/[, ]+/) ?? []))
  const held = refusals.flatMap((said) => /token scope=([\w:,]*)/.exec(said)?.[1]?.split(',') ?? [])
  const [told] = refusals.filter((said) => said.includes('token scope='))
  return [repository, issue, user].filter(({ right }) => {
    const [, scope = ''] = right.split(' ')
    const reading = scope.replace('write:', 'read:')
    if (required.has(reading) || required.has(scope)) return true
    return (
      told !== undefined &&
      !held.includes(scope) &&
      !held.includes(scope.replace('read:', 'write:')) &&
      !held.includes('all')
    )
  })
}
