/**
 * One claimed job, from the host and back: collect, analyze, publish, each in its own process. Whatever happens on the way
 * becomes one visible state, or an error that a later attempt may not meet.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { modelAddresses } from '../../assembly/model-addresses.ts'
import { usePrivateFolder } from '../../base/private-folders.ts'
import { parseSettings } from '../../config/settings/load.ts'
import type { StoppedReview } from '../../domain/coverage.ts'
import type { StageName } from '../../domain/events.ts'
import type { LedgerEvent, LedgerStore } from '../../ledger/contract.ts'
import { eventsOfAnswer, eventsOfReview, ledgerKey } from '../ledger/lent-ledger.ts'
import type {
  Analyzed,
  AnalyzeOrder,
  Collected,
  JobRole,
  Report,
  RoleLimits,
  RoleOrder,
  RoleResult,
} from '../roles/contract.ts'
import { openGate } from '../roles/gate.ts'
import { type RoleAccount, type RoleRun, runRole } from '../roles/run-role.ts'
import type { Access, OpenAccess, Outcome, OutcomeReason, OutcomeState, ReviewJob } from './contract.ts'
import { detailOf, type Meaning, meaningOf, titleOf } from './failures.ts'
import type { Indexing } from './indexing.ts'
import type { LiveIndexes } from './live-indexes.ts'
import { freeAbandonedLocks } from './locks.ts'
import { type JobPlaces, makeJobPlaces, placesOf, type TenantPlaces } from './places.ts'
import type { JobStep } from './progress.ts'
import type { Turns } from './turns.ts'

export type JobParts = {
  /** The server's data folder. */
  data: string
  openAccess: OpenAccess
  openLedger: (tenant: string) => LedgerStore
  limits: RoleLimits
  /** Whether roles run in bubblewrap. */
  isBoxed: boolean
  /** Compiled code for them, from `fillCompiled`; null for none. */
  compiled: string | null
  /** Shared by all jobs of a worker. */
  turns: Turns
  /** Null builds no index after a review. */
  indexing: Indexing | null
  /** Null reviews against what is on disk. */
  live: LiveIndexes | null
}

export type JobHooks = {
  /** Aborted: nothing of it is wanted any more, or another worker has it. */
  signal: AbortSignal
  /** Whether this worker may write to the host now; on record when it may. */
  mayWrite(head: string | null): Promise<boolean>
  onSpent(cost: { usd: number; unpricedCalls: number }): void
  onRole(role: JobRole, account: RoleAccount): void
  /** For a `ProgressMeter`. */
  onStep(step: JobStep): void
}

export type JobEnd =
  /** `events`: what it adds to the ledger of its repository. */
  | { kind: 'outcome'; outcome: Outcome; events: readonly LedgerEvent[] }
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

type StepParts = {
  tenant: string
  job: ReviewJob
  parts: JobParts
  hooks: JobHooks
  access: Access
  places: TenantPlaces
  own: JobPlaces
}

const modelStages: ReadonlySet<string> = new Set(['explore', 'triage', 'review'] satisfies StageName[])

const nothingSpent = { usd: 0, unpricedCalls: 0 }

class JobSteps {
  private readonly given: StepParts
  private readonly spent = { ...nothingSpent }
  private head: string | null
  wantsIndex = false

  constructor(given: StepParts) {
    this.given = given
    this.head = given.job.head
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
    const analyzed = await this.review()
    this.wantsIndex = analyzed.wantsIndex
    return this.outcomeOf(analyzed, eventsOfReview(analyzed.events, job.number))
  }

