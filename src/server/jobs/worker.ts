/**
 * A worker process: takes jobs from the queue, as many at a time as it has slots, and sees each to its end. What it holds
 * it says again and again; as soon as a job is no longer wanted, or no longer its own, everything that job started is
 * killed. It publishes nothing without asking the queue at that very moment.
 */
import { randomBytes } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { UserError } from '../../base/errors.ts'
import { ownMark } from '../../base/process-mark.ts'
import type { Database } from '../database/contract.ts'
import { ledgerKey } from '../ledger/lent-ledger.ts'
import { appendEvents, openSqlLedger } from '../ledger/sql-ledger.ts'
import { type Claim, type Held, LostClaimError, type Queue } from '../queue/contract.ts'
import { fillCompiled } from '../roles/compiled.ts'
import { defaultLimits, type RoleLimits } from '../roles/contract.ts'
import type { RoleAccount } from '../roles/run-role.ts'
import { type WallsHere, wallsHere } from '../roles/walls.ts'
import { type Outcome, questionKind, ReviewJob, reviewKind } from './contract.ts'
import { type Meaning, titleOf } from './failures.ts'
import { openIndexing } from './indexing.ts'
import { type LiveIndexEvent, openLiveIndexes } from './live-indexes.ts'
import { removeAbandonedJobs } from './places.ts'
import { ProgressMeter } from './progress.ts'
import { type JobEnd, type JobHooks, type JobParts, runJob, showState } from './run-job.ts'
import { recordPublication, recordSpending, takeUnshown } from './tables.ts'
import { Turns } from './turns.ts'

export type WorkerOptions = Pick<JobParts, 'data' | 'openAccess'> & {
  queue: Queue
  database: Database
  limits?: RoleLimits
  /** `required`: refuses to work where bubblewrap does not. */
  sandbox?: 'required' | 'optional'
  /** Reviews at a time. */
  slots: number
  /** For logs and metrics; no code, no words of strangers, no secret. */
  onEvent?: (event: WorkerEvent) => void
}

export type WorkerEvent =
  | { type: 'claimed'; tenant: string; job: number; attempt: number }
  | {
      type: 'role-ended'
      tenant: string
      job: number
      role: string
      how: string
      durationMs: number
      megabytes: number
      cpuSeconds: number
    }
  | {
      type: 'ended'
      tenant: string
      job: number
      state: string
      reason: string | null
      /** Name of the run on record; null without one. */
      run: string | null
      durationMs: number
      usd: number
    }
  | { type: 'tried-again'; tenant: string; job: number; attempt: number; reason: string }
  | { type: 'let-go'; tenant: string; job: number; why: string }
  | {
      type: 'indexed'
      tenant: string
      how: string
      durationMs: number
      megabytes: number
      cpuSeconds: number
    }
  | LiveIndexEvent
  /** How well roles are walled in on this machine, in words. */
  | { type: 'walls'; message: string }
  | { type: 'trouble'; message: string; error: unknown }

export type Worker = {
  /** Claims nothing more; what is under way is ended and handed over. Resolves when all of it has ended. */
  stop(): Promise<void>
  /** Jobs under way. */
  readonly running: number
}

const heartbeatMs = 2_000
const pollMs = 1_000
const recoverMs = 5_000
/** Processes of roles that may be busy at a time. */
const turnsPerCore = 2
/** Without a word from the database for so long, another worker may have the jobs, so nothing more is spent on them. */
const mostSilenceMs = 10_000

type Work = {
  claim: Claim
  stop: AbortController
  meter: ProgressMeter
  usd: number
  unpricedCalls: number
  isSaved: boolean
}

/** What a job is stopped for, as the reason of its signal. */
class Stopped extends Error {
  readonly held: Held | 'shutdown'

  constructor(held: Held | 'shutdown') {
    super(held)
    this.held = held
  }
}

