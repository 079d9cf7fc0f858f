/** For orchestrators and Prometheus: whether the process lives, whether it can work, and how much it does. */

import { rates, readOnly } from '../api/contract/common.ts'
import type { Database } from '../database/contract.ts'
import type { Metrics } from '../metrics.ts'
import type { Route } from './contract.ts'

export type HealthParts = {
  database: Pick<Database, 'query'>
  metrics: Metrics
  /** The server was asked to stop. */
  isStopping: () => boolean
}

/** Longer than a database that works needs. */
const patienceMs = 3_000
const rules = { tenant: 'none', audit: readOnly, bodyBytes: 0, rate: rates.anybody } as const

export function healthRoutes({ database, metrics, isStopping }: HealthParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      ...{ ...rules, scope: 'public' },
      handle: async () => ({ status: 200, body: { status: 'alive' } }),
    },
    {
      method: 'GET',
      path: '/readyz',
      ...{ ...rules, scope: 'public' },
      async handle() {
        if (isStopping()) return { status: 503, body: { status: 'stopping' } }
        const isThere = await Promise.race([
          database.query('select 1').then(
            () => true,
            () => false,
          ),
          new Promise<boolean>((resolve) => setTimeout(resolve, patienceMs, false).unref()),
        ])
        return isThere
          ? { status: 200, body: { status: 'ready' } }
          : { status: 503, body: { status: 'database unavailable' } }
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      ...{ ...rules, scope: 'metrics' },
      async handle() {
        const { text, type } = await metrics.show()
        return { status: 200, body: text, type }
      },
    },
  ]
}
