/**
 * One round of the chaos run: a producer and four workers on one database, killed at random while faults happen to the database,
 * the disk, the clock and the network; then peace, and an account of every job.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../src/server/database/contract.ts'
import { openDatabase } from '../../src/server/database/open-database.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { Random } from '../helpers/random.ts'
import type { ProcessOptions } from './job-process.ts'
import { type Network, openNetwork } from './partition.ts'
import { insist, readPlan } from './plan.ts'

export type RoundOptions = {
  seed: number
  kills: number
  /** Pushes that are enqueued meanwhile; several for each kill unless given. */
  jobs?: number
  database: 'embedded' | 'postgres'
  /** Whether the disk of the temporary folder may be filled: nobody else uses it. */
  diskIsOwn: boolean
}

export const faultNames = ['database restart', 'full disk', 'clock jump', 'partition'] as const
export type FaultName = (typeof faultNames)[number]

export type RoundResult = {
  seed: number
  database: string
  kills: number
  faults: Record<FaultName, number>
  /** Pushes, and how many of them were published. */
  jobs: number
  published: number
  /** Newest pushes of a lane that are on record nowhere, or ended without being published. */
  lost: number
  /** Jobs that were published more than once, or lanes in which an old push came after a newer one. */
  double: number
  /** Jobs without an end after the peace. */
  stuck: number
  /** Poison jobs that did not end as such. */
  poisonLeft: number
}

const lease = 1.5
const workers = 4
const jobsForEachKill = 8
const fewestJobs = 60
const drainMs = 120_000
const oneFaultIn = 6

