/** A token on Bitbucket Data Center. No request tells what it may do, so each is asked for something that needs it. */
import { isForbidden, refusalOf } from '../remote/answers.ts'
import {
  accountAccess,
  missingIn,
  missingRights,
  openAsk,
  type Right,
  type TokenRights,
  withoutRoles,
} from '../rights/contract.ts'

const people: Right = {
  right: 'permission to list users',
  isFor: 'what people may do in the repository',
  without: withoutRoles,
}

export const rights: TokenRights = {
  needed: [accountAccess, people],
  async readMissing(place, access, signal) {
    const ask = openAsk(place, access, { authorization: `Bearer ${access.token}` }, signal)
    // Whoever may not is refused as if the token were not valid, which it is by then.
    await ask('/api/latest/application-properties')
    const isRefused = async (path: string) => {
      let status = 200
      const refused = await refusalOf(async () => {
        status = (await ask(`/api/latest${path}`)).status
      }, isForbidden)
      return refused !== null || status !== 200
    }
    const lists = !(await isRefused('/users?limit=1'))
    const found = await missingIn(place, async (where) => {
      const [key = '', slug = ''] = where.split('/').map(encodeURIComponent)
      if (await isRefused(`/projects/${key}/repos/${slug}`)) return [accountAccess]
      return lists ? [] : [people]
    })
    return missingRights([], found)
  },
}
