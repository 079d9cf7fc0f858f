/** The catalog in each of its homes: SQLite, the embedded database, and PostgreSQL where it is installed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bucketOf, percentile } from '../../../src/storage/catalog/amounts.ts'
import type { Amount, Catalog, CataloguedRun, RunRow } from '../../../src/storage/catalog/contract.ts'
import { graphOfReview } from '../../../src/storage/catalog/graph-of-review.ts'
import type { SqlBackend } from '../../../src/storage/catalog/sql.ts'
import { openSqlCatalog } from '../../../src/storage/catalog/sql-catalog.ts'
import { openSqlGraph } from '../../../src/storage/catalog/sql-graph.ts'
import { openSqlite } from '../../../src/storage/catalog/sqlite.ts'
import { describeDatabases } from '../../helpers/databases.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { sampleReview } from '../../helpers/sample-review.ts'
import { sampleRow } from '../../helpers/sample-row.ts'

let made = 0

function run(day: string, more: Partial<RunRow> = {}, amounts: Amount[] = []): CataloguedRun {
  const number = (++made).toString(16).padStart(6, '0')
  const row = sampleRow({
    run: `${day.replaceAll('-', '')}-120000-${number}`,
    startedAt: `${day}T12:00:00.000Z`,
    ...more,
  })
  return { row, amounts: [{ kind: 'sum', name: 'runs', bucket: 0, amount: 1 }, ...amounts] }
}

const rule = (amount: number): Amount => ({ kind: 'rule', name: 'a/b', bucket: 1, amount })

async function checkCatalog(catalog: Catalog): Promise<void> {
  const running = run('2026-03-05', { state: 'running', word: null })
  const others = [
    run('2026-01-31', { title: '100 % more_carts' }, [rule(1)]),
    run('2026-02-10', { repository: 'github.com/acme/api', change: 8 }, [rule(2)]),
    run('2026-02-20', { word: 'REQUEST_CHANGES' }, [rule(4)]),
    run('2026-03-01', {}, [rule(8)]),
  ]
  await catalog.put([...others, running])
  await catalog.put([...others, running])
  const names = [...others, running].map(({ row }) => row.run).sort()
  const list = async (filter: Parameters<Catalog['list']>[0], before: string | null = null, limit = 10) =>
    (await catalog.list(filter, { before, limit })).map(({ run: name }) => names.indexOf(name))
  expect(await list({})).toEqual([4, 3, 2, 1, 0])
  expect(await list({}, names[3], 2)).toEqual([2, 1])
  expect(await list({ repository: 'github.com/acme/api' })).toEqual([1])
  expect(await list({ change: 8, depth: 'standard' })).toEqual([1])
  expect(await list({ word: 'REQUEST_CHANGES' })).toEqual([2])
  expect(await list({ from: '2026-02-10', to: '2026-03-01' })).toEqual([2, 1])
  expect(await list({ text: 'E_CARTS' })).toEqual([0])
  expect(await list({ text: '% MORE' })).toEqual([0])
  const changes = async (
    filter: Parameters<Catalog['changes']>[0],
    before: string | null = null,
    limit = 10,
  ) =>
    (await catalog.changes(filter, { before, limit })).map(({ newest, about }) => [
      names.indexOf(newest.run),
      about.map(({ run: name }) => names.indexOf(name)),
    ])
  expect(await changes({})).toEqual([
    [4, [4, 3, 2, 0]],
    [1, [1]],
  ])
  expect(await changes({}, names[4])).toEqual([[1, [1]]])
  // Of a change, its newest review decides.
  expect(await changes({ word: 'REQUEST_CHANGES' })).toEqual([])
  expect(await changes({ among: ['github.com/acme/api'] })).toEqual([[1, [1]]])
  expect(await catalog.names('unfinished')).toEqual([running.row.run])
  expect(await catalog.repositories()).toMatchObject([
    { name: 'github.com/acme/api', runs: 1 },
    { name: 'github.com/acme/shop', runs: 4, lastRunAt: '2026-03-05T12:00:00.000Z' },
  ])

  // What is put twice counts once, what runs counts when it has finished, and months and days add up.
  const rules = async (from: string, to: string, repository?: string) =>
    (await catalog.trends({ from, to, repository })).whole.find(({ kind }) => kind === 'rule')?.amount ?? 0
  expect(await rules('2026-01-01', '2026-04-01')).toBe(15)
  expect(await rules('2026-01-15', '2026-03-02')).toBe(15)
  expect(await rules('2026-02-01', '2026-03-01')).toBe(6)
  expect(await rules('2026-02-11', '2026-02-28')).toBe(4)
  expect(await rules('2026-01-01', '2026-04-01', 'github.com/acme/api')).toBe(2)
  const runsOn = async () =>
    (await catalog.trends({ from: '2026-03-01', to: '2026-04-01' })).days
      .filter(({ kind }) => kind === 'sum')
      .map(({ day, amount }) => [day, amount])
  expect(await runsOn()).toEqual([['2026-03-01', 1]])
  await catalog.put([{ ...running, row: { ...running.row, state: 'finished' } }])
  expect((await runsOn()).sort()).toEqual([
    ['2026-03-01', 1],
    ['2026-03-05', 1],
  ])

  await catalog.remove([others[0]?.row.run ?? ''])
  expect(await list({})).toEqual([4, 3, 2, 1])
  expect(await rules('2026-01-01', '2026-02-01')).toBe(1)

  const outcome = { by: 'all', name: 'all findings', outcome: 'right' }
  for (const amount of [5, 3])
    await catalog.putOutcomes('github.com/acme/shop', [{ ...outcome, day: '2026-02-02', amount }])
  expect(await catalog.outcomes({ from: '2026-02-01', to: '2026-03-01' })).toEqual([
    { ...outcome, amount: 3 },
  ])
  expect(await catalog.outcomes({ from: '2026-03-01', to: '2026-03-02' })).toEqual([])
  // Several servers at once.
  await Promise.all(
    [1, 2, 3, 4, 5, 6].map(() =>
      catalog.putOutcomes('github.com/acme/shop', [{ ...outcome, day: '2026-02-02', amount: 7 }]),
    ),
  )
  expect(await catalog.outcomes({ from: '2026-02-01', to: '2026-03-01' })).toEqual([
    { ...outcome, amount: 7 },
  ])

  // A question is no review.
  const question = run('2026-03-06', { kind: 'question' })
  await catalog.put([question])
  const reviews = async () => (await catalog.repositories()).map(({ runs }) => runs)
  expect(await reviews()).toEqual([1, 3])
  await catalog.remove([question.row.run])
  expect(await reviews()).toEqual([1, 3])
}

/** What two reviews of one change, and one of another, say of the same file. */
async function checkGraph(home: SqlBackend, tenant: string): Promise<void> {
  const catalog = openSqlCatalog(home, tenant)
  const graph = openSqlGraph(home, tenant)
  const review = sampleReview()
  const part = (title: string) => graphOfReview({ ...review, request: { ...review.request, title } })
  const [first, second] = [run('2026-03-01'), run('2026-03-02')]
  await catalog.put([
    { ...second, graph: part('Newer title') },
    { ...first, graph: part('Older title') },
  ])
  await catalog.put([{ ...second, graph: part('Newer title') }])
  const paths = review.files.map(({ path }) => path)
  const found = await graph.reviewsOf('github.com/acme/shop', { paths, limit: 10 })
  expect(found).toEqual([
    expect.objectContaining({
      title: 'Newer title',
      reviewedAt: '2026-03-02T12:00:00.000Z',
      files: [...paths].sort(),
      overlaps: [],
    }),
  ])
  expect(found[0]?.findings).toHaveLength(new Set(review.findings.map(({ fingerprint }) => fingerprint)).size)
  expect(await graph.reviewsOf('github.com/acme/shop', { paths: ['absent.ts'], limit: 10 })).toEqual([])
  expect(await graph.reviewsOf('github.com/acme/api', { paths, limit: 10 })).toEqual([])
  expect(await openSqlGraph(home, 'initech').reviewsOf('github.com/acme/shop', { paths, limit: 10 })).toEqual(
    [],
  )
}