export async function runRound({
  seed,
  kills,
  database,
  diskIsOwn,
  ...options
}: RoundOptions): Promise<RoundResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-chaos-'))
  const source = new Random(seed)
  const random = () => source.next()
  const postgres = database === 'postgres' ? await startPostgres({ isDurable: true }) : null
  const jobs = options.jobs ?? Math.max(fewestJobs, kills * jobsForEachKill)
  const faults: Record<FaultName, number> = {
    'database restart': 0,
    'full disk': 0,
    'clock jump': 0,
    partition: 0,
  }
  const crew: Member[] = []
  for (let n = 0; n <= workers; n++) {
    const network = postgres ? await openNetwork(postgres.url) : null
    const role = n === 0 ? 'producer' : 'worker'
    crew.push(
      new Member(network, {
        ...{ role, name: `${role}-${n}`, url: network?.url ?? null, folder: join(folder, 'database') },
        ...{ progress: join(folder, 'progress'), seed, jobs, lease },
      }),
    )
  }
  const [producer] = crew
  const pick = (members: readonly Member[]) => members[Math.floor(random() * members.length)]
  let killed = 0
  try {
    // The first one makes the database.
    await wait(1500)
    while (killed < kills) {
      await wait(100 + random() * 500)
      if (random() < 1 / oneFaultIn) {
        const name = faultNames[Math.floor(random() * faultNames.length)] ?? 'clock jump'
        if (name === 'full disk' && !diskIsOwn) continue
        faults[name]++
        if (name === 'clock jump') pick(crew)?.moveClock((random() < 0.5 ? -1 : 1) * random() * 7200)
        else if (name === 'full disk') await fillDisk(folder, 500 + random() * 1500)
        else if (name === 'partition') await pick(crew)?.isolate(random() * 2.5 * lease * 1000)
        else if (postgres) {
          postgres.crash()
          await wait(random() * 1000)
          postgres.start()
        } else {
          // The engine is in one of them, and the others would take over.
          for (const member of crew) member.kill()
          killed += crew.length
        }
      } else {
        pick(crew)?.kill()
        killed++
      }
    }
    const until = performance.now() + drainMs
    while (!producer?.isDone && performance.now() < until) await wait(100)
    const view = await insist(() => openDatabase({ url: postgres?.url, folder: join(folder, 'database') }))
    try {
      while ((await openJobs(view)) > 0 && performance.now() < until) await wait(250)
      for (const member of crew) member.retire()
      return { seed, database, kills: killed, faults, ...(await insist(() => account(view, { seed, jobs }))) }
    } finally {
      await view.close()
    }
  } finally {
    for (const member of crew) member.retire()
    postgres?.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A process that is started again whenever it dies. */
class Member {
  private readonly network: Network | null
  private readonly options: ProcessOptions
  private child: ChildProcess
  private isRetired = false
  isDone = false

  constructor(network: Network | null, options: ProcessOptions) {
    this.network = network
    this.options = options
    this.child = this.start()
  }

  kill(): void {
    this.child.kill('SIGKILL')
  }

  /** What is neither killed nor reached for a while still believes in its claims. */
  async isolate(ms: number): Promise<void> {
    const { child } = this
    if (this.network) this.network.cut()
    else child.kill('SIGSTOP')
    await wait(ms)
    this.network?.heal()
    child.kill('SIGCONT')
  }

  moveClock(seconds: number): void {
    if (this.child.connected) this.child.send(seconds, () => undefined)
  }

  retire(): void {
    this.isRetired = true
    this.kill()
    this.network?.close()
  }

  private start(): ChildProcess {
    const child = fork(join(import.meta.dirname, 'job-process.ts'), [JSON.stringify(this.options)], {
      stdio: ['ignore', 'ignore', process.env.SIGHTLINE_CHAOS_LOG ? 'inherit' : 'ignore', 'ipc'],
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    child.on('error', () => undefined)
    child.once('exit', (code) => {
      this.isDone ||= code === 0
      if (!this.isRetired && !this.isDone) this.child = this.start()
    })
    return child
  }
}

/** Until nothing more can be written, and then for a while. */
async function fillDisk(folder: string, ms: number): Promise<void> {
  const path = join(folder, 'ballast')
  const file = openSync(path, 'w')
  const block = Buffer.alloc(1 << 20)
  try {
    for (let size = block.length; size >= 4096; )
      try {
        writeSync(file, block, 0, size)
      } catch {
        size /= 2
      }
    await wait(ms)
  } finally {
    closeSync(file)
    rmSync(path)
  }
}

async function openJobs(database: Database): Promise<number> {
  const rows = await database
    .query<{ count: number }>(`select count(*) as count from job where state in ('queued', 'running')`)
    .catch(() => [{ count: 1 }])
  return rows[0]?.count ?? 0
}

type JobRow = {
  id: number
  tenant: string
  lane: string
  key: string
  state: string
  published: number
}

async function account(
  database: Database,
  { seed, jobs }: { seed: number; jobs: number },
): Promise<Pick<RoundResult, 'jobs' | 'published' | 'lost' | 'double' | 'stuck' | 'poisonLeft'>> {
  const rows = await database.query<JobRow>(
    `select id, tenant, lane, content_key as key, state, (select count(*) from chaos_publication as one
       where one.tenant = job.tenant and one.job = job.id) as published
     from job order by id`,
  )
  const newest = new Map(readPlan({ seed, jobs }).map((one) => [`${one.tenant} ${one.lane}`, one]))
  const byLane = new Map(rows.map((row) => [`${row.tenant} ${row.lane}`, row]))
  const lanes = [...newest.entries()]
  const isLost = ([lane, planned]: (typeof lanes)[number]) => {
    const row = byLane.get(lane)
    return row?.key !== planned.contentKey || (!planned.isPoison && row.published === 0)
  }
  return {
    jobs: rows.length,
    published: rows.filter(({ published }) => published > 0).length,
    lost:
      lanes.filter(isLost).length +
      rows.filter((row) => row.state === 'reviewed' && row.published === 0).length,
    double:
      rows.filter(({ published }) => published > 1).length +
      (rows.length - new Set(rows.map(({ key }) => key)).size),
    stuck: rows.filter(({ state }) => state === 'queued' || state === 'running').length,
    poisonLeft: lanes.filter(([lane, { isPoison }]) => isPoison && byLane.get(lane)?.state !== 'not-reviewed')
      .length,
  }
}
