/**
 * A catalog in tables, in the SQL that SQLite and PostgreSQL have in common. Lists read a narrow table and fetch the rows
 * themselves for one page only; trends read amounts that were added up before.
 */
import { compareText } from '../../base/compare-text.ts'
import { traceIdsOf } from '../../domain/trace-ids.ts'
import { addAmounts, amountTables, namesOf, orNone, readTrends } from './amounts.ts'
import type { Catalog, CataloguedRun, OutcomeAmount, RunFilter, Within } from './contract.ts'
import { isReviewOfPush, RunRow } from './contract.ts'
import { insertRows, placeholders, type SqlBackend, type SqlParameter, type SqlQueries } from './sql.ts'
import { putGraph } from './sql-graph.ts'

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
  // How many reviews there are of each repository, without counting them; replays, questions and proofs are none.
  `create table run_repository (
    tenant text not null,
    repository text not null,
    runs int not null,
    last_run_at text not null,
    primary key (tenant, repository)
  )`,
  ...amountTables,
]

/** Rows in one statement with a parameter for each value: far below what either database takes. */
const batch = 400
/** Runs in one transaction: amounts that many of them share are written once. */
const runsAtOnce = 1_000
export function openSqlCatalog(database: SqlBackend, tenant: string): Catalog {
  return {
    async put(runs) {
      for (let at = 0; at < runs.length; at += runsAtOnce) {
        const part = runs.slice(at, at + runsAtOnce)
        await database.transaction(async (queries) => {
          await putRuns(queries, tenant, part)
          for (const { row, graph } of part)
            if (graph) await putGraph(queries, tenant, row.repository, graph, row.startedAt)
        })
      }
    },

    async remove(runs) {
      const left = new Set<string>()
      for (const run of runs)
        await database.transaction(async (queries) => {
          const [gone] = await queries.query<{ repository: string }>(
            'delete from run_catalog where tenant = $1 and run = $2 returning repository',
            [tenant, run],
          )
          if (!gone) return
          await queries.query('delete from run_row where tenant = $1 and run = $2', [tenant, run])
          left.add(gone.repository)
        })
      // All of them again: earlier versions counted every run.
      for (const repository of left)
        await database.query(
          `update run_repository set runs = (
             select count(*) from run_catalog where tenant = $1 and repository = $2 and kind = 'review'
           ) where tenant = $1 and repository = $2`,
          [tenant, repository],
        )
    },

    async get(run) {
      const [found] = await database.query<{ body: string }>(
        'select body from run_row where tenant = $1 and run = $2',
        [tenant, run],
      )
      return found ? rowOf(found) : null
    },

    async list(filter, { before, limit }) {
      const { where, parameters } = conditions(filter, tenant, before)
      const found = await database.query<{ body: string }>(
        `select run_row.body from (
           select run from run_catalog where ${where} order by run desc limit $${parameters.length + 1}
         ) chosen join run_row on run_row.tenant = $1 and run_row.run = chosen.run order by chosen.run desc`,
        [...parameters, limit],
      )
      return found.map(rowOf)
    },

    async changes(filter, { before, limit }) {
      const { where, parameters } = conditions(filter, tenant, before)
      const found = await database.query<{ body: string }>(
        `select run_row.body from (
           select run from run_catalog where ${where} and ${isNewestOfChange}
           order by run desc limit $${parameters.length + 1}
         ) chosen join run_row on run_row.tenant = $1 and run_row.run = chosen.run order by chosen.run desc`,
        [...parameters, limit],
      )
      const rows = found.map(rowOf)
      const about = Map.groupBy(await runsAbout(database, tenant, rows), changeName)
      return rows.map((newest) => ({ newest, about: about.get(changeName(newest)) ?? [newest] }))
    },

    async names(only) {
      const rows = await database.query<{ run: string }>(
        `select run from run_catalog where tenant = $1${only ? " and state = 'running'" : ''} order by run desc`,
        [tenant],
      )
      return rows.map(({ run }) => run)
    },

    async repositories() {
      return await database.query<{ name: string; runs: number; lastRunAt: string }>(
        `select repository as name, runs, last_run_at as "lastRunAt" from run_repository
         where tenant = $1 order by repository`,
        [tenant],
      )
    },

    async trends(range) {
      return await readTrends(database, tenant, range)
    },

    async putOutcomes(repository, outcomes) {
      await database.transaction(async (queries) => {
        // One writer at a time in a repository: of two that delete before either inserts, the second finds the rows of the first.
        await queries.query('update run_repository set runs = runs where tenant = $1 and repository = $2', [
          tenant,
          repository,
        ])
        await queries.query('delete from run_outcome where tenant = $1 and repository = $2', [
          tenant,
          repository,
        ])
        for (let at = 0; at < outcomes.length; at += batch)
          await insertRows(
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
      return await database.query<Omit<OutcomeAmount, 'day'>>(
        `select by_what as "by", name, outcome, sum(amount) as amount from run_outcome
         where tenant = $1 and day >= $2 and day < $3${names ? ` and repository in (${placeholders(names, 4)})` : ''}
         group by by_what, name, outcome`,
        [tenant, from, to, ...(names ?? [])],
      )
    },
  }
}

/** Reviews of local changes have no number, and nothing replaces them. */
const isNewestOfChange = `(change_number is null or kind = 'review' and not exists (
  select 1 from run_catalog newer where newer.tenant = run_catalog.tenant and newer.repository = run_catalog.repository
    and newer.change_number = run_catalog.change_number and newer.kind = 'review' and newer.run > run_catalog.run))`

function changeName({ repository, change, run }: RunRow): string {
  return change === null ? run : `${repository}#${change}`
}

/** All runs about these changes, the newest first. */
async function runsAbout(database: SqlBackend, tenant: string, rows: readonly RunRow[]): Promise<RunRow[]> {
  const changes = rows.filter(({ change }) => change !== null)
  if (changes.length === 0) return []
  const either = changes.map((_, at) => `repository = $${2 * at + 2} and change_number = $${2 * at + 3}`)
  const found = await database.query<{ body: string }>(
    `select run_row.body from run_catalog join run_row on run_row.tenant = $1 and run_row.run = run_catalog.run
     where run_catalog.tenant = $1 and (${either.join(' or ')}) order by run_catalog.run desc`,
    [tenant, ...changes.flatMap(({ repository, change }) => [repository, change])],
  )
  return found.map(rowOf)
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
  const changed = await insertRows<{ run: string }>(
    queries,
    'run_catalog (tenant, run, started_at, kind, repository, change_number, depth, state, word, words, is_counted)',
    runs.map(({ row }) => [
      tenant,
      row.run,
      row.startedAt,
      // Versions that know no replays list them as reviews, and read their rows all the same.
      row.isReplay ? 'replay' : row.kind,
      row.repository,
      row.change,
      row.depth,
      row.state,
      row.word,
      wordsOf(row),
      row.state === 'running' ? 0 : 1,
    ]),
    `on conflict (tenant, run) do update set state = excluded.state, word = excluded.word, words = excluded.words,
       is_counted = excluded.is_counted where run_catalog.is_counted = 0 returning run`,
  )
  await insertRows(
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

/** What a filter finds a run by; its trace, since that is what logs and collectors have. */
function wordsOf({ run, repository, label, title }: RunRow): string {
  return `${run} ${traceIdsOf(run).traceId} ${repository} ${label} ${title}`.toLowerCase().slice(0, 2_000)
}

async function addRepositories(queries: SqlQueries, tenant: string, rows: readonly RunRow[]): Promise<void> {
  const groups = [...Map.groupBy(rows, ({ repository }) => repository)].sort(([a], [b]) => compareText(a, b))
  await insertRows(
    queries,
    'run_repository (tenant, repository, runs, last_run_at)',
    groups.map(([repository, own]) => [
      ...[tenant, repository, own.filter(isReviewOfPush).length, newestOf(own)],
    ]),
    `on conflict (tenant, repository) do update set runs = run_repository.runs + excluded.runs,
       last_run_at = case when excluded.last_run_at > run_repository.last_run_at
         then excluded.last_run_at else run_repository.last_run_at end`,
  )
}

function newestOf(rows: readonly RunRow[]): string {
  return rows.reduce((newest, { startedAt }) => (startedAt > newest ? startedAt : newest), '')
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
    parts.push(`repository in (${placeholders(names, parameters.length + 1)})`)
    parameters.push(...names)
  }
  return { where: parts.join(' and '), parameters }
}

function rowOf({ body }: { body: string }): RunRow {
  return RunRow.parse(JSON.parse(body))
}
