/**
 * The processes of one job: what each role is ordered to do, what it may read and write, and what of it the worker hears
 * meanwhile. How one ended is for `runJob` to judge.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ShownState } from '../../assembly/change-request.ts'
import { modelAddresses } from '../../assembly/model-addresses.ts'
import { usePrivateFolder } from '../../base/private-folders.ts'
import { parseSettings } from '../../config/settings/load.ts'
import type { StoppedReview } from '../../domain/coverage.ts'
import type { StageName } from '../../domain/events.ts'
import type { LedgerStore } from '../../ledger/contract.ts'
import type { Counted } from '../../ledger/counts.ts'
import { ledgerKey } from '../ledger/lent-ledger.ts'
import type { AnalyzeOrder, JobRole, PublishOrder, Report, RoleLimits, RoleOrder } from '../roles/contract.ts'
import { openGate } from '../roles/gate.ts'
import type { RoleAccount, RoleRun, RunRole } from '../roles/run-role.ts'
import type { Access, ReviewJob } from './contract.ts'
import { freeAbandonedLocks } from './locks.ts'
import type { JobPlaces, TenantPlaces } from './places.ts'
import type { JobStep } from './progress.ts'
import type { Turns } from './turns.ts'

export type Answering = Extract<ReviewJob['decision'], { kind: 'answer' }>
export type Replaying = Extract<ReviewJob['decision'], { kind: 'replay' }>

/** What processes of roles are started with. */
export type RoleMachine = {
  openLedger: (tenant: string) => LedgerStore
  limits: RoleLimits
  /** Whether roles run in bubblewrap. */
  isBoxed: boolean
  /** Compiled code for them, from `fillCompiled`; null for none. */
  compiled: string | null
  /** Shared by all jobs of a worker. */
  turns: Turns
  runRole: RunRole
}

/** What a process beside the jobs needs; `data`: the server's data folder. */
export type ProcessParts = Pick<RoleMachine, 'limits' | 'isBoxed' | 'compiled'> & { data: string }

/** What the worker says and hears while a job is done. */
export type RoleHooks = {
  /** Aborted: nothing of it is wanted any more, or another worker has it. */
  signal: AbortSignal
  /** An earlier attempt may have been killed while it wrote. */
  isAgain?: boolean
  /** Awaited before the end of a review is written: nothing else is written then. */
  onPublish(): Promise<void>
  onSpent(cost: { usd: number; unpricedCalls: number }): void
  onRole(role: JobRole, account: RoleAccount): void
  /** For a `ProgressMeter`. */
  onStep(step: JobStep): void
}

export type OpenJob = {
  tenant: string
  job: ReviewJob
  access: Access
  places: TenantPlaces
  own: JobPlaces
}

type JobRolesParts = OpenJob & RoleHooks & { machine: RoleMachine; mayWrite(): Promise<boolean> }

type TaskOf<Order> = Order extends AnalyzeOrder
  ? Omit<Order, 'environment' | 'tenant' | 'role' | 'cache' | 'budgetUsd' | 'ledger' | 'gate'>
  : never
/** What is particular to one kind of order. */
export type AnalyzerTask = TaskOf<AnalyzeOrder>

/** What the publisher writes. */
type Publishing =
  | { what: 'review'; head: string | null; counted: Counted[] | null }
  | ({ what: 'state' } & ShownState)
  /** `answer`: the file that holds it. */
  | { what: 'answer'; comment: NonNullable<Answering['comment']>; answer: string }

/** From these on a job waits for models and not for a processor. */
const modelStages: ReadonlySet<string> = new Set(['explore', 'review'] satisfies StageName[])

const budgetEnded = 'The budget for models ended, so only code checks were made.'

export class JobRoles {
  private readonly given: JobRolesParts

  constructor(given: JobRolesParts) {
    this.given = given
  }

  /** Freezes the change. */
  async collect(): Promise<RoleAccount> {
    const { places, own } = this.given
    const stopFreeing = freeAbandonedLocks(join(places.fetchedOwn, 'mirrors'))
    try {
      const order = { ...this.common('collector'), ...this.place(), role: 'collector' } as const
      return await this.run('collector', {
        order: { ...order, change: own.frozen, cache: places.fetched },
        writable: [places.fetchedOwn, own.frozen],
      })
    } finally {
      stopFreeing()
    }
  }

