/**
 * What tenants and the operator ask of the server. A tenant's route gets the tenant from the token and puts it into every
 * query; what is another tenant's does not exist for it.
 */
import { z } from 'zod'
import type { Database } from '../database/contract.ts'
import { listTriggers, readTrigger } from '../intake/triggers.ts'
import { effectivePolicy } from '../policies/effective.ts'
import { readSpent } from '../policies/spending.ts'
import type { ServerSettings } from '../settings/schema.ts'
import { makeToken } from './access.ts'
import { type Call, Refused, type Route } from './contract.ts'

export type ApiParts = { database: Database; settings: ServerSettings; now: () => Date }

const largestBody = 16 * 1024
const mostRows = 100

export function apiRoutes(parts: ApiParts): Route[] {
  return [...tenantRoutes(parts), ...adminRoutes(parts)]
}

function tenantRoutes({ database, settings, now }: ApiParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/reviews',
      access: 'tenant',
      async handle({ tenant, query }) {
        const before = query.get('before')
        const date = before === null ? null : new Date(before)
        if (date && Number.isNaN(date.getTime())) throw new Refused(400, '`before` is not a time.')
        return { status: 200, body: { reviews: await listTriggers(database, tenant, mostRows, date) } }
      },
    },
    {
      method: 'GET',
      path: '/api/reviews/{id}',
      access: 'tenant',
      async handle({ tenant, parameters }) {
        const found = await readTrigger(database, tenant, parameters.id ?? '')
        if (!found) throw new Refused(404, 'Not found.')
        return { status: 200, body: found }
      },
    },
    {
      method: 'GET',
      path: '/api/repositories',
      access: 'tenant',
      async handle({ tenant }) {
        const repositories = await database.query(
          `select connection, id, full_name as name, is_private as "isPrivate", is_enabled as "isEnabled"
           from repository where tenant = $1 order by full_name limit 10000`,
          [tenant],
        )
        return { status: 200, body: { repositories } }
      },
    },
    {
      method: 'PATCH',
      path: '/api/repositories/{connection}/{id}',
      access: 'tenant',
      bodyBytes: largestBody,
      async handle(call) {
        const { isEnabled } = readBody(call, z.strictObject({ isEnabled: z.boolean() }))
        const rows = await database.query(
          `update repository set is_enabled = $4 where tenant = $1 and connection = $2 and id = $3
           returning connection, id, full_name as name, is_enabled as "isEnabled"`,
          [call.tenant, call.parameters.connection ?? '', call.parameters.id ?? '', isEnabled],
        )
        if (!rows[0]) throw new Refused(404, 'Not found.')
        return { status: 200, body: rows[0] }
      },
    },
    {
      method: 'GET',
      path: '/api/spending',
      access: 'tenant',
      async handle({ tenant }) {
        const of = { tenant, connection: '', repository: '' }
        const { budgets } = effectivePolicy(settings, of)
        const spent = (period: 'day' | 'month') => readSpent(database, { period, scope: 'tenant' }, of, now())
        const limitOf = (period: 'day' | 'month') =>
          budgets.find((rule) => rule.scope === 'tenant' && rule.period === period)?.limitUsd ?? null
        const [day, month] = await Promise.all([spent('day'), spent('month')])
        return {
          status: 200,
          body: {
            day: { usd: day, limitUsd: limitOf('day') },
            month: { usd: month, limitUsd: limitOf('month') },
          },
        }
      },
    },
  ]
}

const TokenRequest = z.strictObject({
  tenant: z.string().min(1).max(120),
  name: z.string().min(1).max(100),
  scopes: z
    .array(z.enum(['read', 'review', 'admin']))
    .min(1)
    .default(['read']),
  days: z.int().min(1).max(3660).nullable().default(null),
})

function adminRoutes({ database }: ApiParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/admin/tenants',
      access: 'admin',
      async handle() {
        const tenants = await database.query(
          `select tenant, connection, account, state from installation
           union select tenant, connection, null, 'active' from repository where installation is null
           order by 1, 2 limit 10000`,
        )
        return { status: 200, body: { tenants } }
      },
    },
    {
      method: 'POST',
      path: '/api/admin/tokens',
      access: 'admin',
      bodyBytes: largestBody,
      async handle(call) {
        const { tenant, ...asked } = readBody(call, TokenRequest)
        return {
          status: 201,
          body: { token: await makeToken(database, tenant, asked), tenant, name: asked.name },
        }
      },
    },
    {
      method: 'DELETE',
      path: '/api/admin/tokens/{tenant}',
      access: 'admin',
      async handle({ parameters }) {
        const rows = await database.query('delete from api_token where tenant = $1 returning hash', [
          parameters.tenant ?? '',
        ])
        return { status: 200, body: { revoked: rows.length } }
      },
    },
  ]
}

function readBody<Schema extends z.ZodType>({ body }: Call, schema: Schema): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')))
  } catch {
    throw new Refused(400, 'The body is not what this address takes.')
  }
}