/** What broke after a change, and who was here last, from the reviews of two changes of the same function. */
async function checkPast(home: SqlBackend, tenant: string): Promise<void> {
  const catalog = openSqlCatalog(home, tenant)
  const graph = openSqlGraph(home, tenant)
  const review = sampleReview()
  const [path = ''] = review.files.map((file) => file.path)
  const code = {
    symbols: ['parse', 'Parser.next'],
    commits: [
      { commit: 'a1', author: 'Eve', day: '2025-05-01', subject: 'Parse (#3)', paths: [path], mentions: [] },
      {
        commit: 'b2',
        author: 'Bob',
        day: '2025-12-01',
        subject: 'OPS-7',
        paths: [path],
        mentions: ['OPS-7'],
      },
      { commit: 'c3', author: 'Bob', day: '2026-01-01', subject: 'Other', paths: ['other.ts'], mentions: [] },
    ],
  }
  const error = (id: string, name: string) => ({
    ...{ id, title: `${id} failed`, level: 'error', state: 'open' as const },
    ...{ events: 3, users: 1, lastSeen: '2026-03-05' },
    frames: [{ path: 'elsewhere.ts', line: 1, function: name }],
  })
  const reviewOf = (number: string, errors: ReturnType<typeof error>[]) => ({
    ...review,
    request: {
      ...review.request,
      ...{ title: `Change ${number}`, errors },
      head: { ...review.request.head, commit: number.repeat(40) },
    },
  })
  const old = error('sentry:A-1', 'parse')
  const later = [old, error('sentry:A-2', 'Parser.next'), error('sentry:A-3', 'render')]
  const graphOf = (number: string, errors: ReturnType<typeof error>[], symbols: string[]) =>
    graphOfReview(reviewOf(number, errors), { ...code, symbols })
  await catalog.put([{ ...run('2026-03-01'), graph: graphOf('1', [old], code.symbols) }])
  await catalog.put([{ ...run('2026-03-04'), graph: graphOf('2', later, ['render']) }])
  const found = await graph.reviewsOf('github.com/acme/shop', { paths: [], symbols: ['parse'], limit: 10 })
  expect(found.find(({ title }) => title === 'Change 1')).toMatchObject({
    symbols: ['Parser.next', 'parse'],
    errorsAfter: ['sentry:A-2 failed'],
  })
  const repository = 'github.com/acme/shop'
  expect(await graph.commitsOf(repository, { paths: [path], limit: 10 })).toEqual([
    { commit: 'b2', title: '2025-12-01 OPS-7', by: 'Bob', tickets: ['OPS-7'] },
    { commit: 'a1', title: '2025-05-01 Parse (#3)', by: 'Eve', tickets: [] },
  ])
  expect(await graph.commitsOf(repository, { paths: [], limit: 10 })).toEqual([])
  expect(await openSqlGraph(home, 'initech').commitsOf(repository, { paths: [path], limit: 10 })).toEqual([])
}

