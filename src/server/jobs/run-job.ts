/**
 * One claimed job, from the host and back: collect, analyze, publish, each in its own process. Whatever happens on the way
 * becomes one visible state, or an error that a later attempt may not meet.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { StoppedReview } from '../../domain/coverage.ts'
import type { LedgerEvent } from '../../ledger/contract.ts'
import { eventsOfAnswer, eventsOfReview } from '../ledger/lent-ledger.ts'
import type { Analyzed, Collected, JobRole, RoleResult } from '../roles/contract.ts'
import type { RoleAccount } from '../roles/run-role.ts'
import type { OpenAccess, Outcome, OutcomeReason, OutcomeState, ReviewJob } from './contract.ts'
import { detailOf, type Meaning, meaningOf, stateText, titleOf } from './failures.ts'
import type { Indexing } from './indexing.ts'
import { type JobRecord, openJobRecord } from './job-record.ts'
import {
  type Answering,
  JobRoles,
  least,
  type OpenJob,
  type Replaying,
  type RoleHooks,
  type RoleMachine,
} from './job-roles.ts'
import type { LiveIndexes } from './live-indexes.ts'
import { makeJobPlaces, placesOf } from './places.ts'
import type { Workspaces } from './workspaces.ts'

export type JobParts = RoleMachine & {
  /** The server's data folder. */
  data: string
  openAccess: OpenAccess
  /** Null builds no index after a review. */
  indexing: Indexing | null
  /** Null reviews against what is on disk. */
  live: LiveIndexes | null
  /** Fetches repositories with the other half of a change; null leaves it to the background. */
  workspaces: Pick<Workspaces, 'refresh'> | null
  /** The share of its time that is waited for a job of newer commits. */
  patience: number
}

export type JobHooks = RoleHooks & {
  /** Whether this worker may write to the host now; on record when it may. */
  mayWrite(head: string | null): Promise<boolean>
}

export type JobEnd =
  /** `events`: what it adds to the ledger of its repository. `users`: see `rememberUsers`; absent for what is no review. */
  | { kind: 'outcome'; outcome: Outcome; events: readonly LedgerEvent[]; users?: readonly string[] }
  /** It may end otherwise later. `meaning`: what it ends as when there is no later. */
  | { kind: 'error'; meaning: Meaning; detail: string; head: string | null }
  | { kind: 'aborted' }

/** Never rejects for what a job can do wrong; an `Error` is a fault of ours or of the machine. */
export async function runJob(
  tenant: string,
  job: ReviewJob,
  parts: JobParts,
  hooks: JobHooks,
): Promise<JobEnd> {
  const access = await parts.openAccess(tenant, job, hooks.signal)
  const places = placesOf(parts.data, tenant)
  const own = makeJobPlaces(parts.data)
  let isHandedOn = false
  try {
    const steps = new JobSteps({ tenant, job, parts, hooks, access, places, own })
    const end = await steps.run()
    if (steps.wantsIndex && parts.indexing) {
      parts.indexing.add(tenant, labelOf(job), own)
      isHandedOn = true
    }
    return end
  } catch (error) {
    if (error instanceof JobStopped) return error.end
    if (hooks.signal.aborted) return { kind: 'aborted' }
    throw error
  } finally {
    if (!isHandedOn) own.remove()
  }
}

/** Shows on the host how a job ended that was not reviewed. False where that is not possible. */
export async function showState(
  tenant: string,
  job: ReviewJob,
  parts: JobParts,
  hooks: JobHooks,
  shown: { state: OutcomeState; reason: OutcomeReason | null; detail: string | null; head: string | null },
): Promise<boolean> {
  const access = await parts.openAccess(tenant, job, hooks.signal)
  const places = placesOf(parts.data, tenant)
  const own = makeJobPlaces(parts.data)
  try {
    return await new JobSteps({ tenant, job, parts, hooks, access, places, own }).show(shown)
  } finally {
    own.remove()
  }
}

class JobStopped extends Error {
  readonly end: JobEnd

  constructor(end: JobEnd) {
    super('the job ended')
    this.end = end
  }
}

/** The host has other commits by now. */
class HeadMoved extends Error {}

/** How often a change is reviewed from the beginning because it got new commits meanwhile. */
const mostHeads = 3
const restMs = 5_000

type StepParts = OpenJob & { parts: JobParts; hooks: JobHooks }

const nothingSpent = { usd: 0, unpricedCalls: 0 }

class JobSteps {
  private readonly given: StepParts
  private readonly roles: JobRoles
  private readonly record: JobRecord
  private readonly spent = { ...nothingSpent }
  private head: string | null
  wantsIndex = false
  private settled: readonly string[] = []
  private users: readonly string[] = []

