/** Keys of the API: an admin of a tenant sees, makes and ends them. */
import type { Database } from '../database/contract.ts'
import { hashOf, makeToken } from '../http/access.ts'
import { Refused } from '../http/contract.ts'
import { recordChange } from './audit.ts'
import type { ApiToken } from './contract/operation.ts'
import type { Handlers } from './routes.ts'

type TokenRow = {
  hash: string
  name: string
  scopes: string
  made_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  made_by: string | null
}

const tokenColumns = 'hash, name, scopes, made_at, expires_at, last_used_at, made_by'

function shownToken({ hash, name, scopes, made_at, expires_at, last_used_at, made_by }: TokenRow): ApiToken {
  return {
    id: hash.slice(0, 16),
    name,
    scopes: scopes.split(' ') as ApiToken['scopes'],
    createdAt: made_at.toISOString(),
    expiresAt: expires_at?.toISOString() ?? null,
    lastUsedAt: last_used_at?.toISOString() ?? null,
    createdBy: made_by,
  }
}

export function tokenHandlers(database: Database): Pick<Handlers, 'tokens' | 'makeToken' | 'endToken'> {
  return {
    async tokens({ caller, query: { cursor = '', limit } }) {
      const rows = await database.query<TokenRow>(
        `select ${tokenColumns} from api_token where tenant = $1 and left(hash, 16) > $2 order by hash limit $3`,
        [caller.tenant, cursor, limit + 1],
      )
      const items = rows.slice(0, limit).map(shownToken)
      return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
    },

    async makeToken({ caller, body }) {
      return await database.transaction(async (queries) => {
        const token = await makeToken(queries, caller.tenant, { ...body, madeBy: caller.name })
        const [made] = await queries.query<TokenRow>(
          `select ${tokenColumns} from api_token where hash = $1`,
          [hashOf(token)],
        )
        if (!made) throw new Error('the token was not stored')
        const { name, scopes, days } = body
        await recordChange(queries, caller, {
          action: 'token.create',
          target: name,
          detail: { scopes, days },
        })
        return { token, made: shownToken(made) }
      })
    },

    async endToken({ caller, parameters: { id = '' } }) {
      await database.transaction(async (queries) => {
        const [gone] = await queries.query<{ name: string }>(
          'delete from api_token where tenant = $1 and left(hash, 16) = $2 returning name',
          [caller.tenant, id],
        )
        if (!gone) throw new Refused(404, 'There is no such token.')
        await recordChange(queries, caller, { action: 'token.revoke', target: gone.name })
      })
      return { done: true }
    },
  }
}
