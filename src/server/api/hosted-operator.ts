/** What only the operator of a server may do: see all tenants, and make or end tokens of any. */
import type { Database } from '../database/contract.ts'
import { makeToken } from '../http/access.ts'
import { listChanges, recordChange } from './audit.ts'
import type { AnswerOf } from './contract/resources.ts'
import { numberIn } from './cursors.ts'
import type { Handlers } from './routes.ts'

export function operatorHandlers(
  database: Database,
): Pick<Handlers, 'operatorTenants' | 'operatorAudit' | 'operatorMakeToken' | 'operatorEndTokens'> {
  return {
    async operatorTenants() {
      const tenants = await database.query<AnswerOf<'operatorTenants'>['tenants'][number]>(
        `select tenant, connection, account, state from installation
         union select tenant, connection, null, 'active' from repository where installation is null
         order by 1, 2 limit 10000`,
      )
      return { tenants }
    },
    operatorAudit: ({ caller, query: { cursor, limit } }) =>
      listChanges(database, caller.tenant, numberIn(cursor), limit),
    async operatorMakeToken({ caller, body: { tenant, ...asked } }) {
      return await database.transaction(async (queries) => {
        const token = await makeToken(queries, tenant, asked)
        const { name, scopes, days } = asked
        await recordChange(
          queries,
          { ...caller, tenant },
          { action: 'token.create', target: name, detail: { scopes, days } },
        )
        return { token, tenant, name }
      })
    },
    async operatorEndTokens({ caller, parameters: { tenant = '' } }) {
      return await database.transaction(async (queries) => {
        const rows = await queries.query('delete from api_token where tenant = $1 returning hash', [tenant])
        const revoked = rows.length
        await recordChange(
          queries,
          { ...caller, tenant },
          { action: 'token.revoke', target: 'all', detail: { revoked } },
        )
        return { revoked }
      })
    },
  }
}
