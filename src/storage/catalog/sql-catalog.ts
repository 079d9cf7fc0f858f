/**
 * A catalog in tables, in the SQL that SQLite and PostgreSQL have in common. Lists read a narrow table and fetch the rows
 * themselves for one page only. Trends read amounts that were added up by day when runs were put in, for each repository
 * and, under an empty name, for all of them: what they cost depends on days, not on runs.
 */
import type {
  Amount,
  Catalog,
  CataloguedRun,
  DayAmount,
  OutcomeAmount,
  RunFilter,
  Within,
} from './contract.ts'
import { RunRow } from './contract.ts'

export type SqlParameter = string | number | boolean | null

export type SqlQueries = {
  query<Row extends Record<string, unknown>>(
    statement: string,
    parameters?: readonly (SqlParameter | readonly string[] | readonly number[])[],
  ): Promise<Row[]>
  /** Runs one statement for each list of parameters. Only where that is faster than lists as parameters. */
  each?(statement: string, rows: readonly (readonly SqlParameter[])[]): Promise<void>
}

/** A database with the tables of `catalogTables`. */
export type SqlHome = SqlQueries & { transaction<T>(work: (queries: SqlQueries) => Promise<T>): Promise<T> }

export const catalogTables: readonly string[] = [
  `create table run_catalog (
    tenant text not null,
    run text not null,
    started_at text not null,
    kind text not null,
    repository text not null,
    change_number int,
    depth text not null,
    state text not null,
    word text,
    -- In lower case.
    words text not null,
    -- Its amounts are in the tables below.
    is_counted int not null,
    primary key (tenant, run)
  )`,
  'create index run_catalog_repository on run_catalog (tenant, repository, run)',
  'create index run_catalog_state on run_catalog (tenant, state, run)',
  'create index run_catalog_word on run_catalog (tenant, word, run)',
  // JSON of the whole row.
  `create table run_row (
    tenant text not null,
    run text not null,
    body text not null,
    primary key (tenant, run)
  )`,
  `create table run_amount (
    tenant text not null,
    repository text not null,
    day text not null,
    kind text not null,
    name text not null,
    bucket int not null,
    amount double precision not null,
    primary key (tenant, repository, day, kind, name, bucket)
  )`,
  // The same by month, of the kinds that are asked for as a whole: a year is then twelve months and some days.
  `create table run_month (
    tenant text not null,
    repository text not null,
    month text not null,
    kind text not null,
    name text not null,
    bucket int not null,
    amount double precision not null,
    primary key (tenant, repository, month, kind, name, bucket)
  )`,
  `create table run_outcome (
    tenant text not null,
    repository text not null,
    day text not null,
    by_what text not null,
    name text not null,
    outcome text not null,
    amount double precision not null,
    primary key (tenant, repository, day, by_what, name, outcome)
  )`,
  // How many runs there are of each repository, without counting them.
  `create table run_repository (
    tenant text not null,
    repository text not null,
    runs int not null,
    last_run_at text not null,
    primary key (tenant, repository)
  )`,
]

/** Under this name, amounts of all repositories. */
const all = ''
/** Rows in one statement with a parameter for each value: far below what either database takes. */
const batch = 400
/** Runs in one transaction: amounts that many of them share are written once. */
const runsAtOnce = 1_000
/** Rows in one statement with a list for each column. */
const longBatch = 20_000

