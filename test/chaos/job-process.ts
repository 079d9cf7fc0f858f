/**
 * A process that the chaos run kills: it takes jobs, works on them for a moment and publishes under the fence, or, as a
 * producer, enqueues what the plan says. It gets its orders as JSON in its first argument, and over its channel what the clock
 * is to do; it says there when it has the database.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '../../src/server/database/open-database.ts'
import { type Claim, LostClaimError, type Queue } from '../../src/server/queue/contract.ts'
import { openQueue } from '../../src/server/queue/sql-queue.ts'
import { insist, moveClock, type Planned, readPlan } from './plan.ts'

export type ProcessOptions = {
  role: 'producer' | 'worker'
  name: string
  url: string | null
  folder: string
  /** Of a producer: one number for each job that is enqueued for certain. */
  progress: string
  seed: number
  jobs: number
  lease: number
}

const options = JSON.parse(process.argv[2] ?? '') as ProcessOptions
const slots = 4
/** How often a worker asks for work when no notice comes. */
const pollMs = 500

async function produce(queue: Queue): Promise<void> {
  const plan = readPlan(options)
  const done = existsSync(options.progress)
    ? readFileSync(options.progress, 'utf8').split('\n').length - 1
    : 0
  for (const planned of plan.slice(done)) {
    await insist(() => queue.enqueue(requestOf(planned)))
    appendFileSync(options.progress, `${planned.contentKey}\n`)
    await wait(planned.pauseMs)
  }
}

const requestOf = ({ tenant, lane, contentKey, isPoison, workMs }: Planned) => ({
  ...{ tenant, kind: 'review', lane, contentKey, supersedes: true, giveUpAfter: 3600 },
  // A worker that is killed for other reasons uses up attempts too; only poison may run out of them.
  ...{ payload: { isPoison, workMs }, mostAttempts: isPoison ? 3 : 1000 },
})

async function work(queue: Queue): Promise<never> {
  const held = new Map<Claim, AbortController>()
  const beat = async () => {
    for (;;) {
      await wait((options.lease * 1000) / 3)
      const claims = [...held.keys()]
      const states = await queue.heartbeat(claims).catch(() => claims.map(() => 'running' as const))
      for (const [at, claim] of claims.entries()) if (states[at] !== 'running') held.get(claim)?.abort()
      await queue.recover().catch(() => undefined)
    }
  }
  void beat()
  let call = () => {}
  await insist(() => queue.onWork(() => call()))
  for (;;) {
    const called = new Promise<void>((resolve) => {
      call = resolve
    })
    const claims = await insist(() =>
      queue.claim({ worker: options.name, kinds: ['review'], slots: slots - held.size }),
    )
    for (const claim of claims) {
      const stop = new AbortController()
      held.set(claim, stop)
      void handle(queue, claim, stop.signal).finally(() => {
        held.delete(claim)
        call()
      })
    }
    await Promise.race([called, wait(pollMs)])
  }
}

/** Publishes without asking whether it was stopped: the fence has to find that out. */
async function handle(queue: Queue, claim: Claim, signal: AbortSignal): Promise<void> {
  const { isPoison, workMs } = claim.payload as { isPoison: boolean; workMs: number }
  try {
    await wait(workMs, undefined, { signal })
    if (isPoison) process.kill(process.pid, 'SIGKILL')
    await queue.finish(claim, { state: 'reviewed' }, async (tx) => {
      const [job] = await tx.query('select stop from job where tenant = $1 and id = $2', [
        claim.tenant,
        claim.id,
      ])
      if (job?.stop) throw new LostClaimError(claim, 'superseded')
      await tx.query('insert into chaos_publication (tenant, job, fence) values ($1, $2, $3)', [
        ...[claim.tenant, claim.id, claim.fence],
      ])
    })
  } catch (error) {
    if (signal.aborted) await queue.release(claim).catch(() => undefined)
    else await queue.retry(claim, String(error)).catch(() => undefined)
  }
}

const database = await insist(() => openDatabase({ url: options.url ?? undefined, folder: options.folder }))
const queue = openQueue(database, { lease: options.lease })
process.on('message', (seconds: number) => void insist(() => moveClock(database, seconds)))
process.on('disconnect', () => process.exit(1))
process.send?.('ready')
// Who is killed writes nothing at its end, and the next one starts faster with it.
flushCompileCache()
if (options.role === 'worker') await work(queue)
await produce(queue)
await database.close()
process.exit(0)