  private outcomeOf(analyzed: Analyzed, events: readonly LedgerEvent[]): JobEnd {
    const { isComplete, shortfall, headline, run, findings, reply } = analyzed
    return {
      kind: 'outcome',
      events,
      outcome: {
        ...this.spent,
        state: isComplete ? 'reviewed' : 'partly',
        reason: isComplete ? null : shortfall,
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
    const analyzed = await this.resultOf(
      'analyzer',
      await this.analyzer(task, await this.moneyFor(decision.budgetUsd), () => {}),
    )
    if (decision.comment === null) return analyzed
    const posted = await this.role('publisher', {
      order: {
        ...this.common('publisher'),
        role: 'publisher',
        address: job.address,
        cache: this.given.places.fetched,
        what: 'answer',
        comment: { number: job.number, ...decision.comment },
        answer: task.answer,
      },
      readable: [own.handed],
      writable: [this.given.places.pauses],
    })
    await this.resultOf('publisher', posted)
    return analyzed
  }

  private async replay({ run, swap, budgetUsd }: Replaying): Promise<Analyzed> {
    const money = swap === null ? budgetUsd : await this.moneyFor(budgetUsd)
    return await this.resultOf(
      'analyzer',
      await this.analyzer({ what: 'replay', run, swap }, money, () => {}),
    )
  }

  /** The least that any budget leaves. Throws `JobStopped` when that is nothing. */
  private async moneyFor(budgetUsd: number | null): Promise<number | null> {
    const left = least(budgetUsd, this.given.access.allowanceUsd)
    if (left === 0) throw new JobStopped(await this.end('not-reviewed', 'budget', noBudget))
    return left
  }

  /** From the beginning, when commits come in between that have no job of their own: no webhook announced them. */
  private async review(): Promise<Analyzed> {
    for (let heads = 1; ; heads++)
      try {
        this.head = (await this.collect()).head
        const { tenant, job, parts, own } = this.given
        await parts.live?.refresh(tenant, labelOf(job), own.frozen)
        const analyzed = await this.analyze()
        await this.publish()
        return analyzed
      } catch (error) {
        if (!(error instanceof HeadMoved)) throw error
        if (heads >= mostHeads)
          throw new JobStopped(await this.end('superseded', 'newer-commits', error.message))
        this.given.own.empty()
        // A job of their own is on its way as a rule, and ends this one.
        await delay(restMs, undefined, { signal: this.given.hooks.signal })
      }
  }

  async show(shown: Parameters<typeof showState>[4]): Promise<boolean> {
    const { state, reason, detail, head } = shown
    const { job, own, places } = this.given
    if (isOfDashboard(job.decision)) return false
    const title = titleOf(state, reason)
    const order = {
      ...this.common('publisher'),
      role: 'publisher',
      address: job.address,
      cache: places.fetched,
    } as const
    const { end } = await this.role('publisher', {
      order:
        job.decision.kind === 'answer' && job.decision.comment
          ? { ...order, ...this.failedAnswer(job.decision.question, job.decision.comment, detail ?? title) }
          : { ...order, what: 'state', head, title, summary: `${plain(detail ?? title)}\n` },
      readable: [own.handed],
      writable: [places.pauses],
    })
    // An answer that is there from an earlier attempt is not written again.
    const isShown = (writes: number) => writes > 0 || job.decision.kind === 'answer'
    return end.kind === 'done' && end.result.role === 'publisher' && isShown(end.result.writes)
  }

  private failedAnswer(question: string, comment: NonNullable<Answering['comment']>, failed: string) {
    const answer = join(this.given.own.handed, 'answer.json')
    const turn = { question, statements: [], cannot: '', disputed: null, failed }
    writeFileSync(answer, JSON.stringify({ turn, titles: {}, places: {} }), { mode: 0o600 })
    return { what: 'answer', comment: { number: this.given.job.number, ...comment }, answer } as const
  }

  private async collect(): Promise<Collected> {
    return await this.resultOf('collector', await this.collector())
  }

  /** Null for a change that was closed, or that the host does not show any more. */
  private async collectIfThere(): Promise<Collected | null> {
    const account = await this.collector()
    return account.end.kind === 'done' || account.end.kind === 'aborted'
      ? await this.resultOf('collector', account)
      : null
  }

  private async collector(): Promise<RoleAccount> {
    const { job, places, own } = this.given
    const stopFreeing = freeAbandonedLocks(join(places.fetchedOwn, 'mirrors'))
    try {
      const order = { ...this.common('collector'), role: 'collector', address: job.address } as const
      return await this.role('collector', {
        order: { ...order, change: own.frozen, cache: places.fetched },
        writable: [places.fetchedOwn, own.frozen],
      })
    } finally {
      stopFreeing()
    }
  }

  /** Once more for what had finished, when the watchdog ended it: that is reported as a review in part. */
  private async analyze(): Promise<Analyzed> {
    const stopped: StoppedReview = { stage: 'collect', reason: '', finished: [] }
    const first = await this.analyzeOnce(null, (report) => {
      if (report.type === 'stage') stopped.stage = report.stage
      if (report.type === 'finished') stopped.finished.push(report.plane)
    })
    if (first.end.kind !== 'overrun') return await this.resultOf('analyzer', first)
    const again = await this.analyzeOnce({ ...stopped, reason: first.end.reason }, () => {})
    return await this.resultOf('analyzer', again)
  }

  private async analyzeOnce(
    stopped: StoppedReview | null,
    onReport: (report: Report) => void,
  ): Promise<RoleAccount> {
    const { job, own, access } = this.given
    if (job.decision.kind !== 'review') throw new Error('nothing of this job is to be reviewed')
    const budgetUsd = least(job.decision.budgetUsd, access.allowanceUsd)
    const { depth, notice } =
      budgetUsd === null || budgetUsd > 0 ? job.decision : { depth: 'offline' as const, notice: budgetEnded }
    const review = join(own.handed, 'review.json')
    const { isFull = false } = job.decision
    const task = { what: 'review', change: own.frozen, review, depth, isFull, notice, stopped } as const
    return await this.analyzer(task, budgetUsd === 0 ? null : budgetUsd, onReport)
  }

  private async analyzer(
    task: AnalyzerTask,
    budgetUsd: number | null,
    onReport: (report: Report) => void,
  ): Promise<RoleAccount> {
    const { tenant, job, places, own, access, parts } = this.given
    const settings = parseSettings(access.settings, 'the settings of the server')
    const order = {
      ...this.common('analyzer'),
      role: 'analyzer',
      cache: places.cache,
      budgetUsd,
      ledger: await parts.openLedger(tenant).read(ledgerKey(job.repository)),
      ...task,
    } as const
    const run = (gate: string | null, hasNetwork: boolean, sockets: readonly string[]) =>
      this.role(
        'analyzer',
        {
          order: { ...order, gate },
          hasNetwork,
          readable: [own.frozen, ...sockets],
          writable: [places.cacheOwn, places.stateOwn, own.handed],
        },
        onReport,
      )
    // A bucket is reached by a client that knows no proxy.
    if (!parts.isBoxed || settings.journal.store !== 'files') return await run(null, true, [])
    const allowed = modelAddresses(settings, access.secrets.analyzer)
    return await usePrivateFolder('gate', async (folder) => {
      const gate = await openGate(join(folder, 'models'), allowed)
      try {
        return await run(gate.socket, false, [folder])
      } finally {
        await gate.close()
      }
    })
  }

  private async publish(): Promise<void> {
    const { job, own, places } = this.given
    const account = await this.role('publisher', {
      order: {
        ...this.common('publisher'),
        role: 'publisher',
        address: job.address,
        cache: places.fetched,
        what: 'review',
        change: own.frozen,
        review: join(own.handed, 'review.json'),
      },
      readable: [own.frozen, own.handed],
      writable: [places.pauses],
    })
    await this.resultOf('publisher', account)
  }

  private common(role: Exclude<JobRole, 'indexer'>): {
    environment: Record<string, string>
    tenant: string
  } {
    const { tenant, access, own, places } = this.given
    const settings = join(own.roles[role], 'settings.yaml')
    writeFileSync(settings, access.settings, { mode: 0o600 })
    const state = role === 'analyzer' ? places.state : own.roles[role]
    return {
      tenant,
      environment: { ...access.secrets[role], SIGHTLINE_SETTINGS: settings, XDG_STATE_HOME: state },
    }
  }

  private async role(
    name: JobRole,
    run: { order: RoleOrder } & Partial<Pick<RoleRun, 'hasNetwork' | 'readable' | 'writable'>>,
    onReport: (report: Report) => void = () => {},
  ): Promise<RoleAccount> {
    const { parts, hooks, own } = this.given
    hooks.onStep({ type: 'queued-for-processor' })
    const endTurn = await parts.turns.take(hooks.signal)
    hooks.onStep({ type: 'role-start', role: name })
    const account = await runRole({
      hasNetwork: true,
      readable: [],
      writable: [],
      ...run,
      folder: own.roles[name],
      isBoxed: parts.isBoxed,
      compiled: parts.compiled,
      limits: parts.limits[name],
      signal: hooks.signal,
      mayWrite: () => hooks.mayWrite(this.head),
      onReport: (report) => {
        hooks.onStep(report)
        if (report.type === 'spent') this.note(report)
        // From here on it waits for models.
        if (report.type === 'stage' && modelStages.has(report.stage)) endTurn()
        onReport(report)
      },
    })
    endTurn()
    hooks.onRole(name, account)
    return account
  }

  private note({ usd, unpricedCalls }: { usd: number; unpricedCalls: number }): void {
    this.spent.usd += usd
    this.spent.unpricedCalls += unpricedCalls
    this.given.hooks.onSpent({ usd, unpricedCalls })
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

type Answering = Extract<ReviewJob['decision'], { kind: 'answer' }>
type Replaying = Extract<ReviewJob['decision'], { kind: 'replay' }>

/** Whoever asked reads the end of it there, and the host hears nothing. */
function isOfDashboard(decision: ReviewJob['decision']): boolean {
  return decision.kind === 'replay' || (decision.kind === 'answer' && decision.comment === null)
}

type TaskOf<Order> = Order extends AnalyzeOrder
  ? Omit<Order, 'environment' | 'tenant' | 'role' | 'cache' | 'budgetUsd' | 'ledger' | 'gate'>
  : never
/** What is particular to one kind of order. */
type AnalyzerTask = TaskOf<AnalyzeOrder>

const noBudget = 'The budget for models is used up.'
const budgetEnded = 'The budget for models ended, so only code checks were made.'

function least(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}

/** Words of ours and of programs, which hosts would read as Markdown. */
function plain(words: string): string {
  return words.replace(/[\\`*_{}[\]<>#|~@]/g, '\\$&')
}
