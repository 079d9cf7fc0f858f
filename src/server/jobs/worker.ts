/**
 * A worker process: takes jobs from the queue, as many at a time as it has slots, and sees each to its end. What it holds
 * it says again and again; as soon as a job is no longer wanted, or no longer its own, everything that job started is
 * killed.
 */
import { randomBytes } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { UserError } from '../../base/errors.ts'
import { ownMark } from '../../base/process-mark.ts'
import type { Database } from '../database/contract.ts'
import { openSqlLedger } from '../ledger/sql-ledger.ts'
import type { Claim, Queue } from '../queue/contract.ts'
import { fillCompiled } from '../roles/compiled.ts'
import { defaultLimits, type RoleLimits } from '../roles/contract.ts'
import { type RoleAccount, type RunRole, runRole } from '../roles/run-role.ts'
import { type WallsHere, wallsHere } from '../roles/walls.ts'
import { questionKind, reviewKind } from './contract.ts'
import { openIndexing } from './indexing.ts'
import { type HandlerParts, type JobEvent, openJobHandler, Stopped, type Work } from './job-handler.ts'
import { type LiveIndexEvent, openLiveIndexes } from './live-indexes.ts'
import { sharePauses } from './pauses.ts'
import { placesOf, removeAbandonedJobs } from './places.ts'
import { ProgressMeter } from './progress.ts'
import type { JobParts } from './run-job.ts'
import type { ShowSign } from './running-sign.ts'
import { Turns } from './turns.ts'
import { openWorkspaces, type WorkspaceEvent, type WorkspaceSource } from './workspaces.ts'

export type WorkerOptions = Pick<JobParts, 'data' | 'openAccess'> & {
  queue: Queue
  database: Database
  limits?: RoleLimits
  /** Of jobs; each in a process of its own when not given. */
  runRole?: RunRole | undefined
  /** `required`: refuses to work where bubblewrap does not. */
  sandbox?: 'required' | 'optional'
  /** Reviews at a time. */
  slots: number
  /** Shows on the host that a review runs; not given, nobody sees it before its end. */
  showSign?: ShowSign
  showUnwanted?: HandlerParts['showUnwanted']
  /** Repositories to fetch in the background; none when not given. */
  workspaces?: WorkspaceSource
  /** The share of its time that is waited until what failed is tried again; 1 when not given. Tests wait less. */
  patience?: number
  /** For logs and metrics; no code and no secret. */
  onEvent?: (event: WorkerEvent) => void
}

export type WorkerEvent =
  | JobEvent
  | {
      type: 'indexed'
      tenant: string
      how: string
      durationMs: number
      megabytes: number
      cpuSeconds: number
    }
  | LiveIndexEvent
  | WorkspaceEvent
  /** How well roles are walled in on this machine, in words. */
  | { type: 'walls'; message: string }
  /** `change`: the address of what it is about; null for none of its own. */
  | { type: 'trouble'; message: string; error: unknown; change: string | null }

export type Worker = {
  /** Claims nothing more; what is under way is ended and handed over. Resolves when all of it has ended. */
  stop(): Promise<void>
  /** Jobs under way. */
  readonly running: number
}

const heartbeatMs = 1_500
const pollMs = 1_000
const recoverMs = 1_000
/** Processes of roles that may be busy at a time. */
const turnsPerCore = 2
/** Without a word from the database for so long, another worker may have the jobs, so nothing more is spent on them. */
const mostSilenceMs = 5_000

