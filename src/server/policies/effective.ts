/** Which policy and budgets apply to a repository: the server's, overridden by its tenant's, overridden by its own. */
import { matchGlobs } from '../../base/globs.ts'
import type { Policy } from '../settings/policy.ts'
import type { ServerSettings } from '../settings/schema.ts'

export type EffectivePolicy = {
  policy: Policy
  /** Who decided each key, for people: `the policy of acme`. */
  sources: Readonly<Record<keyof Policy, string>>
  /** US dollars; null leaves it to the settings for models. */
  perReviewUsd: number | null
  budgets: readonly BudgetRule[]
  /** Null when the repository is reviewed; otherwise who turned it off. */
  offBy: string | null
}

export type BudgetRule = {
  /** `the daily budget of acme/shop`. */
  name: string
  period: 'day' | 'month'
  limitUsd: number
  /** What counts towards it. */
  scope: 'server' | 'tenant' | 'repository'
}

export function effectivePolicy(
  settings: Pick<ServerSettings, 'policy' | 'budget' | 'tenants' | 'connections'>,
  { tenant, connection, repository }: { tenant: string; connection: string; repository: string },
): EffectivePolicy {
  const ofTenant = settings.tenants[tenant]
  const ofRepository = ofTenant?.repositories[repository]
  const layers = [
    { policy: ofRepository?.policy ?? {}, name: `the policy of ${repository}` },
    { policy: ofTenant?.policy ?? {}, name: `the policy of ${tenant}` },
    { policy: settings.policy, name: 'the policy of this server' },
  ]
  const sourceOf = (key: keyof Policy) =>
    layers.find(({ policy }) => policy[key] !== undefined)?.name ?? 'the policy of this server'
  const keys = Object.keys(settings.policy) as (keyof Policy)[]
  const sources = Object.fromEntries(keys.map((key) => [key, sourceOf(key)])) as Record<keyof Policy, string>
  const policy = {
    ...settings.policy,
    ...withoutUndefined(ofTenant?.policy ?? {}),
    ...withoutUndefined(ofRepository?.policy ?? {}),
  }
  const owners = [
    { budget: settings.budget, name: 'this server', scope: 'server' },
    { budget: ofTenant?.budget ?? {}, name: tenant, scope: 'tenant' },
    { budget: ofRepository?.budget ?? {}, name: repository, scope: 'repository' },
  ] as const
  const perReview = owners.flatMap(({ budget }) => budget.perReview ?? [])
  return {
    policy,
    sources,
    perReviewUsd: perReview.length > 0 ? Math.min(...perReview) : null,
    budgets: owners.flatMap(({ budget, name, scope }) => [
      ...(budget.daily === undefined
        ? []
        : [{ name: `the daily budget of ${name}`, period: 'day' as const, limitUsd: budget.daily, scope }]),
      ...(budget.monthly === undefined
        ? []
        : [
            {
              name: `the monthly budget of ${name}`,
              period: 'month' as const,
              limitUsd: budget.monthly,
              scope,
            },
          ]),
    ]),
    offBy: offBy(settings.connections[connection]?.repositories ?? [], repository, ofRepository?.enabled),
  }
}

/** Globs without `!` choose, those with it take away again. */
function offBy(globs: readonly string[], repository: string, isEnabled = true): string | null {
  if (!isEnabled) return 'the settings of this repository'
  const isChosen = matchGlobs(globs.filter((glob) => !glob.startsWith('!')))
  const isExcluded = matchGlobs(globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)))
  return isChosen(repository) && !isExcluded(repository) ? null : 'the settings of the connection'
}

function withoutUndefined<Value extends object>(value: Value): { [K in keyof Value]: NonNullable<Value[K]> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as {
    [K in keyof Value]: NonNullable<Value[K]>
  }
}
