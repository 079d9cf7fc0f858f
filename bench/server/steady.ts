/**
 * Whether the memory of a server grows with its reviews: one process reviews pushes to small repositories as fast as it can,
 * and measures itself with all garbage collected. The first third, in which caches fill, is left out.
 *
 *   node bench/server/steady.ts [--reviews 1500] [--whole 20] [--every 10] [--seed 1] [--database postgres|embedded]
 *     [--seconds 3600] [--out FILE]
 *     [--snapshots 500,1500]
 *
 * `--whole`: every nth review has its three real processes, at depth offline; the others have light ones that answer at
 * once (`steady-server.ts`). Prints the slope of each measure for 1,000 reviews with its 95 % interval, of means of five
 * samples each, since neighbouring samples are alike. `--seconds`: ends
 * earlier. `--out`: the samples; heap
 * snapshots after so many reviews are written beside them.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { tablesOf } from '../../src/server/admin/tables.ts'
import type { Database } from '../../src/server/database/contract.ts'
import { openDatabase } from '../../src/server/database/open-database.ts'
import type { LimitSettings } from '../../test/helpers/hosts/github/limits.ts'
import type { FakeGitHub } from '../../test/helpers/hosts/github/server.ts'
import { startPostgres } from '../../test/helpers/postgres.ts'
import { Random } from '../../test/helpers/random.ts'
import { type Sample, slopeOf } from '../../test/week/growth.ts'
import { openWeekHost, type WeekHost } from '../../test/week/hosts.ts'
import { openBalancer, WeekServer } from '../../test/week/servers.ts'

export type Measured = {
  reviews: number
  rss: number
  heapUsed: number
  external: number
  arrayBuffers: number
  active: number
  handles: number
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      reviews: { type: 'string', default: '1500' },
      whole: { type: 'string', default: '20' },
      every: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      database: { type: 'string', default: 'postgres' },
      out: { type: 'string' },
      snapshots: { type: 'string' },
      seconds: { type: 'string', default: '3600' },
    },
  })
  const total = Number(values.reviews)
  const folder = mkdtempSync(join(tmpdir(), 'sightline-steady-'))
  const out = values.out ?? join(folder, 'samples')
  const postgres = values.database === 'postgres' ? await startPostgres() : null
  const env = {
    ...{ STEADY_OUT: out, STEADY_WHOLE: values.whole, STEADY_EVERY: values.every },
    ...(values.snapshots ? { STEADY_SNAPSHOTS: values.snapshots } : {}),
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
  }
  const entry = join(import.meta.dirname, 'steady-server.ts')
  const server = new WeekServer('server', { entry, folder, settings: {}, files: {}, env })
  const balancer = await openBalancer([server])
  const host = await openWeekHost('github', balancer.url)
  // What is measured is the server, and not how long GitHub lets it wait.
  const { limits } = host.fake as FakeGitHub
  for (const name of Object.keys(limits.settings) as (keyof LimitSettings)[])
    limits.settings[name] = name === 'retryAfterSeconds' ? 1 : Number.MAX_SAFE_INTEGER
  const { connection, files } = host.settings()
  server.place.files = { 'secret-key': randomBytes(32).toString('base64url'), ...files }
  server.place.settings = {
    ...{ listen: { port: 0 }, dataFolder: join(folder, 'data'), secretKey: { file: 'secret-key' } },
    ...{ connections: { github: connection }, policy: { depth: 'offline' } },
    ...(postgres ? { databaseUrl: { env: 'DATABASE_URL' } } : {}),
  }
  try {
    await server.start()
    const database = await openDatabase({ url: postgres?.url, folder: join(folder, 'data', 'database') })
    const startedAt = performance.now()
    const jobs = await play({
      ...{ host, database, total, seconds: Number(values.seconds) },
      random: new Random(Number(values.seed)),
    })
    const seconds = (performance.now() - startedAt) / 1000
    print(out, { seconds, jobs, seed: values.seed, whole: values.whole, crashes: server.crashes })
    const kept = readdirSync(join(folder, 'data'), { recursive: true }).length
    console.log(`files and rows     ${kept} files; ${await rowsOf(database)}`)
    await database.close()
  } finally {
    await server.stop()
    await balancer.close()
    await host.fake.close()
    postgres?.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

type Steady = { host: WeekHost; database: Database; total: number; seconds: number; random: Random }

const changeCount = 16
const mostAtOnce = 8

/** Pushes to one change request after the other, each only when its last review has ended. Resolves to jobs by state. */
async function play({ host, database, total, seconds, random }: Steady): Promise<string> {
  const until = performance.now() + seconds * 1000
  const changes = Array.from({ length: changeCount }, (_, at) => {
    const project = host.createProject('acme', `shop-${at}`, { 'README.md': '# Shop\n' })
    project.roles.set('ada', 'write')
    return project.open({ branch: 'topic', files: { 'a.ts': 'export const one = 1\n' } })
  })
  let sent = 0
  const state = async () => {
    const rows = await database.query<{ state: string; count: number; numbers: string[] }>(
      `select state, count(*)::int as count, array_agg(distinct lane) as numbers from job group by 1`,
    )
    const open = rows.filter(({ state }) => state === 'queued' || state === 'running')
    return { rows, ended: sum(rows) - sum(open), busy: open.flatMap(({ numbers }) => numbers).join(' ') }
  }
  for (;;) {
    const { rows, ended, busy } = await state()
    if (ended >= total || performance.now() > until)
      return rows.map(({ state: name, count }) => `${count} ${name}`).join(', ')
    const free = Math.min(mostAtOnce - (sent - ended), total - sent)
    for (let at = 0; at < free; at++) {
      const change = changes[sent % changes.length]
      if (!change || busy.includes(`${change.project.name}#`)) break
      if (sent >= changes.length)
        change.push({ 'a.ts': `export const one = ${random.between(2, 1_000_000)}\n` })
      await host.report({ change, action: sent < changes.length ? 'opened' : 'pushed' })
      sent += 1
    }
    // What the fake remembers of requests would be most of this process.
    ;(host.fake.log as unknown[]).length = 0
    await wait(20)
  }
}

