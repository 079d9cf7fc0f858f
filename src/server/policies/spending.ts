/**
 * What may still be spent. A review that was decided on holds the most that it may cost until its outcome says what it
 * did cost, so that reviews side by side cannot spend the same dollar.
 */
import type { Queries } from '../database/contract.ts'
import type { Allowance } from './decide.ts'
import type { BudgetRule } from './effective.ts'

/** Less than this buys no review. */
const smallestUsd = 0.01
/** Whoever decides holds it until the commit, so that two do not see the same money. */
const spendingLock = 7_710_002

export type SpendingScope = {
  tenant: string
  connection: string
  /** The host's id. */
  repository: string
  /** A trigger whose own hold does not count against it. */
  trigger?: string
}

/** Inside the transaction that decides: others wait for its end. */
export async function readAllowance(
  queries: Queries,
  budgets: readonly BudgetRule[],
  of: SpendingScope,
  now: Date,
): Promise<Allowance> {
  if (budgets.length === 0) return { leftUsd: null, ended: null }
  await queries.query('select pg_advisory_xact_lock($1)', [spendingLock])
  const rules: { rule: BudgetRule; left: number }[] = []
  for (const rule of budgets) {
    const spent = await readSpent(queries, rule, of, now)
    rules.push({ rule, left: rule.limitUsd - spent })
  }
  const least = rules.reduce((a, b) => (b.left < a.left ? b : a))
  if (least.left >= smallestUsd) return { leftUsd: least.left, ended: null }
  return { leftUsd: 0, ended: { name: least.rule.name, until: nextStart(least.rule.period, now) } }
}

/** US dollars spent and held since the period began. What a job cost counts once, for the trigger that made it. */
export async function readSpent(
  queries: Queries,
  { period, scope }: Pick<BudgetRule, 'period' | 'scope'>,
  { tenant, connection, repository, trigger = '' }: SpendingScope,
  now: Date,
): Promise<number> {
  const [row] = await queries.query<{ usd: number }>(
    `select coalesce(sum(case when j.state in ('queued', 'running') and t.id::text <> $6
         then greatest(t.hold_usd, s.usd) else s.usd end), 0)::float8 as usd
     from review_trigger t
     left join job j on j.tenant = t.tenant and j.id = t.job
     cross join lateral (
       select coalesce(sum(usd), 0)::float8 as usd from spending where tenant = t.tenant and job = t.job) s
     where t.owns_job and t.decided_at >= $1
       and ($2 = 'server' or t.tenant = $3)
       and ($2 <> 'repository' or (t.connection = $4 and t.repository = $5))`,
    [startOf(period, now), scope, tenant, connection, repository, trigger],
  )
  return row?.usd ?? 0
}

function startOf(period: BudgetRule['period'], now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), period === 'day' ? now.getUTCDate() : 1))
}

/** `2026-12-01 00:00 UTC`. */
function nextStart(period: BudgetRule['period'], now: Date): string {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const next = period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1)
  return `${new Date(next).toISOString().slice(0, 10)} 00:00 UTC`
}
