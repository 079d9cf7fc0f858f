/**
 * What trends are made of: amounts that were added up when runs were put in, for each repository and, under an empty name,
 * for all of them. A row has all amounts of a day or of a month, so a trend costs as much as it has days, however many runs
 * there were.
 */
import { remembered } from '../../base/remembered.ts'
import type { Amount, CataloguedRun, DayAmount, TrendRange, Within } from './contract.ts'
import { insertRows, placeholders, type SqlQueries } from './sql.ts'

export const amountTables: readonly string[] = [
  `create table run_amount (
    tenant text not null,
    scale text not null,
    repository text not null,
    period text not null,
    -- JSON: lists of a kind, a name, and buckets with their amounts.
    amounts text not null,
    primary key (tenant, scale, repository, period)
  )`,
  // Its row is held by whoever adds amounts, since they are read before they are written.
  `create table run_amount_writes (
    tenant text primary key,
    writes bigint not null
  )`,
]

/**
 * `shown`: of one day, what trends show day by day. `day` and `month`: what they show of a range as a whole; a year is then
 * twelve months and some days.
 */
type Scale = 'shown' | 'day' | 'month'

/** Under this name, amounts of all repositories. */
const all = ''
/** Rows in one statement. */
const batch = 200

/** Within a transaction. Each run must be given once in its life. */
export async function addAmounts(
  queries: SqlQueries,
  tenant: string,
  runs: readonly CataloguedRun[],
): Promise<void> {
  const fresh = new Map<string, Period>()
  const periodOf = (scale: Scale, repository: string, period: string): Period => {
    const key = [scale, repository, period].join('\0')
    return remembered(fresh, key, () => ({ scale, repository, period, sums: new Sums() }))
  }
  for (const { row, amounts } of runs)
    for (const repository of [all, row.repository])
      for (const amount of amounts) {
        const day = row.startedAt.slice(0, 10)
        if (isShownByDay(amount)) periodOf('shown', repository, day).sums.add(amount)
        if (!isShownAsWhole(amount)) continue
        periodOf('day', repository, day).sums.add(amount)
        periodOf('month', repository, monthOf(day)).sums.add(amount)
      }
  if (fresh.size === 0) return
  await queries.query(
    `insert into run_amount_writes (tenant, writes) values ($1, 1)
     on conflict (tenant) do update set writes = run_amount_writes.writes + 1`,
    [tenant],
  )
  const periods = [...fresh.values()]
  for (let at = 0; at < periods.length; at += batch)
    await addPeriods(queries, tenant, periods.slice(at, at + batch))
}

type Period = { scale: Scale; repository: string; period: string; sums: Sums }

async function addPeriods(queries: SqlQueries, tenant: string, periods: readonly Period[]): Promise<void> {
  const keys = periods.map((_, at) => `($${at * 3 + 2}, $${at * 3 + 3}, $${at * 3 + 4})`).join(', ')
  const known = await queries.query<{ scale: string; repository: string; period: string; amounts: string }>(
    `select scale, repository, period, amounts from run_amount
     where tenant = $1 and (scale, repository, period) in (values ${keys})`,
    [tenant, ...periods.flatMap(({ scale, repository, period }) => [scale, repository, period])],
  )
  for (const { scale, repository, period, amounts } of known)
    periods
      .find((one) => one.scale === scale && one.repository === repository && one.period === period)
      ?.sums.addAll(amounts)
  await insertRows(
    queries,
    'run_amount (tenant, scale, repository, period, amounts)',
    periods.map(({ scale, repository, period, sums }) => [tenant, scale, repository, period, sums.text()]),
    'on conflict (tenant, scale, repository, period) do update set amounts = excluded.amounts',
  )
}

export async function readTrends(
  queries: SqlQueries,
  tenant: string,
  { from, to, repository, among }: TrendRange,
): Promise<{ days: DayAmount[]; whole: Amount[] }> {
  const names = namesOf(repository, among)
  const months = monthsWithin(from, to)
  const ranges: readonly (readonly [scale: Scale, from: string, to: string])[] = [
    ['shown', from, to],
    ...(months
      ? ([
          ['day', from, `${months.from}-01`],
          ['month', months.from, months.to],
          ['day', `${months.to}-01`, to],
        ] as const)
      : ([['day', from, to]] as const)),
  ]
  const rows = await queries.query<{ scale: Scale; period: string; amounts: string }>(
    ranges
      .map(
        (_, at) =>
          // Rows of many repositories are joined before they leave the database.
          `select scale, period, string_agg(amounts, ',') as amounts from run_amount
           where tenant = $1 and scale = $${at * 3 + 2} and period >= $${at * 3 + 3} and period < $${at * 3 + 4}
             and repository in (${placeholders(names, ranges.length * 3 + 2)})
           group by scale, period`,
      )
      .join(' union all '),
    [tenant, ...ranges.flat(), ...names],
  )
  const [days, whole] = [new Map<string, Sums>(), new Sums()]
  for (const { scale, period, amounts } of rows) {
    if (scale !== 'shown') {
      whole.addAll(amounts)
      continue
    }
    remembered(days, period, () => new Sums()).addAll(amounts)
  }
  return {
    days: [...days].flatMap(([day, sums]) => sums.list().map((amount) => ({ day, ...amount }))),
    // Of one repository, all findings are its own.
    whole: whole.list().filter(({ kind }) => repository === undefined || kind !== 'repository'),
  }
}

