/**
 * The queue of jobs: durable, fair between tenants, one job of a lane at a time. A worker holds a job by a claim; a claim ends
 * when its worker is silent for too long, and from then on nothing that carries its fence changes anything. All times are
 * those of the database.
 */
import type { Queries } from '../database/contract.ts'

/** States that a job ends in. Each has a reason for people, except `reviewed`. */
export const endStates = ['reviewed', 'partly', 'not-reviewed', 'superseded', 'skipped'] as const
export type EndState = (typeof endStates)[number]
export type JobState = 'queued' | 'running' | EndState

export const priorities = { person: 100, change: 50, sweep: 0 } as const

export type JobRequest = {
  tenant: string
  /** What kind of work it is; workers name the kinds that they do. */
  kind: string
  /** What must not be worked on twice at the same time: `github.com/acme/shop#12`. */
  lane: string
  /** What the job is about, such as head, base and settings: the same again is the same job. */
  contentKey: string
  /** Plain data: ids, no code and no secrets. */
  payload: Record<string, unknown>
  /** Higher first; see `priorities`. */
  priority?: number
  /** Whether it replaces older jobs of its kind in its lane. */
  supersedes?: boolean
  /** Claims until a job that fails or kills its workers is given up. Default 5. */
  mostAttempts?: number
  /** Seconds until it ends as not reviewed, whatever happens. Default: one day. */
  giveUpAfter?: number
}

/** `isNew` false: the newest job of the lane has this content, and `id` is its. */
export type Enqueued = { id: number; isNew: boolean }

type Wanted = Pick<JobRequest, 'tenant' | 'kind' | 'lane' | 'contentKey' | 'payload'>

export type Claim = Wanted & {
  id: number
  fence: number
  /** 1 for the first. */
  attempt: number
  mostAttempts: number
  /** What the attempt before ended with; null for the first. */
  lastError: string | null
}

/** `lost`: the claim ended. `superseded` and `skipped`: the work is no longer wanted. In all three, stop. */
export type Held = 'running' | 'superseded' | 'skipped' | 'lost'

export type Ending = {
  state: EndState
  /** For people. */
  reason?: string
  /** Who decided it: a person, a policy. */
  actor?: string
  /** Plain data about what came of it: the run, the address of the review, cost. */
  result?: Record<string, unknown>
}

export type Job = Wanted & {
  id: number
  priority: number
  state: JobState
  reason: string | null
  actor: string | null
  result: Record<string, unknown> | null
  /** What its worker last said about how far it is; null while nobody works on it. */
  progress: Record<string, unknown> | null
  supersededBy: number | null
  attempt: number
  lastError: string | null
  createdAt: Date
  runAt: Date
  startedAt: Date | null
  endedAt: Date | null
}

export type ClaimOptions = {
  /** Unique for each process. */
  worker: string
  kinds: readonly string[]
  /** At most so many claims. */
  slots: number
}

/** Every method names a tenant, in its request or its claim, and touches nothing of another one. */
export interface Queue {
  /** In the transaction `queries` when given; one call of a transaction then, or calls in the order of their lanes. */
  enqueue(request: JobRequest, queries?: Queries): Promise<Enqueued>
  /** A job that ends as it begins: the trigger is on record, and who or what skipped it. */
  skip(request: JobRequest, why: { actor: string; reason: string }, queries?: Queries): Promise<Enqueued>
  /** Ends what waits in a lane and stops what runs in it: the change request was closed. Returns how many. */
  cancel(tenant: string, lane: string, why: { actor: string; reason: string }): Promise<number>

  /** The fairest choice of the jobs that can be done now; empty when there are none. */
  claim(options: ClaimOptions): Promise<Claim[]>
  /** Extends the claims, and says for each whether to go on, in their order. `progress`: plain data about how far each is. */
  heartbeat(claims: readonly Claim[], progress?: ReadonlyMap<Claim, Record<string, unknown>>): Promise<Held[]>
  /**
   * Runs `work` in a transaction in which the claim holds until it is committed. Rejects with `LostClaimError`, before `work`,
   * when it does not hold or the job is to stop: whatever a worker makes visible is decided here.
   */
  fenced<T>(claim: Claim, work: (queries: Queries) => Promise<T>): Promise<T>
  /** False when the claim was lost: nothing changed, and `within`, which is part of the transaction, did not run. */
  finish(claim: Claim, ending: Ending, within?: (queries: Queries) => Promise<void>): Promise<boolean>
  /** After an error: tries again later, up to the most attempts. Returns the state it has now, or `lost`. */
  retry(claim: Claim, error: string): Promise<JobState | 'lost'>
  /** Waits for something, such as a rate limit, without using up an attempt. */
  park(claim: Claim, wait: { seconds: number; reason: string }): Promise<JobState | 'lost'>
  /** Hands the job over at once, without using up an attempt: this worker shuts down. */
  release(claim: Claim): Promise<JobState | 'lost'>

  /**
   * Ends claims of silent workers and jobs whose time is over; every process calls it every few seconds. A claim ends when it
   * was found expired twice, so that a clock that jumps ends none.
   */
  recover(): Promise<{ requeued: number; ended: number }>

  job(tenant: string, id: number): Promise<Job | null>
  /** Newest first. */
  jobs(tenant: string, filter?: { lane?: string; state?: JobState; limit?: number }): Promise<Job[]>
  /** Over all tenants, for metrics. */
  depth(): Promise<{ kind: string; state: 'queued' | 'running'; count: number; oldestSeconds: number }[]>
  /** Calls `onWork` soon after a job can be claimed, or when the wait is over that this process let it have. May miss some: poll too. */
  onWork(onWork: () => void): Promise<() => Promise<void>>
  /** Calls `onStop` soon after a job that runs is not wanted any more, which a heartbeat says of its claim. May miss some, too. */
  onStop(onStop: () => void): Promise<() => Promise<void>>
}

export class LostClaimError extends Error {
  override readonly name = 'LostClaimError'
  readonly held: Held

  constructor(claim: Claim, held: Held) {
    super(`job ${claim.id} of ${claim.tenant}: ${held === 'lost' ? 'another worker has it' : held}`)
    this.held = held
  }
}
