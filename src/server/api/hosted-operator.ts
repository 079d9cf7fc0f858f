/** What only the operator of a server may do: see all tenants, and make or end tokens of any. */
import { factsOf } from '../../hosts/remote/facts.ts'
import type { Database, Queries } from '../database/contract.ts'
import { makeToken } from '../http/access.ts'
import { Refused } from '../http/contract.ts'
import type { ServerSettings } from '../settings/schema.ts'
import { listChanges, recordChange } from './audit.ts'
import type { AnswerOf } from './contract/resources.ts'
import { numberIn } from './cursors.ts'
import type { Handlers } from './routes.ts'

export function operatorHandlers(
  database: Database,
  settings: ServerSettings,
): Pick<Handlers, 'operatorTenants' | 'operatorAudit' | 'operatorMakeToken' | 'operatorEndTokens'> {
  return {
    async operatorTenants() {
      return { tenants: await readTenants(database, settings) }
    },
    operatorAudit: ({ caller, query: { cursor, limit } }) =>
      listChanges(database, caller.tenant, numberIn(cursor), limit),
    async operatorMakeToken({ caller, body: { tenant, ...asked } }) {
      return await database.transaction(async (queries) => {
        const known = await readTenants(queries, settings)
        if (!known.some((one) => one.tenant === tenant)) throw new Refused(404, noTenant)
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

const noTenant =
  'There is no such tenant. `GET /api/v1/operator/tenants` lists all; that of an App is there once it is installed and its webhook came.'

type Tenants = AnswerOf<'operatorTenants'>['tenants']

/** Those that hosts told of, and those that the settings name. */
async function readTenants(queries: Queries, { connections }: ServerSettings): Promise<Tenants> {
  const told = await queries.query<Tenants[number]>(
    `select tenant, connection, account, state from installation
     union select tenant, connection, null, 'active' from repository where installation is null
     order by 1, 2 limit 10000`,
  )
  const named = Object.entries(connections).flatMap(([connection, { kind, tenant, token }]): Tenants => {
    // An App has one for each account that installs it.
    const own = tenant ?? (factsOf(kind).app && !token ? null : connection)
    const isTold = told.some((one) => one.connection === connection && one.tenant === own)
    return own === null || isTold ? [] : [{ tenant: own, connection, account: null, state: 'active' }]
  })
  return [...told, ...named]
}
