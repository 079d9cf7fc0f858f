/**
 * One claimed job on a worker: seen to its end, left for another attempt, or let go when it is no longer wanted or no longer
 * ours. It publishes nothing without asking the queue at that very moment.
 */
import { visibleLine } from '../../base/visible-text.ts'
import type { Database } from '../database/contract.ts'
import { rememberUsers } from '../intake/companions.ts'
import { ledgerKey } from '../ledger/lent-ledger.ts'
import { appendEvents } from '../ledger/sql-ledger.ts'
import { type Claim, type Held, LostClaimError, type Queue } from '../queue/contract.ts'
import { type Outcome, type OutcomeReason, ReviewJob, reviewKind } from './contract.ts'
import { isFinal, type Meaning, remedyOf, stateText, titleOf } from './failures.ts'
import type { ProgressMeter } from './progress.ts'
import { type JobEnd, type JobHooks, type JobParts, runJob, showState } from './run-job.ts'
import { openRunningSign, type RunningSign, type ShowSign } from './running-sign.ts'
import { recordPublication, recordSpending, takeUnshown } from './tables.ts'

/** What a failure is called on: the change request, why, and what to do. */
export type Failure = { change: string; reason: string | null; detail: string | null; remedy: string | null }

/** No code and no secret; of strangers at most a name in the words of an error. */
export type JobEvent =
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
  | ({
      type: 'ended'
      tenant: string
      job: number
      state: string
      /** Name of the run on record; null without one. */
      run: string | null
      durationMs: number
      usd: number
    } & Failure)
  /** `isKnown`: the attempt before failed in the same way. */
  | ({ type: 'tried-again'; tenant: string; job: number; attempt: number; isKnown: boolean } & Failure)
  | { type: 'let-go'; tenant: string; job: number; why: string }

/** A job under way, and what it has spent. */
export type Work = {
  claim: Claim
  stop: AbortController
  meter: ProgressMeter
  /** From when its payload was read. */
  sign?: RunningSign
  usd: number
  unpricedCalls: number
  isSaved: boolean
}

/** What a job is stopped for, as the reason of its signal. */
const replaced = 'newer commits were pushed'

export class Stopped extends Error {
  readonly held: Held | 'shutdown'

  constructor(held: Held | 'shutdown') {
    super(held)
    this.held = held
  }
}

export type HandlerParts = {
  queue: Queue
  database: Database
  parts: JobParts
  onEvent: (event: JobEvent) => void
  showSign: ShowSign
  /** Why the review of this commit is not wanted any more, on its check. Rejects where the host does not answer. */
  showUnwanted: (tenant: string, job: ReviewJob, head: string, why: string) => Promise<unknown>
  /** Reports what went wrong, and on which change; the job goes on. */
  trouble: (error: unknown, change?: string) => void
  /** The share of its time that is waited until the end of a check is tried again. */
  patience: number
}

export type JobHandler = {
  /** Sees the job to its end. Rejects only where the database does not answer. */
  handle(work: Work): Promise<void>
  /** Records what it has spent since the last time. */
  save(work: Work): Promise<void>
  /** Shows on the host how jobs ended that the queue itself gave up. */
  showUnshown(): Promise<void>
  /** Tries no more to end checks where their host did not let it. */
  stop(): void
}

/** A review that is not wanted any more, and after how many attempts its check waits for its end still. */
type Unwanted = { claim: Claim; why: string; attempt: number }

/** Seconds until the next attempt, after each failed one; then the check stays as it is. */
const waits = [5, 15, 60, 300, 600, 600]