export function openSqlCatalog(home: SqlHome, tenant: string): Catalog {
  return {
    async put(runs) {
      for (let at = 0; at < runs.length; at += runsAtOnce)
        await home.transaction((queries) => putRuns(queries, tenant, runs.slice(at, at + runsAtOnce)))
    },

    async remove(runs) {
      for (const run of runs)
        await home.transaction(async (queries) => {
          const [gone] = await queries.query<{ repository: string }>(
            'delete from run_catalog where tenant = $1 and run = $2 returning repository',
            [tenant, run],
          )
          if (!gone) return
          await queries.query('delete from run_row where tenant = $1 and run = $2', [tenant, run])
          await queries.query(
            'update run_repository set runs = runs - 1 where tenant = $1 and repository = $2',
            [tenant, gone.repository],
          )
        })
    },

    async get(run) {
      const [found] = await home.query<{ body: string }>(
        'select body from run_row where tenant = $1 and run = $2',
        [tenant, run],
      )
      return found ? rowOf(found) : null
    },

    async list(filter, { before, limit }) {
      const { where, parameters } = conditions(filter, tenant, before)
      const found = await home.query<{ body: string }>(
        `select run_row.body from (
           select run from run_catalog where ${where} order by run desc limit $${parameters.length + 1}
         ) chosen join run_row on run_row.tenant = $1 and run_row.run = chosen.run order by chosen.run desc`,
        [...parameters, limit],
      )
      return found.map(rowOf)
    },

    async names(only) {
      const rows = await home.query<{ run: string }>(
        `select run from run_catalog where tenant = $1${only ? " and state = 'running'" : ''} order by run desc`,
        [tenant],
      )
      return rows.map(({ run }) => run)
    },

    async repositories() {
      return await home.query<{ name: string; runs: number; lastRunAt: string }>(
        `select repository as name, runs, last_run_at as "lastRunAt" from run_repository
         where tenant = $1 order by repository`,
        [tenant],
      )
    },

    async trends({ from, to, repository, among }) {
      const months = monthsWithin(from, to)
      const names = namesOf(repository, among)
      // Findings by repository are counted among all repositories only.
      const isListed = repository === undefined && among
      const kept = (first: number): string => {
        const own = `repository in (${places(names, first)})`
        if (!isListed) return own
        return `(${own} or (repository = '${all}' and kind = 'repository' and name in (${places(names, first)})))`
      }
      const asWhole = "kind in ('plane', 'rule', 'repository', 'stage')"
      const [days, whole] = await Promise.all([
        home.query<DayAmount>(
          `select day, kind, name, bucket, sum(amount) as amount from run_amount
           where tenant = $1 and day >= $2 and day < $3 and ${kept(4)}
             and (kind in ('sum', 'severity') or (kind = 'stage' and name = 'run'))
           group by day, kind, name, bucket`,
          [tenant, from, to, ...names],
        ),
        home.query<Amount>(
          `select kind, name, bucket, sum(amount) as amount from (
             select kind, name, bucket, amount from run_amount
               where tenant = $1 and day >= $2 and day < $3 and ${kept(8)} and ${asWhole}
             union all
             select kind, name, bucket, amount from run_amount
               where tenant = $1 and day >= $4 and day < $5 and ${kept(8)} and ${asWhole}
             union all
             select kind, name, bucket, amount from run_month
               where tenant = $1 and month >= $6 and month < $7 and ${kept(8)}
           ) parts group by kind, name, bucket`,
          [
            tenant,
            ...(months
              ? [from, `${months.from}-01`, `${months.to}-01`, to, months.from, months.to]
              : [from, to, to, to, '', '']),
            ...names,
          ],
        ),
      ])
      return { days, whole }
    },

    async putOutcomes(repository, outcomes) {
      await home.transaction(async (queries) => {
        await queries.query('delete from run_outcome where tenant = $1 and repository = $2', [
          tenant,
          repository,
        ])
        for (let at = 0; at < outcomes.length; at += batch)
          await insert(
            queries,
            'run_outcome (tenant, repository, day, by_what, name, outcome, amount)',
            outcomes
              .slice(at, at + batch)
              .map(({ day, by, name, outcome, amount }) => [
                tenant,
                repository,
                day,
                by,
                name,
                outcome,
                amount,
              ]),
          )
      })
    },

    async outcomes({ from, to, repository, among }) {
      const names = repository === undefined && !among ? null : namesOf(repository, among)
      return await home.query<Omit<OutcomeAmount, 'day'>>(
        `select by_what as "by", name, outcome, sum(amount) as amount from run_outcome
         where tenant = $1 and day >= $2 and day < $3${names ? ` and repository in (${places(names, 4)})` : ''}
         group by by_what, name, outcome`,
        [tenant, from, to, ...(names ?? [])],
      )
    },
  }
}

