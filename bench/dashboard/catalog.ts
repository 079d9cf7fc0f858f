/**
 * How long lists, filters and trends take over many runs, in each home of a catalog: SQLite (one machine), the embedded
 * database, and PostgreSQL where it is installed or `--url` is given. The runs are made up, of the shape of real ones.
 *
 *   node bench/dashboard/catalog.ts [--runs 100000] [--homes sqlite,embedded,postgres] [--seed 1] [--url postgres://…]
 *     [--folder FOLDER]
 *
 * With `--folder`, SQLite and the embedded database stay there, and the next call with the same seed goes on filling them.
 * Prints a table and writes bench/out/catalog.json. Exit code 1 when a question takes more than 300 ms.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { trendsOf } from '../../src/server/api/views/trends.ts'
import { openDatabase } from '../../src/server/database/open-database.ts'
import { bucketOf } from '../../src/storage/catalog/amounts.ts'
import type { Amount, Catalog, CataloguedRun, RunRow } from '../../src/storage/catalog/contract.ts'
import { openSqlCatalog } from '../../src/storage/catalog/sql-catalog.ts'
import { openSqlite } from '../../src/storage/catalog/sqlite.ts'
import { startPostgres } from '../../test/helpers/postgres.ts'
import { Random } from '../../test/helpers/random.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100000' },
    homes: { type: 'string', default: 'sqlite,embedded,postgres' },
    seed: { type: 'string', default: '1' },
    url: { type: 'string' },
    folder: { type: 'string' },
  },
})
const count = Number(values.runs)
const limitMs = 300
/** Runs that are put in at a time; what was put in is kept. */
const partSize = 8_000
const repeats = 15
const repositories = 40
const days = 365
const begin = Date.parse('2025-11-22T00:00:00Z')
const stages = ['collect', 'diff', 'context', 'planes', 'explore', 'review', 'validate', 'refute', 'conclude']
const planes = ['contract', 'tests', 'secrets', 'rules', 'correctness', 'security', 'performance', 'intent']
const seeded = new Random(Number(values.seed))
const random = () => seeded.next()
const pick = <One>(of: readonly [One, ...One[]]): One => of[Math.floor(random() * of.length)] ?? of[0]

function madeRun(at: number): CataloguedRun {
  const time = new Date(begin + Math.floor((at / count) * days * 86_400_000))
  const stamp = time.toISOString().replace(/[-:T]/g, '')
  const repository = `github.com/acme/service-${Math.floor(random() ** 2 * repositories)}`
  const durationMs = Math.round(20_000 * Math.exp(2 * random()))
  const findings = { critical: 0, high: 0, medium: 0, low: 0 }
  const amounts: Amount[] = []
  const add = (kind: Amount['kind'], name: string, bucket: number, amount = 1) =>
    amounts.push({ kind, name, bucket, amount })
  for (let left = Math.floor(random() * 6); left > 0; left--) {
    const severity = pick(['critical', 'high', 'medium', 'medium', 'low', 'low'] as const)
    const rank = ['critical', 'high', 'medium', 'low'].indexOf(severity)
    const plane = pick(['contract', ...planes])
    findings[severity]++
    add('severity', severity, rank)
    add('plane', plane, rank)
    add('rule', `${plane}/rule-${Math.floor(random() * 25)}`, rank)
    add('repository', repository, rank)
  }
  const row: RunRow = {
    run: `${stamp.slice(0, 8)}-${stamp.slice(8, 14)}-${at.toString(16).padStart(6, '0')}`,
    startedAt: time.toISOString(),
    kind: 'review',
    repository,
    change: at % 5_000,
    url: `https://${repository}/pull/${at % 5_000}`,
    label: `pull request ${at % 5_000}`,
    title: `${pick(['Fix', 'Add', 'Move', 'Speed up'])} the ${pick(['cart', 'parser', 'invoice', 'cache'])} of part ${at % 997}`,
    place: `${repository}/${at % 5_000}`,
    depth: pick(['standard', 'standard', 'deep', 'quick', 'offline']),
    state: 'finished',
    word:
      findings.critical + findings.high > 0
        ? 'REQUEST_CHANGES'
        : findings.medium > 0
          ? 'NEEDS_DISCUSSION'
          : 'APPROVE',
    headline: 'findings of every severity, of code and of models, in words of ours alone',
    complete: random() > 0.05,
    findings,
    candidates: 12,
    calls: 9,
    cachedCalls: Math.floor(random() * 9),
    tokens: { input: 60_000, cacheRead: 30_000, output: 2_000 },
    usd: random() * 0.4,
    unpricedCalls: 0,
    durationMs,
    damage: null,
  }
  const sums = {
    runs: 1,
    usd: row.usd,
    input: 60_000,
    cacheRead: 30_000,
    output: 2_000,
    calls: 9,
    cachedCalls: row.cachedCalls,
  }
  for (const [name, amount] of Object.entries(sums)) add('sum', name, 0, amount)
  for (const stage of stages) add('stage', stage, bucketOf((durationMs / stages.length) * (0.5 + random())))
  add('stage', 'run', bucketOf(durationMs))
  return { row, amounts }
}

type Question = { name: string; ask: (catalog: Catalog) => Promise<unknown> }