  constructor(given: StepParts) {
    const { parts, hooks, ...rest } = given
    this.given = given
    this.head = given.job.head
    this.record = openJobRecord(given.job, parts.openLedger(given.tenant))
    this.roles = new JobRoles({
      ...rest,
      ...hooks,
      machine: parts,
      mayWrite: () => hooks.mayWrite(this.head),
      onSpent: (cost) => {
        this.spent.usd += cost.usd
        this.spent.unpricedCalls += cost.unpricedCalls
        hooks.onSpent(cost)
      },
    })
  }

  async run(): Promise<JobEnd> {
    const { job } = this.given
    if (job.decision.kind === 'skip') {
      const { why, by } = job.decision
      return await this.end('skipped', 'policy', `${why} (${by})`)
    }
    if (job.decision.kind !== 'review') {
      const { decision } = job
      const analyzed = await (decision.kind === 'answer' ? this.answer(decision) : this.replay(decision))
      return this.outcomeOf(analyzed, eventsOfAnswer(analyzed.events, job.number))
    }
    const analyzed = await this.review(job.decision)
    this.wantsIndex = analyzed.wantsIndex
    const events = await this.record.withSettled(eventsOfReview(analyzed.events, job.number), this.settled)
    return { ...this.outcomeOf(analyzed, events), users: this.users }
  }

  private outcomeOf(
    analyzed: Analyzed,
    events: readonly LedgerEvent[],
  ): Extract<JobEnd, { kind: 'outcome' }> {
    const { shortfall, headline, run, findings, reply } = analyzed
    return {
      kind: 'outcome',
      events,
      outcome: {
        ...this.spent,
        state: shortfall === null ? 'reviewed' : 'partly',
        reason: shortfall === 'files' ? null : shortfall,
        detail: headline,
        head: this.head,
        run,
        ...{ findings, reply },
        isShown: true,
      },
    }
  }

  /** On the change as it is now: what was reviewed may be older, and is then known from the record of the review. */
  private async answer(decision: Answering): Promise<Analyzed> {
    const { job, own } = this.given
    const { run, about, question, isNew = false } = decision
    const change = decision.comment === null ? await this.collectIfThere() : await this.collect()
    this.head = change?.head ?? this.head
    const task = {
      what: 'answer' as const,
      ...{ change: change && own.frozen, answer: join(own.handed, 'answer.json') },
      ...{ run, about, question, isNew, asking: job.trigger.id },
    }
    const money = await this.moneyFor(decision.budgetUsd)
    const analyzed = await this.resultOf('analyzer', await this.roles.analyze(task, money))
    const { comment } = decision
    if (comment === null) return analyzed
    const posted = await this.roles.publish({ what: 'answer', comment, answer: task.answer })
    await this.resultOf('publisher', posted)
    return analyzed
  }

  private async replay({ run, swap, budgetUsd }: Replaying): Promise<Analyzed> {
    const money = swap === null ? budgetUsd : await this.moneyFor(budgetUsd)
    const replayed = await this.roles.analyze({ what: 'replay', run, swap }, money)
    return await this.resultOf('analyzer', replayed)
  }

  /** The least that any budget leaves. Throws `JobStopped` when that is nothing. */
  private async moneyFor(budgetUsd: number | null): Promise<number | null> {
    const left = least(budgetUsd, this.given.access.allowanceUsd)
    if (left === 0) throw new JobStopped(await this.end('not-reviewed', 'budget', noBudget))
    return left
  }

  /** From the beginning, when commits come in between that have no job of their own: no webhook announced them. */
  private async review(decision: Reviewing): Promise<Analyzed> {
    const { tenant, job, parts, own, hooks } = this.given
    for (let heads = 1; ; heads++)
      try {
        if (job.beside) await parts.workspaces?.refresh(tenant, job.beside, hooks.signal)
        const collected = await this.collect()
        this.head = collected.head
        this.users = collected.users
        await parts.live?.refresh(tenant, labelOf(job), own.frozen)
        const analyzed = await this.analyze(decision)
        const counted = await this.record.counted(eventsOfReview(analyzed.events, job.number))
        const posted = await this.roles.publish({ what: 'review', head: this.head, counted })
        this.settled = (await this.resultOf('publisher', posted)).settled
        return analyzed
      } catch (error) {
        if (!(error instanceof HeadMoved)) throw error
        if (heads >= mostHeads)
          throw new JobStopped(await this.end('superseded', 'newer-commits', error.message))
        own.empty()
        // A job of their own is on its way as a rule, and ends this one.
        await delay(restMs * parts.patience, undefined, { signal: hooks.signal })
      }
  }

  async show(shown: Parameters<typeof showState>[4]): Promise<boolean> {
    const { state, reason, detail, head } = shown
    const { decision } = this.given.job
    if (isOfDashboard(decision)) return false
    const title = titleOf(state, reason)
    const { end } = await this.roles.publish(
      decision.kind === 'answer' && decision.comment
        ? this.failedAnswer(decision.question, decision.comment, detail ?? title)
        : {
            what: 'state',
            head,
            conclusion: this.blocks(state) ? 'failure' : 'neutral',
            title,
            summary: stateText(title, detail, reason),
          },
    )
    // An answer that is there from an earlier attempt is not written again.
    const isShown = (writes: number) => writes > 0 || decision.kind === 'answer'
    return end.kind === 'done' && end.result.role === 'publisher' && isShown(end.result.writes)
  }

