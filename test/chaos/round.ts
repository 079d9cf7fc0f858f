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
import { placeEmptyDatabase } from '../helpers/empty-database.ts'
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
  workers?: number
  /** Seconds that a claim holds without a heartbeat. */
  lease?: number
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

const usualLease = 1.5
const usualWorkers = 4
const jobsForEachKill = 4
const fewestJobs = 60
const oneFaultIn = 6
/** As long as something happens, a machine is only slow. */
const standstillMs = 120_000

export async function runRound({
  seed,
  kills,
  database,
  diskIsOwn,
  workers = usualWorkers,
  lease = usualLease,
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
  const place = { url: postgres?.url, folder: join(folder, 'database') }
  // Made in peace: what has no database yet can lose nothing.
  await prepare(place)
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
    while (killed < kills) {
      // A kill is only worth something while others work, however slow the machine is.
      await untilStandstill(
        () => crew.filter((one) => one.isReady).length > workers / 2,
        () => killed,
      )
      await wait(random() * 500)
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
    const view = await insist(() => openDatabase(place))
    try {
      let left = ''
      await untilStandstill(
        async () => {
          left = await progressOf(view)
          return producer?.isDone === true && left.startsWith('0 ')
        },
        () => left,
      )
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

async function prepare(place: { url: string | undefined; folder: string }): Promise<void> {
  if (place.url === undefined) await placeEmptyDatabase(place.folder)
  const database = await openDatabase(place)
  await database.query(
    'create table chaos_publication (tenant text, job bigint, fence bigint, at timestamptz default now())',
  )
  await database.close()
}

/** Until `isOver`, or until `progress` has been the same for too long: then something is stuck, and the account shows it. */
async function untilStandstill(
  isOver: () => boolean | Promise<boolean>,
  progress: () => unknown,
): Promise<void> {
  let [last, since] = [progress(), performance.now()]
  while (!(await isOver()) && performance.now() - since < standstillMs) {
    await wait(100)
    if (progress() !== last) [last, since] = [progress(), performance.now()]
  }
}

/** A process that is started again whenever it dies. */
class Member {
  private readonly network: Network | null
  private readonly options: ProcessOptions
  private child: ChildProcess
  private isRetired = false
  isDone = false
  /** It has the database. */
  isReady = false

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
      env: { NODE_COMPILE_CACHE: join(this.options.folder, '..', 'compiled'), ...process.env },
    })
    this.isReady = false
    child.on('error', () => undefined)
    child.once('message', () => {
      this.isReady = true
    })
    child.once('exit', (code) => {
      this.isDone ||= code === 0
      this.isReady = this.isDone
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

/** How many jobs are open, and how many claims were ever made. */
async function progressOf(database: Database): Promise<string> {
  const rows = await database
    .query<{ open: number; all: number; fence: number }>(
      `select count(*) filter (where state in ('queued', 'running')) as open, count(*) as all, (select last_value from job_fence) as fence
       from job`,
    )
    .catch(() => [])
  return rows.map(({ open, all, fence }) => `${open} of ${all} open, claim ${fence}`).join('')
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