/** The rows of amounts that a range is about. */
export function namesOf(repository: string | undefined, among: Within['among']): readonly string[] {
  if (repository === undefined) return among ? orNone(among) : [all]
  return !among || among.includes(repository) ? [repository] : none
}

/** No repository has this name; a list in SQL must not be empty. */
const none: readonly string[] = ['-']

export function orNone(names: readonly string[]): readonly string[] {
  return names.length === 0 ? none : names
}

function isShownByDay({ kind, name }: Amount): boolean {
  return kind === 'sum' || kind === 'severity' || (kind === 'stage' && name === 'run')
}

function isShownAsWhole({ kind }: Amount): boolean {
  return kind !== 'sum' && kind !== 'severity'
}

/** A kind and a name, then a bucket and its amount, and so on: flat lists are read several times as fast as objects. */
type Listed = readonly (readonly [kind: Amount['kind'], name: string, ...numbers: number[]])[]

class Sums {
  private readonly kinds = new Map<Amount['kind'], Map<string, Map<number, number>>>()

  add({ kind, name, bucket, amount }: Amount): void {
    const buckets = this.buckets(kind, name)
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + amount)
  }

  /** `texts`: as `text` gave them, with commas between them. */
  addAll(texts: string): void {
    for (const entry of (JSON.parse(`[${texts}]`) as Listed[]).flat()) {
      const buckets = this.buckets(entry[0], entry[1])
      for (let at = 2; at < entry.length; at += 2) {
        const bucket = Number(entry[at])
        buckets.set(bucket, (buckets.get(bucket) ?? 0) + Number(entry[at + 1]))
      }
    }
  }

  text(): string {
    const listed: Listed = [...this.kinds].flatMap(([kind, names]) =>
      [...names].map(([name, buckets]) => [kind, name, ...[...buckets].flat()] as const),
    )
    return JSON.stringify(listed)
  }

  list(): Amount[] {
    return [...this.kinds].flatMap(([kind, names]) =>
      [...names].flatMap(([name, buckets]) =>
        [...buckets].map(([bucket, amount]) => ({ kind, name, bucket, amount })),
      ),
    )
  }

  private buckets(kind: Amount['kind'], name: string): Map<number, number> {
    const names = remembered(this.kinds, kind, () => new Map<string, Map<number, number>>())
    return remembered(names, name, () => new Map<number, number>())
  }
}

function monthOf(day: string): string {
  return day.slice(0, 7)
}

/** The whole months of a range, from inclusive, to exclusive; null when it has none. */
function monthsWithin(from: string, to: string): { from: string; to: string } | null {
  const first = from.endsWith('-01') ? monthOf(from) : monthAfter(monthOf(from))
  return first < monthOf(to) ? { from: first, to: monthOf(to) } : null
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

/** Durations fall into buckets whose bounds are 10 % apart, so that a percentile is within 5 % of the true one. */
const step = Math.log(1.1)

export function bucketOf(durationMs: number): number {
  return durationMs < 1 ? 0 : 1 + Math.floor(Math.log(durationMs) / step)
}

/** The middle of a bucket, in milliseconds. */
function middleOf(bucket: number): number {
  return bucket === 0 ? 0.5 : Math.exp((bucket - 0.5) * step)
}

/** `share` 0.95: the value that 95 % are not above. Null for nothing. */
export function percentile(
  buckets: readonly Pick<Amount, 'bucket' | 'amount'>[],
  share: number,
): number | null {
  const sorted = [...buckets].sort((a, b) => a.bucket - b.bucket)
  const total = sorted.reduce((sum, { amount }) => sum + amount, 0)
  if (total === 0) return null
  let left = share * total
  for (const { bucket, amount } of sorted) {
    left -= amount
    if (left <= 1e-9) return middleOf(bucket)
  }
  return middleOf(sorted.at(-1)?.bucket ?? 0)
}