test('the graph in a file of SQLite', async () => {
  const home = openSqlite(':memory:')
  onTestFinished(() => home.close())
  await checkGraph(home, 'local')
  await checkPast(home, 'later')
})

test('lists, filters and trends in a file of SQLite', async () => {
  const home = openSqlite(join(temporaryFolder(), 'below', 'catalog.sqlite'))
  onTestFinished(() => home.close())
  await checkCatalog(openSqlCatalog(home, 'local'))
})

test('a damaged file is replaced by an empty one', async () => {
  const file = join(temporaryFolder(), 'catalog.sqlite')
  writeFileSync(file, 'this is no database, and it is long enough to be taken for one'.repeat(100))
  const home = openSqlite(file)
  onTestFinished(() => home.close())
  expect(await openSqlCatalog(home, 'local').names()).toEqual([])
})

test('percentiles are within 5 % of the true ones', () => {
  const durations = Array.from({ length: 2_000 }, (_, at) => 5 + at * 7)
  const buckets = durations.map((one) => ({ bucket: bucketOf(one), amount: 1 }))
  for (const share of [0.5, 0.95]) {
    const truth = durations[Math.ceil(share * durations.length) - 1] ?? 0
    expect(Math.abs((percentile(buckets, share) ?? 0) / truth - 1)).toBeLessThan(0.051)
  }
  expect(percentile([], 0.5)).toBeNull()
})

describeDatabases('the catalog', (world) => {
  test('the graph, of one tenant alone', async () => {
    await checkGraph(world.database(), 'hooli')
    await checkPast(world.database(), 'umbrella')
  })

  test('lists, filters and trends, of one tenant alone', async () => {
    const database = world.database()
    const other = openSqlCatalog(database, 'globex')
    await checkCatalog(openSqlCatalog(database, 'acme'))
    expect(await other.names()).toEqual([])
    expect(await other.repositories()).toEqual([])
    expect((await other.trends({ from: '2026-01-01', to: '2026-04-01' })).whole).toEqual([])
  })
})
