/** What rules and budgets apply, who changed what, and whether the server keeps up. */
import { loadSettings } from '../../config/settings/load.ts'
import type { Database } from '../database/contract.ts'
import type { Caller } from '../http/caller.ts'
import { Refused } from '../http/contract.ts'
import { effectivePolicy } from '../policies/effective.ts'
import { readSpent } from '../policies/spending.ts'
import type { ServerSettings } from '../settings/schema.ts'
import { listChanges } from './audit.ts'
import { numberIn } from './cursors.ts'
import type { Handlers } from './routes.ts'
import { settingsInForce } from './views/settings.ts'

const lateSeconds = 600

export function operationHandlers({
  database,
  settings,
  environment,
  now,
}: {
  database: Database
  settings: ServerSettings
  environment: NodeJS.ProcessEnv
  now: () => Date
}): Pick<Handlers, 'policy' | 'audit' | 'health'> {
  return {
    async policy({ caller: { tenant, repositories }, query: { repository = '' } }) {
      if (repository !== '' && !isAmong(repository, repositories))
        throw new Refused(404, 'There is no such repository.')
      const of = { tenant, connection: '', repository }
      const { policy, sources, perReviewUsd, budgets } = effectivePolicy(settings, of)
      const operators = await loadSettings(environment)
      const spent = await Promise.all(
        budgets.map((rule) =>
          rule.scope === 'server'
            ? null
            : readSpent(database, { period: rule.period, scope: rule.scope }, of, now()),
        ),
      )
      return {
        // Of the operator's settings, only what names neither a key nor an internal address.
        configuration: settingsInForce(
          operators.settings,
          'the settings of the operator',
          ({ path }) => ['money', 'limits', 'journal'].includes(path[0] ?? '') && !path.includes('s3'),
        ),
        policies: Object.entries(policy).map(([path, value]) => ({
          path,
          value: value ?? null,
          origin: Reflect.get(sources, path) as string,
        })),
        budgets: [
          ...(perReviewUsd === null
            ? []
            : [{ name: 'each review', period: 'review' as const, limitUsd: perReviewUsd, spentUsd: null }]),
          ...budgets.map(({ name, period, limitUsd }, at) => ({
            ...{ name, period, limitUsd },
            spentUsd: spent[at] ?? null,
          })),
        ],
      }
    },

    async audit({ caller, query: { cursor, limit } }) {
      return await listChanges(database, caller.tenant, numberIn(cursor), limit)
    },

    async health() {
      const [found] = await database.query<{ oldest: number | null }>(
        "select extract(epoch from now() - min(created_at))::float as oldest from job where state = 'queued'",
      )
      const isLate = (found?.oldest ?? 0) > lateSeconds
      return {
        state: isLate ? 'degraded' : 'ok',
        parts: [
          { name: 'database', state: 'ok', detail: database.kind },
          {
            name: 'queue',
            state: isLate ? 'degraded' : 'ok',
            detail: isLate ? 'a job has waited for more than ten minutes' : 'jobs are taken in time',
          },
        ],
      }
    },
  }
}

/** `repository` without its host, as policies name it, or with it. */
function isAmong(repository: string, among: Caller['repositories']): boolean {
  return !among || [...among.keys()].some((name) => name === repository || name.endsWith(`/${repository}`))
}
