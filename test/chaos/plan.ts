/** What a round of the chaos run has to do, from its seed alone, and how its clock is moved. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../src/server/database/contract.ts'
import { Random } from '../helpers/random.ts'

export type Planned = {
  tenant: string
  lane: string
  /** Of a lane the last one counts. */
  contentKey: string
  isPoison: boolean
  workMs: number
  pauseMs: number
}

const tenants = 3
const lanesOfTenant = 25

/** Pushes to the change requests of a few tenants; the last of a few lanes kills every worker that takes it. */
export function readPlan({ seed, jobs }: { seed: number; jobs: number }): Planned[] {
  const source = new Random(seed)
  const random = () => source.next()
  const plan = Array.from(
    { length: jobs },
    (_, at): Planned => ({
      tenant: `tenant-${Math.floor(random() * tenants)}`,
      lane: `change#${Math.floor(random() * lanesOfTenant)}`,
      contentKey: `push-${at}`,
      isPoison: false,
      workMs: 20 + random() * 400,
      pauseMs: random() * 60,
    }),
  )
  const poison = Math.max(1, Math.floor(jobs / 100))
  return [
    ...plan.slice(0, jobs - poison),
    ...plan.slice(jobs - poison).map((planned, at) => ({ ...planned, lane: `poison#${at}`, isPoison: true })),
  ]
}

/** As if the database's clock jumped: all times on record move the other way. */
export async function moveClock(database: Database, seconds: number): Promise<void> {
  const columns = [
    'run_at',
    'changed_at',
    'lease_until',
    'give_up_at',
    'created_at',
    'started_at',
    'ended_at',
  ]
  const moved = columns.map((name) => `${name} = ${name} - make_interval(secs => $1)`).join(', ')
  await database.transaction(async (tx) => {
    await tx.query(`update job set ${moved}`, [seconds])
    await tx.query('update job_turn set next_at = next_at - make_interval(secs => $1)', [seconds])
  })
}

const retryMs = 50

/** Repeats what fails while the database is away: the processes of a server do the same. */
export async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await call()
    } catch {
      await wait(retryMs)
    }
}