export function openJobHandler({
  queue,
  database,
  parts,
  onEvent,
  showSign,
  showUnwanted,
  trouble,
  patience,
}: HandlerParts): JobHandler {
  /** Of checks that their host did not let end. */
  const late = new Set<NodeJS.Timeout>()
  let isStopped = false
  return { handle, save, showUnshown, stop }

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
    entry.sign = openRunningSign(showSign, job, entry.meter, {
      onFailure: (error) => trouble(error, job.address),
    })
    const hooks = hooksOf(entry)
    const end = await runJob(tenant, job, parts, hooks).catch((error: unknown): JobEnd => {
      trouble(error, job.address)
      const meaning: Meaning = { state: 'not-reviewed', reason: 'failed', isPassing: true }
      return { kind: 'error', meaning, detail: 'the server could not run it', head: job.head }
    })
    await save(entry).catch(trouble)
    if (stop.signal.aborted || end.kind === 'aborted') return await letGo(entry)
    if (end.kind === 'error' && own.attempt < own.mostAttempts) {
      await queue.retry(own, end.detail)
      const failure = failureOf(job, end.meaning.reason, end.detail)
      const isKnown = own.lastError === end.detail
      onEvent({ type: 'tried-again', tenant, job: id, attempt: own.attempt, isKnown, ...failure })
      const { state, reason } = end.meaning
      await entry.sign.pause(
        `Trying again soon: ${titleOf(state, reason)}`,
        stateText(`Attempt ${own.attempt} of ${own.mostAttempts} failed.`, end.detail, null),
      )
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
      if (end.kind !== 'outcome') return
      await appendEvents(queries, tenant, ledgerKey(job.repository), end.events)
      const { connection, number, repository } = job
      if (end.users && repository.id !== null)
        await rememberUsers(queries, { tenant, connection, number, repository: repository.id }, end.users)
    })
    if (!isOurs) return await letGo(entry)
    const why = unwantedBy(job, outcome)
    if (why !== null) {
      await entry.sign.stop()
      await endCheck({ claim: own, why, attempt: 0 })
    }
    const { state, reason, detail, run, usd } = outcome
    const durationMs = Math.round(performance.now() - startedAt)
    const failure = failureOf(job, reason, detail)
    onEvent({ type: 'ended', tenant, job: id, state, run, durationMs, usd, ...failure })
  }

  function hooksOf(entry: Work): JobHooks {
    const { claim: own, stop, meter } = entry
    const { tenant, id } = own
    return {
      signal: stop.signal,
      isAgain: own.attempt > 1,
      onPublish: async () => await entry.sign?.stop(),
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

  async function letGo({ claim: own, stop, sign }: Work): Promise<void> {
    const { reason } = stop.signal
    const why = reason instanceof Stopped ? reason.held : 'lost'
    await sign?.stop()
    if (why === 'shutdown') {
      await queue.release(own)
      await sign?.pause(
        'Waiting for a review',
        'The server stops, or is replaced by a newer version; the review continues then.\n',
      )
    } else if (why === 'superseded' || why === 'skipped') {
      const skipped = why === 'skipped' ? (await queue.job(own.tenant, own.id))?.reason : null
      await queue.finish(own, { state: why })
      // Said by whoever ended the job already, but a sign of this worker may have come after it.
      await endCheck({ claim: own, why: skipped ?? replaced, attempt: 0 })
    }
    onEvent({ type: 'let-go', tenant: own.tenant, job: own.id, why })
  }

  /** Nothing else will be said on this check, so a host that fails or asks to wait is asked again. Never rejects. */
  async function endCheck({ claim, why, attempt }: Unwanted): Promise<void> {
    const { tenant, lane, payload } = claim
    const { success, data: job } = ReviewJob.safeParse(payload)
    if (!success || job.head === null || job.decision.kind !== 'review') return
    try {
      const others = await queue.jobs(tenant, { lane, limit: 5 })
      const isWantedAgain = others.some(
        (other) => (other.state === 'queued' || other.state === 'running') && other.payload.head === job.head,
      )
      if (!isWantedAgain) await showUnwanted(tenant, job, job.head, why)
    } catch (error) {
      if (attempt === 0) trouble(error, job.address)
      const wait = waits[attempt]
      if (wait === undefined || isFinal(error) || isStopped) return
      const again = () => {
        late.delete(timer)
        void endCheck({ claim, why, attempt: attempt + 1 })
      }
      const timer = setTimeout(again, wait * patience * 1000)
      late.add(timer)
    }
  }

  function stop(): void {
    isStopped = true
    for (const timer of late) clearTimeout(timer)
  }

  /** Jobs that the queue itself gave up, because they killed their workers or waited for too long. */
  async function showUnshown(): Promise<void> {
    for (const { tenant, payload, reason } of await takeUnshown(database, reviewKind)) {
      const { success, data: job } = ReviewJob.safeParse(payload)
      if (!success) continue
      const hooks: JobHooks = {
        signal: new AbortController().signal,
        mayWrite: async () => true,
        onPublish: async () => {},
        onSpent() {},
        onRole() {},
        onStep() {},
      }
      const shown = { state: 'not-reviewed', reason: 'failed', detail: reason, head: job.head } as const
      await showState(tenant, job, parts, hooks, shown).catch((error: unknown) => trouble(error, job.address))
    }
  }
}

/**
 * Why the commit that was asked for got no review, where no webhook may have said so: its check would say for ever that it runs.
 * Null where it has one, or says why not.
 */
function unwantedBy({ decision, head }: ReviewJob, outcome: Outcome): string | null {
  if (decision.kind !== 'review') return null
  if (outcome.reason === 'closed') return 'the change request is closed'
  return outcome.state === 'superseded' || outcome.head !== head ? replaced : null
}

function failureOf({ address }: ReviewJob, reason: OutcomeReason | null, detail: string | null): Failure {
  const remedy = remedyOf(reason)
  return { change: address, reason, detail: detail === null ? null : visibleLine(detail), remedy }
}

function wordsOf({ state, reason, detail }: Outcome): string {
  if (state === 'reviewed') return detail ?? ''
  return detail === null ? titleOf(state, reason) : `${titleOf(state, reason)}. ${detail}`
}