  /** A gate never opens because something failed, or because somebody of the change held the review back. */
  private blocks(state: OutcomeState): boolean {
    const { job, access } = this.given
    if (!access.gate) return false
    return state !== 'skipped' || (job.decision.kind === 'skip' && job.decision.isHeld === true)
  }

  private failedAnswer(question: string, comment: NonNullable<Answering['comment']>, failed: string) {
    const answer = join(this.given.own.handed, 'answer.json')
    const turn = { question, statements: [], cannot: '', disputed: null, failed }
    writeFileSync(answer, JSON.stringify({ turn, titles: {}, places: {} }), { mode: 0o600 })
    return { what: 'answer', comment, answer } as const
  }

  private async collect(): Promise<Collected> {
    return await this.resultOf('collector', await this.roles.collect())
  }

  /** Null for a change that was closed, or that the host does not show any more. */
  private async collectIfThere(): Promise<Collected | null> {
    const account = await this.roles.collect()
    return account.end.kind === 'done' || account.end.kind === 'aborted'
      ? await this.resultOf('collector', account)
      : null
  }

  /**
   * Once more for what had finished, when the watchdog ended it: that is reported as a review in part. Once more whole, when
   * something else killed it, since that may not be its fault; killed twice, it is.
   */
  private async analyze(decision: Reviewing): Promise<Analyzed> {
    const stopped: StoppedReview = { stage: 'collect', reason: '', finished: [] }
    const first = await this.roles.review(decision, null, (report) => {
      if (report.type === 'stage') stopped.stage = report.stage
      if (report.type === 'finished') stopped.finished.push(report.plane)
    })
    const { end } = first
    if (end.kind !== 'overrun' && end.kind !== 'died') return await this.resultOf('analyzer', first)
    if (this.given.hooks.signal.aborted) throw new JobStopped({ kind: 'aborted' })
    const rest = end.kind === 'overrun' ? { ...stopped, reason: end.reason } : null
    const again = await this.roles.review(decision, rest, () => {})
    if (again.end.kind !== 'died') return await this.resultOf('analyzer', again)
    const how = end.kind === 'overrun' ? end.reason : end.how
    const reason = `its process was ended twice: ${how}, then ${again.end.how}`
    throw new JobStopped(await this.end('not-reviewed', 'limits', reason))
  }

  /** Throws `JobStopped` for anything but a result. */
  private async resultOf<Role extends JobRole>(
    role: Role,
    { end }: RoleAccount,
  ): Promise<Extract<RoleResult, { role: Role }>> {
    if (end.kind === 'aborted') throw new JobStopped({ kind: 'aborted' })
    if (end.kind === 'done') return end.result as Extract<RoleResult, { role: Role }>
    // A permit that was refused: whoever refused it knows why.
    if (this.given.hooks.signal.aborted) throw new JobStopped({ kind: 'aborted' })
    if (end.kind === 'failed' && end.code === 'head-moved') throw new HeadMoved(detailOf(role, end.message))
    if (end.kind === 'overrun') throw new JobStopped(await this.end('not-reviewed', 'limits', end.reason))
    const meaning = meaningOf(end.kind === 'failed' ? end.code : null)
    const detail = detailOf(role, end.kind === 'failed' ? end.message : end.how)
    if (meaning.isPassing) throw new JobStopped({ kind: 'error', meaning, detail, head: this.head })
    throw new JobStopped(await this.end(meaning.state, meaning.reason, detail))
  }

  private async end(state: Meaning['state'], reason: OutcomeReason, detail: string): Promise<JobEnd> {
    // What people look at is the newest commit, which has a job of its own.
    const isWorthShowing = state !== 'superseded' && reason !== 'closed' && reason !== 'gone'
    const isShown = isWorthShowing && (await this.show({ state, reason, detail, head: this.head }))
    if (this.given.hooks.signal.aborted) return { kind: 'aborted' }
    const outcome = {
      ...this.spent,
      state,
      reason,
      detail,
      head: this.head,
      run: null,
      findings: 0,
      reply: null,
      isShown,
    }
    return { kind: 'outcome', outcome, events: [] }
  }
}

/** How indexes name the repository. */
function labelOf({ repository }: ReviewJob): string {
  return `${repository.host}/${repository.name}`
}

type Reviewing = Extract<ReviewJob['decision'], { kind: 'review' }>

/** Whoever asked reads the end of it there, and the host hears nothing. */
function isOfDashboard(decision: ReviewJob['decision']): boolean {
  return decision.kind === 'replay' || (decision.kind === 'answer' && decision.comment === null)
}

const noBudget = 'The budget for models is used up.'