/** The rows of amounts that a range is about. */
function namesOf(repository: string | undefined, among: Within['among']): readonly string[] {
  if (repository === undefined) return among ? orNone(among) : [all]
  return !among || among.includes(repository) ? [repository] : none
}

/** No repository has this name; a list in SQL must not be empty. */
const none: readonly string[] = ['-']

function orNone(names: readonly string[]): readonly string[] {
  return names.length === 0 ? none : names
}

/** `$4, $5, $6`. */
function places(names: readonly string[], first: number): string {
  return names.map((_, at) => `$${first + at}`).join(', ')
}

async function putRuns(queries: SqlQueries, tenant: string, runs: readonly CataloguedRun[]): Promise<void> {
  const fresh: RunRow[] = []
  const counted: CataloguedRun[] = []
  for (let at = 0; at < runs.length; at += batch) {
    const put = await putRows(queries, tenant, runs.slice(at, at + batch))
    fresh.push(...put.fresh)
    counted.push(...put.counted)
  }
  await addRepositories(queries, tenant, fresh)
  await addAmounts(queries, tenant, counted)
}

/** `fresh`: rows that were not there. `counted`: runs whose amounts nobody has added yet. */
async function putRows(
  queries: SqlQueries,
  tenant: string,
  runs: readonly CataloguedRun[],
): Promise<{ fresh: RunRow[]; counted: CataloguedRun[] }> {
  const known = new Map(
    (
      await queries.query<{ run: string; isCounted: number }>(
        `select run, is_counted as "isCounted" from run_catalog
         where tenant = $1 and run in (${runs.map((_, at) => `$${at + 2}`).join(', ')})`,
        [tenant, ...runs.map(({ row }) => row.run)],
      )
    ).map(({ run, isCounted }) => [run, isCounted === 1]),
  )
  // A row that another process counts at this moment is counted by it alone: of two that insert or update, one is first.
  const changed = await insert<{ run: string }>(
    queries,
    'run_catalog (tenant, run, started_at, kind, repository, change_number, depth, state, word, words, is_counted)',
    runs.map(({ row }) => [
      tenant,
      row.run,
      row.startedAt,
      row.kind,
      row.repository,
      row.change,
      row.depth,
      row.state,
      row.word,
      `${row.run} ${row.repository} ${row.label} ${row.title}`.toLowerCase().slice(0, 2_000),
      row.state === 'running' ? 0 : 1,
    ]),
    `on conflict (tenant, run) do update set state = excluded.state, word = excluded.word, words = excluded.words,
       is_counted = excluded.is_counted where run_catalog.is_counted = 0 returning run`,
  )
  await insert(
    queries,
    'run_row (tenant, run, body)',
    runs.map(({ row }) => [tenant, row.run, JSON.stringify(row)]),
    'on conflict (tenant, run) do update set body = excluded.body',
  )
  const taken = new Set(changed.map(({ run }) => run))
  return {
    fresh: runs.flatMap(({ row }) => (taken.has(row.run) && !known.has(row.run) ? [row] : [])),
    counted: runs.filter(({ row }) => taken.has(row.run) && row.state !== 'running'),
  }
}

async function addRepositories(queries: SqlQueries, tenant: string, rows: readonly RunRow[]): Promise<void> {
  const groups = [...Map.groupBy(rows, ({ repository }) => repository)].sort(([a], [b]) => (a < b ? -1 : 1))
  await insert(
    queries,
    'run_repository (tenant, repository, runs, last_run_at)',
    groups.map(([repository, own]) => [tenant, repository, own.length, newestOf(own)]),
    `on conflict (tenant, repository) do update set runs = run_repository.runs + excluded.runs,
       last_run_at = case when excluded.last_run_at > run_repository.last_run_at
         then excluded.last_run_at else run_repository.last_run_at end`,
  )
}

function newestOf(rows: readonly RunRow[]): string {
  return rows.reduce((newest, { startedAt }) => (startedAt > newest ? startedAt : newest), '')
}

