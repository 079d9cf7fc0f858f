/**
 * What a review costs the database, and whether tenants share: the figures behind docs/server/scale.md. On both homes of the
 * database: reviews a second with their complete rows, bytes of tables and of the log for each, and how long a small tenant
 * waits behind the backlog of another.
 *
 *   node bench/server/storage.ts [--reviews 500] [--backlog 3000] [--seconds 10] [--out FILE]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sha256 } from '../../src/base/canonical-json.ts'
import type { Database } from '../../src/server/database/contract.ts'
import { openDatabase } from '../../src/server/database/open-database.ts'
import { DeliveryWriter } from '../../src/server/intake/deliveries.ts'
import { recordPublication, recordSpending } from '../../src/server/jobs/tables.ts'
import type { Queue } from '../../src/server/queue/contract.ts'
import { openQueue } from '../../src/server/queue/sql-queue.ts'
import { postgresPrograms, startPostgres } from '../../test/helpers/postgres.ts'
import { at } from '../figures.ts'

const { values } = parseArgs({
  options: {
    reviews: { type: 'string', default: '500' },
    backlog: { type: 'string', default: '3000' },
    seconds: { type: 'string', default: '10' },
    out: { type: 'string' },
  },
})
const atOnce = 16
const heartbeatsOfReview = 12
const webhooksPerSecond = 1000
const repository = { host: 'github.com', id: '1', name: 'acme/shop' }

type Figures = {
  database: string
  reviewsPerSecond: number
  bytesPerReview: number
  logBytesPerReview: number
  smallTenantWaitMs: { p50: number; max: number }
  webhooks: { perSecond: number; p50: number; p99: number }
}

const job = (tenant: string, lane: string) => ({
  ...{ tenant, kind: 'review', lane, contentKey: lane, supersedes: true },
  payload: {
    address: `https://github.com/acme/shop/pull/${lane}`,
    head: 'a'.repeat(40),
    trigger: { kind: 'pushed' },
  },
})

/** Everything that one review writes, from the push to its end. */
async function review(database: Database, queue: Queue, name: string): Promise<void> {
  await queue.enqueue(job(`tenant-${name.length % 4}-${Number(name) % 50}`, name))
  const [claim] = await queue.claim({ worker: 'bench', kinds: ['review'], slots: 1 })
  if (!claim) return
  for (let n = 0; n < heartbeatsOfReview; n++) await queue.heartbeat([claim])
  await queue.fenced(claim, (tx) => recordPublication(tx, claim, 'a'.repeat(40)))
  await recordSpending(database, claim, { repository }, { usd: 0.12, unpricedCalls: 0 })
  await queue.finish(claim, {
    state: 'reviewed',
    result: { run: '20261122-061502-3fa94c', head: 'a'.repeat(40), usd: 0.12, findings: 3, isShown: true },
  })
}

async function measure(database: Database): Promise<Figures> {
  const queue = openQueue(database)
  const count = Number(values.reviews)
  const before = await sizes(database)
  const began = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) await review(database, queue, String(++next))
    }),
  )
  const seconds = (performance.now() - began) / 1000
  const after = await sizes(database)
  return {
    database: database.kind,
    reviewsPerSecond: count / seconds,
    bytesPerReview: (after.tables - before.tables) / count,
    logBytesPerReview: (after.log - before.log) / count,
    smallTenantWaitMs: await measureFairness(queue),
    webhooks: await measureWebhooks(database),
  }
}

async function sizes(database: Database): Promise<{ tables: number; log: number }> {
  const [row] = await database.query<{ tables: number; log: number }>(
    `select pg_database_size(current_database()) as tables, (pg_current_wal_lsn() - '0/0')::float8 as log`,
  )
  return row ?? { tables: 0, log: 0 }
}

/** All workers busy with a large tenant; a small one enqueues a job now and then. */
async function measureFairness(queue: Queue): Promise<{ p50: number; max: number }> {
  for (let n = 0; n < Number(values.backlog); n++) await queue.enqueue(job('large', `l${n}`))
  const waits: number[] = []
  const asked = new Map<number, number>()
  let isOn = true
  const workers = Array.from({ length: 4 }, async (_, worker) => {
    while (isOn) {
      const claims = await queue.claim({ worker: `w${worker}`, kinds: ['review'], slots: 1 })
      for (const claim of claims) {
        const askedAt = asked.get(claim.id)
        if (askedAt !== undefined) waits.push(performance.now() - askedAt)
        await wait(20)
        await queue.finish(claim, { state: 'reviewed' })
      }
      if (claims.length === 0) await wait(100)
    }
  })
  for (let n = 0; n < 20; n++) {
    const askedAt = performance.now()
    asked.set((await queue.enqueue(job('small', `s${n}`))).id, askedAt)
    await wait(200)
  }
  await wait(1000)
  isOn = false
  await Promise.all(workers)
  if (waits.length < 20) throw new Error(`${20 - waits.length} jobs of the small tenant were not claimed`)
  return { p50: at(waits, 0.5), max: Math.max(...waits) }
}

/** Durable writes alone, without HTTP, at an even rate. */
async function measureWebhooks(database: Database): Promise<Figures['webhooks']> {
  const writer = new DeliveryWriter(database, () => {})
  const times: number[] = []
  const pending: Promise<void>[] = []
  const total = Number(values.seconds) * webhooksPerSecond
  const began = performance.now()
  for (let n = 0; n < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * webhooksPerSecond))
    for (; n < due; n++) pending.push(timed(writer, n, times))
    await wait(5)
  }
  await Promise.all(pending)
  const perSecond = total / ((performance.now() - began) / 1000)
  return { perSecond, p50: at(times, 0.5), p99: at(times, 0.99) }
}

async function timed(writer: DeliveryWriter, n: number, times: number[]): Promise<void> {
  const startedAt = performance.now()
  const event = { type: 'change', installation: '1', number: n, action: 'synchronize', head: null } as const
  await writer.write({
    ...{ connection: 'github', id: `delivery-${n}`, hash: sha256(String(n)), receivedAt: new Date() },
    event: { ...event, repository: { id: '1', fullName: 'acme/shop' } },
  })
  times.push(performance.now() - startedAt)
}

const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
const server = postgresPrograms() ? await startPostgres({ isDurable: true }) : null
const all: Figures[] = []
try {
  for (const url of [undefined, ...(server ? [server.url] : [])]) {
    const database = await openDatabase({ url, folder: join(folder, 'database') })
    const figures = await measure(database)
    await database.close()
    all.push(figures)
    const { smallTenantWaitMs: small, webhooks } = figures
    process.stdout.write(
      `${figures.database}: ${figures.reviewsPerSecond.toFixed(1)} reviews/s; ${(figures.bytesPerReview / 1024).toFixed(1)} KiB of tables and ${(figures.logBytesPerReview / 1024).toFixed(1)} KiB of log each; a small tenant behind ${values.backlog} jobs waits ${small.p50.toFixed(0)} ms (p50), ${small.max.toFixed(0)} ms at most; ${webhooks.perSecond.toFixed(0)} webhooks/s written in ${webhooks.p50.toFixed(1)} ms (p50), ${webhooks.p99.toFixed(1)} ms (p99)\n`,
    )
  }
  if (values.out) writeFileSync(values.out, `${JSON.stringify(all, null, 1)}\n`)
} finally {
  server?.stop()
  rmSync(folder, { recursive: true, force: true })
}