const sum = (rows: readonly { count: number }[]) => rows.reduce((all, { count }) => all + count, 0)

async function rowsOf(database: Database): Promise<string> {
  const counts: string[] = []
  for (const name of await tablesOf(database)) {
    const [row] = await database.query<{ count: number }>(`select count(*)::int as count from "${name}"`)
    if (row && row.count > 100) counts.push(`${name} ${row.count}`)
  }
  return counts.join(', ')
}

const megabyte = 2 ** 20
const block = 5
const measures: readonly [keyof Measured, string, number][] = [
  ...(['rss', 'heapUsed', 'external', 'arrayBuffers'] as const).map(
    (name) => [name, ' MB', megabyte] as [keyof Measured, string, number],
  ),
  ['active', '', 1],
  ['handles', '', 1],
]

function print(
  out: string,
  run: { seconds: number; jobs: string; seed: string; whole: string; crashes: number },
): void {
  const all = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Measured)
  const steady = all.filter(({ reviews }) => reviews > (all.at(-1)?.reviews ?? 0) / 3)
  console.log(
    `seed ${run.seed}          ${run.jobs}; every ${run.whole}th whole; ${run.seconds.toFixed(0)} s, ${run.crashes} crashes`,
  )
  for (const [name, unit, scale] of measures) {
    const blocks: Sample[] = []
    for (let at = 0; at + block <= steady.length; at += block) {
      const some = steady.slice(at, at + block)
      const mean = (key: keyof Measured) => some.reduce((all, one) => all + one[key], 0) / block
      blocks.push({ group: 'server', x: mean('reviews'), y: mean(name) / scale, minute: 0 })
    }
    const slope = slopeOf(blocks)
    const [first, last] = [blocks[0]?.y ?? 0, blocks.at(-1)?.y ?? 0]
    const words = slope
      ? `${slope.slope.toFixed(2)}${unit} for 1,000 reviews (95 %: ${slope.low.toFixed(2)} to ${slope.high.toFixed(2)})`
      : 'too few samples'
    console.log(`${name.padEnd(19)}${first.toFixed(1)} to ${last.toFixed(1)}${unit}; ${words}`)
  }
}

await main()