async function addAmounts(
  queries: SqlQueries,
  tenant: string,
  runs: readonly CataloguedRun[],
): Promise<void> {
  const [days, months] = [new Map<string, Sum>(), new Map<string, Sum>()]
  for (const { row, amounts } of runs)
    for (const repository of [all, row.repository])
      for (const { kind, name, bucket, amount } of amounts) {
        if (kind === 'repository' && repository !== all) continue
        const day = row.startedAt.slice(0, 10)
        addTo(days, [tenant, repository, day, kind, name, bucket], amount)
        const isWhole = kind !== 'sum' && kind !== 'severity'
        if (isWhole) addTo(months, [tenant, repository, monthOf(day), kind, name, bucket], amount)
      }
  await addSums(queries, 'run_amount', 'day', days)
  await addSums(queries, 'run_month', 'month', months)
}

type SumKey = [tenant: string, repository: string, time: string, kind: string, name: string, bucket: number]
type Sum = { key: SumKey; amount: number }

function addTo(sums: Map<string, Sum>, key: SumKey, amount: number): void {
  const text = key.join('\0')
  const sum = sums.get(text)
  if (sum) sum.amount += amount
  else sums.set(text, { key, amount })
}

async function addSums(
  queries: SqlQueries,
  table: string,
  time: 'day' | 'month',
  sums: ReadonlyMap<string, Sum>,
): Promise<void> {
  // Always in one order, so that two processes that add to the same rows wait for each other and never in a circle.
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
  const into = `insert into ${table} (tenant, repository, ${time}, kind, name, bucket, amount)`
  const then = `on conflict (tenant, repository, ${time}, kind, name, bucket)
    do update set amount = ${table}.amount + excluded.amount`
  if (queries.each)
    return await queries.each(
      `${into} values ($1, $2, $3, $4, $5, $6, $7) ${then}`,
      rows.map(({ key, amount }) => [...key, amount]),
    )
  for (let at = 0; at < rows.length; at += longBatch) {
    const part = rows.slice(at, at + longBatch)
    const texts = [0, 1, 2, 3, 4].map((column) => part.map(({ key }) => String(key[column])))
    await queries.query(
      `${into} select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::float8[])
       ${then}`,
      [...texts, part.map(({ key }) => key[5]), part.map(({ amount }) => amount)],
    )
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

async function insert<Row extends Record<string, unknown>>(
  queries: SqlQueries,
  into: string,
  rows: readonly (readonly SqlParameter[])[],
  then = '',
): Promise<Row[]> {
  if (rows.length === 0) return []
  let at = 0
  const values = rows.map((row) => `(${row.map(() => `$${++at}`).join(', ')})`)
  return await queries.query<Row>(`insert into ${into} values ${values.join(', ')} ${then}`, rows.flat())
}

function conditions(
  { repository, change, state, word, depth, kind, text, from, to, among }: RunFilter & Within,
  tenant: string,
  before: string | null,
): { where: string; parameters: SqlParameter[] } {
  const parameters: SqlParameter[] = [tenant]
  const parts = ['tenant = $1']
  const add = (condition: string, value: SqlParameter | undefined): void => {
    if (value === undefined || value === null) return
    parameters.push(value)
    parts.push(`${condition.replace('?', `$${parameters.length}`)}`)
  }
  add('run < ?', before)
  add('repository = ?', repository)
  add('change_number = ?', change)
  add('state = ?', state)
  add('word = ?', word)
  add('depth = ?', depth)
  add('kind = ?', kind)
  add('started_at >= ?', from)
  add('started_at < ?', to)
  const pattern = text
    ?.trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')
  add(`words like ? escape '\\'`, pattern ? `%${pattern}%` : undefined)
  if (among) {
    const names = orNone(among)
    parts.push(`repository in (${places(names, parameters.length + 1)})`)
    parameters.push(...names)
  }
  return { where: parts.join(' and '), parameters }
}

function rowOf({ body }: { body: string }): RunRow {
  return RunRow.parse(JSON.parse(body))
}

/** Durations fall into buckets whose bounds are 10 % apart, so that a percentile is within 5 % of the true one. */
const step = Math.log(1.1)

export function bucketOf(durationMs: number): number {
  return durationMs < 1 ? 0 : 1 + Math.floor(Math.log(durationMs) / step)
}

/** The middle of a bucket, in milliseconds. */
export function middleOf(bucket: number): number {
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