/** Throws `sandbox-missing` where one is required. */
export async function openWorker(options: WorkerOptions): Promise<Worker> {
  const { queue, database, slots, data, openAccess, patience = 1 } = options
  const { limits = defaultLimits, onEvent = () => {} } = options
  removeAbandonedJobs(data)
  const walls = await wallsHere()
  if (!walls.isBoxed && options.sandbox === 'required')
    throw new UserError('sandbox-missing', 'bubblewrap is not installed, or the system does not let it work')
  onEvent({ type: 'walls', message: wallWords(walls) })
  const { isBoxed } = walls
  const turns = new Turns(turnsPerCore * availableParallelism())
  const walled = {
    data,
    openAccess,
    limits,
    isBoxed,
    compiled: isBoxed ? await fillCompiled(data) : null,
  }
  const live = openLiveIndexes(walled, onEvent)
  const indexed = (tenant: string, { end, durationMs, peakMegabytes: megabytes, cpuSeconds }: RoleAccount) =>
    onEvent({ type: 'indexed', tenant, how: end.kind, durationMs, megabytes, cpuSeconds })
  const indexing = openIndexing(walled, indexed, live)
  const openLedger = (tenant: string) => openSqlLedger(database, tenant)
  const run = options.runRole ?? runRole
  const worker = `${hostname()} ${ownMark()} ${randomBytes(4).toString('hex')}`
  const held = new Map<Claim, Work>()
  const ends = new Set<Promise<void>>()
  let isOpen = true
  let heardAt = performance.now()
  const trouble = (error: unknown, change: string | null = null) => {
    const message = error instanceof Error ? error.message : String(error)
    onEvent({ type: 'trouble', message, error, change })
  }
  const { showSign = async () => null, showUnwanted = async () => {} } = options
  const { workspaces: source } = options
  const workspaces =
    (source && openWorkspaces({ ...walled, source, runRole: options.runRole }, onEvent, trouble)) ?? null
  const parts: JobParts = { ...walled, openLedger, turns, runRole: run, indexing, live, workspaces, patience }
  const handler = openJobHandler({
    ...{ queue, database, parts, onEvent, showSign, showUnwanted, trouble, patience },
  })

  const claim = serially(async () => {
    const free = slots - held.size
    if (!isOpen || free <= 0) return
    for (const one of await queue.claim({ worker, kinds: [reviewKind, questionKind], slots: free })) {
      const entry = {
        ...{ claim: one, stop: new AbortController(), meter: new ProgressMeter() },
        ...{ usd: 0, unpricedCalls: 0, isSaved: true },
      }
      held.set(one, entry)
      const end = handler.handle(entry).catch(trouble)
      ends.add(end)
      void end.finally(() => {
        ends.delete(end)
        held.delete(one)
        if (isOpen) void claim()
      })
    }
  }, trouble)

  const beat = serially(async () => {
    const all = [...held.values()]
    if (all.length === 0) {
      heardAt = performance.now()
      return
    }
    try {
      const answers = await queue.heartbeat(
        all.map((one) => one.claim),
        new Map(all.map(({ claim, meter }) => [claim, { ...meter.current }])),
      )
      heardAt = performance.now()
      for (const [at, one] of all.entries()) {
        const answer = answers[at] ?? 'lost'
        if (answer !== 'running') one.stop.abort(new Stopped(answer))
      }
      for (const one of all) one.sign?.tick()
      for (const tenant of new Set(all.map(({ claim: { tenant } }) => tenant)))
        await sharePauses(database, { tenant, folder: placesOf(data, tenant).pauses })
      for (const one of all) await handler.save(one)
    } catch (error) {
      trouble(error)
      if (performance.now() - heardAt > mostSilenceMs)
        for (const one of all) one.stop.abort(new Stopped('lost'))
    }
  }, trouble)

  const recover = serially(async () => {
    await queue.recover()
    await handler.showUnshown()
  }, trouble)

  const timers = [
    setInterval(() => void claim(), pollMs * (0.75 + Math.random() / 2)),
    setInterval(() => void beat(), heartbeatMs),
    setInterval(() => void recover(), recoverMs),
  ]
  const listening = [
    await queue.onWork(() => void claim()),
    // A job that is not wanted any more spends money and holds up the newer one until its worker is notified.
    await queue.onStop(() => void beat()),
  ]
  void claim()
  void recover()
  return {
    get running() {
      return held.size
    },
    async stop() {
      isOpen = false
      for (const unlisten of listening) await unlisten()
      for (const { stop } of held.values()) stop.abort(new Stopped('shutdown'))
      await Promise.all([...ends, indexing.stop(), workspaces?.stop()])
      await live.stop()
      handler.stop()
      for (const timer of timers) clearInterval(timer)
      await Promise.all([claim(), beat(), recover()])
    },
  }
}

function wallWords({ isBoxed, nests }: WallsHere): string {
  if (!isBoxed)
    return 'No sandbox: bubblewrap does not work here. Language servers are off, and a model’s process has the whole network.'
  return nests
    ? 'Roles, parsers and language servers run in sandboxes.'
    : 'Roles run in sandboxes. Sandboxes inside of these do not work here, so language servers are off; run the server as an ordinary user, not as root.'
}

/** One at a time; a call while it runs waits for that run. Never rejects. */
function serially(work: () => Promise<void>, onError: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = null
      })
    return running
  }
}