/** Throws `sandbox-missing` where one is required. */
export async function openWorker(options: WorkerOptions): Promise<Worker> {
  const { queue, database, slots, data, openAccess, limits = defaultLimits, onEvent = () => {} } = options
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
  const parts: JobParts = { ...walled, openLedger, turns, indexing, live }
  const worker = `${hostname()} ${ownMark()} ${randomBytes(4).toString('hex')}`
  const held = new Map<Claim, Work>()
  const ends = new Set<Promise<void>>()
  let isOpen = true
  let heardAt = performance.now()
  const trouble = (error: unknown) =>
    onEvent({ type: 'trouble', message: error instanceof Error ? error.message : String(error), error })

  const claim = serially(async () => {
    const free = slots - held.size
    if (!isOpen || free <= 0) return
    for (const one of await queue.claim({ worker, kinds: [reviewKind, questionKind], slots: free })) {
      const entry = {
        ...{ claim: one, stop: new AbortController(), meter: new ProgressMeter() },
        ...{ usd: 0, unpricedCalls: 0, isSaved: true },
      }
      held.set(one, entry)
      const end = handle(entry).catch(trouble)
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
      for (const one of all) await save(one)
    } catch (error) {
      trouble(error)
      if (performance.now() - heardAt > mostSilenceMs)
        for (const one of all) one.stop.abort(new Stopped('lost'))
    }
  }, trouble)

  const recover = serially(async () => {
    await queue.recover()
    await showUnshown()
  }, trouble)

  /** Money that is spent counts, whoever has the job by now. */
  async function save(one: Work): Promise<void> {
    if (one.isSaved) return
    one.isSaved = true
    const { success, data: job } = ReviewJob.safeParse(one.claim.payload)
    if (success) await recordSpending(database, one.claim, job, one)
  }

  async function handle(entry: Work): Promise<void> {
    const { claim: own, stop } = entry
    const { tenant, id } = own
    const startedAt = performance.now()
    onEvent({ type: 'claimed', tenant, job: id, attempt: own.attempt })
    const parsed = ReviewJob.safeParse(own.payload)
    if (!parsed.success) {
      await queue.finish(own, { state: 'not-reviewed', reason: 'the job is not one that this version knows' })
      return
    }
    const job = parsed.data
    const hooks = hooksOf(entry)
    const end = await runJob(tenant, job, parts, hooks).catch((error: unknown): JobEnd => {
      trouble(error)
      const meaning: Meaning = { state: 'not-reviewed', reason: 'failed', isPassing: true }
      return { kind: 'error', meaning, detail: 'the server could not run it', head: job.head }
    })
    await save(entry).catch(trouble)
    if (stop.signal.aborted || end.kind === 'aborted') return await letGo(entry)
    if (end.kind === 'error' && own.attempt < own.mostAttempts) {
      await queue.retry(own, end.detail)
      onEvent({ type: 'tried-again', tenant, job: id, attempt: own.attempt, reason: end.meaning.reason })
      return
    }
    const outcome = end.kind === 'outcome' ? end.outcome : await giveUp(entry, job, end, hooks)
    const ending = {
      state: outcome.state,
      reason: wordsOf(outcome),
      ...(job.decision.kind === 'skip' ? { actor: job.decision.by } : {}),
      result: { ...outcome },
    }
    // What a review that is another worker's by now would add, that one adds.
    const isOurs = await queue.finish(own, ending, async (queries) => {
      if (end.kind === 'outcome') await appendEvents(queries, tenant, ledgerKey(job.repository), end.events)
    })
    if (!isOurs) return await letGo(entry)
    const { state, reason, run, usd } = outcome
    const durationMs = Math.round(performance.now() - startedAt)
    onEvent({ type: 'ended', tenant, job: id, state, reason, run, durationMs, usd })
  }

  function hooksOf(entry: Work): JobHooks {
    const { claim: own, stop, meter } = entry
    const { tenant, id } = own
    return {
      signal: stop.signal,
      mayWrite: (head) => mayWrite(entry, head),
      onSpent({ usd, unpricedCalls }) {
        entry.usd += usd
        entry.unpricedCalls += unpricedCalls
        entry.isSaved = false
      },
      onRole(role, { end, durationMs, peakMegabytes: megabytes, cpuSeconds }) {
        const how = end.kind === 'failed' ? (end.code ?? 'fault') : end.kind
        onEvent({ type: 'role-ended', tenant, job: id, role, how, durationMs, megabytes, cpuSeconds })
      },
      onStep: (step) => meter.hear(step),
    }
  }

  async function mayWrite({ claim: own, stop }: Work, head: string | null): Promise<boolean> {
    try {
      await queue.fenced(own, (queries) => recordPublication(queries, own, head))
      return true
    } catch (error) {
      if (error instanceof LostClaimError) stop.abort(new Stopped(error.held))
      else trouble(error)
      return false
    }
  }

  /** No attempt is left: what may have passed did not. */
  async function giveUp(
    { claim: own, usd, unpricedCalls }: Work,
    job: ReviewJob,
    { meaning, detail, head }: Extract<JobEnd, { kind: 'error' }>,
    hooks: JobHooks,
  ): Promise<Outcome> {
    const { state, reason } = meaning
    const tries = `${detail} (tried ${own.attempt} times)`
    const isShown = await showState(own.tenant, job, parts, hooks, {
      state,
      reason,
      detail: tries,
      head,
    }).catch(() => false)
    const nothing = { run: null, findings: 0, reply: null }
    return { state, reason, detail: tries, head, usd, unpricedCalls, ...nothing, isShown }
  }

  async function letGo({ claim: own, stop }: Work): Promise<void> {
    const { reason } = stop.signal
    const why = reason instanceof Stopped ? reason.held : 'lost'
    if (why === 'shutdown') await queue.release(own)
    else if (why === 'superseded' || why === 'skipped') await queue.finish(own, { state: why })
    onEvent({ type: 'let-go', tenant: own.tenant, job: own.id, why })
  }

  /** Jobs that the queue itself gave up, because they killed their workers or waited for too long. */
  async function showUnshown(): Promise<void> {
    for (const { tenant, payload, reason } of await takeUnshown(database, reviewKind)) {
      const { success, data: job } = ReviewJob.safeParse(payload)
      if (!success) continue
      const hooks: JobHooks = {
        signal: new AbortController().signal,
        mayWrite: async () => true,
        onSpent() {},
        onRole() {},
        onStep() {},
      }
      const shown = { state: 'not-reviewed', reason: 'failed', detail: reason, head: job.head } as const
      await showState(tenant, job, parts, hooks, shown).catch(trouble)
    }
  }

  const timers = [
    setInterval(() => void claim(), pollMs * (0.75 + Math.random() / 2)),
    setInterval(() => void beat(), heartbeatMs),
    setInterval(() => void recover(), recoverMs),
  ]
  const unlisten = await queue.onWork(() => void claim())
  void claim()
  return {
    get running() {
      return held.size
    },
    async stop() {
      isOpen = false
      await unlisten()
      for (const { stop } of held.values()) stop.abort(new Stopped('shutdown'))
      await Promise.all([...ends, indexing.stop()])
      await live.stop()
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

function wordsOf({ state, reason, detail }: Outcome): string {
  if (state === 'reviewed') return detail ?? ''
  return detail === null ? titleOf(state, reason) : `${titleOf(state, reason)}. ${detail}`
}