  /** `stopped`: a first attempt that overran, which is reported as a review in part. */
  async review(
    decision: Extract<ReviewJob['decision'], { kind: 'review' }>,
    stopped: StoppedReview | null,
    onReport: (report: Report) => void,
  ): Promise<RoleAccount> {
    const { own, access } = this.given
    const budgetUsd = least(decision.budgetUsd, access.allowanceUsd)
    const { depth, notice } =
      budgetUsd === null || budgetUsd > 0 ? decision : { depth: 'offline' as const, notice: budgetEnded }
    const review = join(own.handed, 'review.json')
    const { isFull = false } = decision
    const task = { what: 'review', change: own.frozen, review, depth, isFull, notice, stopped } as const
    return await this.analyze(task, budgetUsd === 0 ? null : budgetUsd, onReport)
  }

  async analyze(
    task: AnalyzerTask,
    budgetUsd: number | null,
    onReport: (report: Report) => void = () => {},
  ): Promise<RoleAccount> {
    const { tenant, job, places, own, access, machine } = this.given
    const settings = parseSettings(access.settings, 'the settings of the server')
    const order = {
      ...this.common('analyzer'),
      role: 'analyzer',
      cache: places.cache,
      budgetUsd,
      ledger: await machine.openLedger(tenant).read(ledgerKey(job.repository)),
      ...task,
    } as const
    const run = (gate: string | null, hasNetwork: boolean, sockets: readonly string[]) =>
      this.run(
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
    if (!machine.isBoxed || settings.journal.store !== 'files') return await run(null, true, [])
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

  async publish(publishing: Publishing): Promise<RoleAccount> {
    await this.given.onPublish()
    const { job, own, places } = this.given
    const order = {
      ...this.common('publisher'),
      ...this.place(),
      role: 'publisher',
      cache: places.fetched,
    } as const
    const written = (): PublishOrder => {
      if (publishing.what === 'state') return { ...order, ...publishing }
      if (publishing.what === 'answer')
        return { ...order, ...publishing, comment: { number: job.number, ...publishing.comment } }
      const { gate = null, opened, lacks = [] } = this.given.access
      const review = join(own.handed, 'review.json')
      // A later commit is judged by itself.
      const override = opened && opened.head === publishing.head ? opened : null
      const { isAgain = false } = this.given
      const { what, counted } = publishing
      return { ...order, what, counted, lacks, change: own.frozen, review, gate, override, isAgain }
    }
    return await this.run('publisher', {
      order: written(),
      readable: publishing.what === 'review' ? [own.frozen, own.handed] : [own.handed],
      writable: [places.pauses],
    })
  }

  private place(): { address: string; repositoryId: string | null } {
    const { address, repository } = this.given.job
    return { address, repositoryId: repository.id }
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

  private async run(
    name: JobRole,
    run: { order: RoleOrder } & Partial<Pick<RoleRun, 'hasNetwork' | 'readable' | 'writable'>>,
    onReport: (report: Report) => void = () => {},
  ): Promise<RoleAccount> {
    const { machine, own, signal, mayWrite, onSpent, onRole, onStep } = this.given
    onStep({ type: 'queued-for-processor' })
    const endTurn = await machine.turns.take(signal)
    onStep({ type: 'role-start', role: name })
    const account = await machine.runRole({
      hasNetwork: true,
      readable: [],
      writable: [],
      ...run,
      folder: own.roles[name],
      isBoxed: machine.isBoxed,
      compiled: machine.compiled,
      limits: machine.limits[name],
      signal,
      mayWrite,
      onReport: (report) => {
        onStep(report)
        if (report.type === 'spent') onSpent({ usd: report.usd, unpricedCalls: report.unpricedCalls })
        if (report.type === 'stage' && modelStages.has(report.stage)) endTurn()
        onReport(report)
      },
    })
    endTurn()
    onRole(name, account)
    return account
  }
}

export function least(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}