const page = { before: null, limit: 51 }
/** What somebody may read who may not read all. */
const half = Array.from({ length: repositories / 2 }, (_, at) => `github.com/acme/service-${at * 2}`)
const questions: Question[] = [
  { name: 'list, first page', ask: (catalog) => catalog.list({}, page) },
  {
    name: 'list, a page in the middle',
    ask: (catalog) => catalog.list({}, { ...page, before: '20260522-000000-000000' }),
  },
  {
    name: 'filter, repository',
    ask: (catalog) => catalog.list({ repository: 'github.com/acme/service-39' }, page),
  },
  {
    name: 'filter, verdict and depth',
    ask: (catalog) => catalog.list({ word: 'NEEDS_DISCUSSION', depth: 'deep' }, page),
  },
  { name: 'filter, words that one run has', ask: (catalog) => catalog.list({ text: '-000007' }, page) },
  {
    name: 'filter, nothing fits',
    ask: (catalog) => catalog.list({ word: 'INCOMPLETE', text: 'nowhere' }, page),
  },
  { name: 'names of repositories', ask: (catalog) => catalog.repositories() },
  {
    name: 'trends, 30 days',
    ask: (catalog) => trendsOf(catalog, { from: '2026-10-22', to: '2026-11-21' }, new Date(0)),
  },
  {
    name: 'trends, a year',
    ask: (catalog) => trendsOf(catalog, { from: '2025-11-22', to: '2026-11-22' }, new Date(0)),
  },
  {
    name: 'trends, a year of one repository',
    ask: (catalog) =>
      trendsOf(
        catalog,
        { from: '2025-11-22', to: '2026-11-22', repository: 'github.com/acme/service-0' },
        new Date(0),
      ),
  },
  {
    name: 'list, half of the repositories',
    ask: (catalog) => catalog.list({ among: half }, page),
  },
  {
    name: 'trends, a year of half of the repositories',
    ask: (catalog) => trendsOf(catalog, { from: '2025-11-22', to: '2026-11-22', among: half }, new Date(0)),
  },
]

type Home = { catalog: Catalog; close(): Promise<void> }

async function openHome(kind: string, folder: string): Promise<Home | null> {
  if (kind === 'sqlite') {
    const home = openSqlite(join(folder, 'catalog.sqlite'))
    return { catalog: openSqlCatalog(home, 'local'), close: async () => home.close() }
  }
  const server =
    kind === 'postgres' && values.url === undefined ? await startPostgres().catch(() => null) : null
  const url = kind === 'postgres' ? (values.url ?? server?.url) : undefined
  if (kind === 'postgres' && url === undefined) return null
  const database = await openDatabase({ url, folder: join(folder, 'database') })
  return {
    catalog: openSqlCatalog(database, 'acme'),
    async close() {
      await database.close()
      await server?.stop()
    },
  }
}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'sightline-catalog-'))
/** `cpuMs`: of this process, in which SQLite and the embedded database run too; the others' share of the machine is not in it. */
type Result = { home: string; question: string; medianMs: number; worstMs: number; cpuMs: number }
const results: Result[] = []
try {
  const runs = Array.from({ length: count }, (_, at) => madeRun(at))
  for (const kind of values.homes.split(',')) {
    const home = await openHome(kind, folder)
    if (!home) {
      console.log(`${kind}: not installed here, skipped`)
      continue
    }
    const filledAt = performance.now()
    const known = new Set(await home.catalog.names())
    const lacking = runs.filter(({ row }) => !known.has(row.run))
    for (let at = 0; at < lacking.length; at += partSize) {
      await home.catalog.put(lacking.slice(at, at + partSize))
      const done = known.size + Math.min(at + partSize, lacking.length)
      if (process.stderr.isTTY) process.stderr.write(`\r${kind}: ${done} of ${count} runs`)
    }
    console.log(
      `${kind}: ${lacking.length} of ${count} runs (seed ${values.seed}) put in ${Math.round(performance.now() - filledAt)} ms`,
    )
    for (const { name, ask } of questions) {
      const times: number[] = []
      const before = process.cpuUsage()
      for (let at = 0; at < repeats; at++) {
        const startedAt = performance.now()
        await ask(home.catalog)
        times.push(performance.now() - startedAt)
      }
      times.sort((a, b) => a - b)
      const [medianMs = 0, worstMs = 0] = [times[Math.floor(repeats / 2)], times.at(-1)]
      const { user, system } = process.cpuUsage(before)
      const cpuMs = (user + system) / 1000 / repeats
      results.push({ home: kind, question: name, medianMs, worstMs, cpuMs })
      console.log(
        `  ${name.padEnd(44)} median ${medianMs.toFixed(1).padStart(7)} ms, worst ${worstMs.toFixed(1).padStart(7)} ms, processor ${cpuMs.toFixed(1).padStart(6)} ms`,
      )
    }
    await home.close()
  }
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
}
mkdirSync('bench/out', { recursive: true })
writeFileSync(
  'bench/out/catalog.json',
  `${JSON.stringify({ runs: count, seed: Number(values.seed), results }, null, 2)}\n`,
)
if (results.some(({ medianMs }) => medianMs > limitMs)) process.exitCode = 1
