/** Amounts of the catalog as trends. Nothing in them names a person. */
import { stageNames } from '../../../domain/events.ts'
import { severities } from '../../../domain/severity.ts'
import { wilson } from '../../../ledger/outcomes.ts'
import { percentile } from '../../../storage/catalog/amounts.ts'
import type { Amount, Catalog, OutcomeAmount, Within } from '../../../storage/catalog/contract.ts'
import { Refused } from '../../http/contract.ts'
import type { TrendDay, Trends, TrendsQuery } from '../contract/trends.ts'

const dayMs = 86_400_000
const defaultDays = 30
const mostDays = 731
/** Rules and repositories in a list. */
const mostNames = 100

/** Refuses with 400 a range that ends before it begins, or has more than two years. */
export async function trendsOf(catalog: Catalog, query: TrendsQuery & Within, now: Date): Promise<Trends> {
  const to = query.to ?? dayOf(now.getTime() + dayMs)
  const from = query.from ?? dayOf(Date.parse(to) - defaultDays * dayMs)
  const count = (Date.parse(to) - Date.parse(from)) / dayMs
  if (!(count > 0 && count <= mostDays))
    throw new Refused(400, 'to: must be after `from`, by two years at most')
  const range = { from, to, repository: query.repository, among: query.among }
  const [{ days, whole }, outcomes] = await Promise.all([catalog.trends(range), catalog.outcomes(range)])
  const byDay = Map.groupBy(days, ({ day }) => day)
  const listed = Array.from({ length: count }, (_, at) => {
    const day = dayOf(Date.parse(from) + at * dayMs)
    return trendDay(day, byDay.get(day) ?? [])
  })
  const sum = (pick: (day: TrendDay) => number) => listed.reduce((total, day) => total + pick(day), 0)
  return {
    from,
    to,
    days: listed,
    stages: stagesOf(whole),
    findings: findingsOf(whole),
    outcomes: outcomesOf(outcomes),
    totals: {
      runs: sum(({ runs }) => runs),
      usd: sum(({ usd }) => usd),
      tokens: {
        input: sum(({ tokens }) => tokens.input),
        cacheRead: sum(({ tokens }) => tokens.cacheRead),
        output: sum(({ tokens }) => tokens.output),
      },
      calls: sum(({ calls }) => calls),
      cachedCalls: sum(({ cachedCalls }) => cachedCalls),
    },
  }
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function trendDay(day: string, amounts: readonly Amount[]): TrendDay {
  const sum = (name: string) => amounts.find((one) => one.kind === 'sum' && one.name === name)?.amount ?? 0
  const durations = amounts.filter(({ kind }) => kind === 'stage')
  return {
    day,
    runs: sum('runs'),
    findings: bySeverity(amounts.filter(({ kind }) => kind === 'severity')),
    usd: sum('usd'),
    tokens: { input: sum('input'), cacheRead: sum('cacheRead'), output: sum('output') },
    calls: sum('calls'),
    cachedCalls: sum('cachedCalls'),
    p50Ms: percentile(durations, 0.5),
    p95Ms: percentile(durations, 0.95),
  }
}

function bySeverity(amounts: readonly Amount[]): TrendDay['findings'] {
  const of = (at: number) => amounts.find(({ bucket }) => bucket === at)?.amount ?? 0
  return { critical: of(0), high: of(1), medium: of(2), low: of(3) }
}

function stagesOf(whole: readonly Amount[]): Trends['stages'] {
  const byStage = Map.groupBy(
    whole.filter(({ kind }) => kind === 'stage'),
    ({ name }) => name,
  )
  return [...stageNames, 'run'].flatMap((stage) => {
    const buckets = byStage.get(stage) ?? []
    const [p50Ms, p95Ms] = [percentile(buckets, 0.5), percentile(buckets, 0.95)]
    if (p50Ms === null || p95Ms === null) return []
    return [{ stage, runs: buckets.reduce((sum, { amount }) => sum + amount, 0), p50Ms, p95Ms }]
  })
}

function findingsOf(whole: readonly Amount[]): Trends['findings'] {
  return (['plane', 'rule', 'repository'] as const).flatMap((by) => {
    const groups = Map.groupBy(
      whole.filter(({ kind }) => kind === by),
      ({ name }) => name,
    )
    return [...groups]
      .map(([name, amounts]) => ({ by, name, ...bySeverity(amounts) }))
      .sort((a, b) => sizeOf(b) - sizeOf(a) || (a.name < b.name ? -1 : 1))
      .slice(0, mostNames)
  })
}

function sizeOf(counts: TrendDay['findings']): number {
  return severities.reduce((sum, severity) => sum + counts[severity], 0)
}

const groups = ['all', 'plane', 'rule', 'repository', 'model'] as const

function outcomesOf(amounts: readonly Omit<OutcomeAmount, 'day'>[]): Trends['outcomes'] {
  return groups.flatMap((by) => {
    const names = Map.groupBy(
      amounts.filter((one) => one.by === by),
      ({ name }) => name,
    )
    return [...names]
      .map(([name, own]) => {
        const of = (outcome: string) => own.find((one) => one.outcome === outcome)?.amount ?? 0
        const [right, wrong] = [of('right'), of('wrong')]
        const [unimportant, undecided] = [of('unimportant'), of('undecided')]
        const decided = right + wrong + unimportant
        const all = decided + undecided
        return {
          by,
          name,
          tally: { right, wrong, unimportant, undecided },
          precision: decided === 0 ? null : { share: right / decided, ...wilson(right, decided) },
          addressed: all === 0 ? null : right / all,
          dismissed: all === 0 ? null : (wrong + unimportant) / all,
        }
      })
      .sort((a, b) => totalOf(b) - totalOf(a) || (a.name < b.name ? -1 : 1))
      .slice(0, mostNames)
  })
}

function totalOf({ tally }: Trends['outcomes'][number]): number {
  return Object.values(tally).reduce((sum, one) => sum + one, 0)
}
