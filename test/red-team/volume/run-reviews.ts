/**
 * Reviews on a clock of their own: change requests that are pushed to while two workers of a simulated queue publish reviews
 * of a simulated model to a host in memory. Webhooks are lost, late, doubled and out of order; answers of the host fail before
 * and after they had their effect; workers are killed, stall until the other one has their job, and see the clock jump.
 * What publishes is the product's own. Each world follows from its seed alone.
 */
import { UserError } from '../../../src/base/errors.ts'
import type { ChangeSet } from '../../../src/domain/change-set.ts'
import { Gate } from '../../../src/domain/gate.ts'
import type { Review } from '../../../src/domain/review.ts'
import type { ChangeWriter } from '../../../src/hosts/remote/contract.ts'
import { deliverReview } from '../../../src/pipeline/publish/sync/deliver.ts'
import { Random } from '../../helpers/random.ts'
import { bugOf } from '../../pipeline/publish/sync/bug-story.ts'
import { changeOf, reviewOf } from '../../pipeline/publish/sync/bug-world.ts'
import { Crash, MemoryHost, type Tree } from '../../pipeline/publish/sync/memory-host.ts'

export type ReviewsOutcome = {
  reviews: number
  worlds: number
  kills: number
  takeovers: number
  /** Of the requests of hosts, those that failed. */
  failures: number
  violations: string[]
}

type Version = { tree: Tree; change: ChangeSet; whole: Review; partial: Review }
type Job = { head: string; fence: number; leaseUntil: number; isEnded: boolean }

const scope = { keys: ['simulated'], legacy: '', number: 1 }
const gate = Gate.parse({ failOn: 'high' })
const base: Tree = new Map([['a.ts', ['one', 'two', 'three']]])
const leaseMs = 7_000

/** The versions that a change may have: few, so that what they come to is computed once. */
function drawVersions(random: Random): Version[] {
  return Array.from({ length: 40 }, () => {
    const lines = [...(base.get('a.ts') ?? [])]
    for (const bug of [1, 2, 3])
      if (random.chance(0.35)) lines.splice(random.between(0, lines.length), 0, `call${bug}() // bug ${bug}`)
    lines.splice(random.between(0, lines.length), 0, `plain ${random.between(1, 9)}`)
    const tree = new Map([['a.ts', lines]])
    const change = changeOf(base, tree, new Map())
    const whole = reviewOf(change, '')
    // A model that stopped in the middle of its answer.
    const coverage = { ...whole.coverage, complete: false }
    return { tree, change, whole, partial: { ...whole, coverage } }
  })
}

export async function runReviews({
  seed,
  reviews,
}: {
  seed: number
  reviews: number
}): Promise<ReviewsOutcome> {
  const outcome: ReviewsOutcome = {
    reviews: 0,
    worlds: 0,
    kills: 0,
    takeovers: 0,
    failures: 0,
    violations: [],
  }
  const versions = drawVersions(new Random(seed))
  for (let at = seed; outcome.reviews < reviews && outcome.violations.length < 30; at++) {
    const world = new World(new Random(at), versions, outcome)
    outcome.worlds++
    const found = await world.play().catch((error: unknown) => [String(error)])
    outcome.violations.push(...found.map((what) => `seed ${at}: ${what}`))
  }
  return outcome
}

class World {
  private readonly random: Random
  private readonly versions: readonly Version[]
  private readonly outcome: ReviewsOutcome
  private readonly host: MemoryHost
  private readonly heads = new Map<string, Version & { isPartial: boolean }>()
  private readonly jobs: Job[] = []
  /** Deliveries that are on their way: when, and of which head. */
  private readonly webhooks: { at: number; head: string }[] = []
  private readonly conclusions = new Map<string, string>()
  private now = 0
  private pushes = 30
  private isCalm = false

  constructor(random: Random, versions: readonly Version[], outcome: ReviewsOutcome) {
    this.random = random
    this.versions = versions
    this.outcome = outcome
    this.host = new MemoryHost(random)
    this.host.trouble = 0.04
  }

  async play(): Promise<string[]> {
    this.push()
    while (this.pushes > 0) await Promise.all([this.work(), this.work()])
    // Everything that was late has come, nothing fails any more, and the reconciler has looked once.
    this.isCalm = true
    this.host.trouble = 0
    this.now += 600_000
    this.enqueue(this.host.head)
    for (let turn = 0; turn < 5; turn++) {
      this.now += leaseMs
      await this.work()
    }
    return this.violations()
  }

  private push(): void {
    this.pushes--
    const version = { ...this.random.pick(this.versions), isPartial: this.random.chance(0.1) }
    const head = String(this.heads.size + 1).padStart(40, '0')
    this.heads.set(head, version)
    this.host.push(head, base, version.tree, version.change.files)
    const copies = this.random.pick([0, 1, 1, 1, 1, 2, 3])
    for (let copy = 0; copy < copies; copy++)
      this.webhooks.push({ at: this.now + this.random.between(0, 20_000), head })
  }

  /** As the queue does: the same again is the same job, and a newer head replaces what waits or runs for older ones. */
  private enqueue(head: string): void {
    if (this.jobs.some((job) => job.head >= head)) return
    for (const job of this.jobs) {
      job.isEnded = true
      job.fence++
    }
    this.jobs.push({ head, fence: 0, leaseUntil: 0, isEnded: false })
  }

  /** One claim of one worker. */
  private async work(): Promise<void> {
    this.pass(this.random.between(0, 5_000))
    const due = this.webhooks.filter(({ at }) => at <= this.now)
    for (const { head } of due) this.enqueue(head)
    const late = this.webhooks.filter(({ at }) => at > this.now)
    this.webhooks.splice(0, this.webhooks.length, ...late)
    const job = this.jobs.find(({ isEnded, leaseUntil }) => !isEnded && leaseUntil <= this.now)
    if (!job) return this.pushes > 0 ? this.push() : undefined
    if (job.fence > 0 && job.leaseUntil > 0) this.outcome.takeovers++
    const fence = ++job.fence
    job.leaseUntil = this.now + leaseMs
    const version = this.heads.get(job.head)
    if (!version) throw new Error(`no version of ${job.head}`)
    const { whole, partial, change, isPartial, tree } = version
    const review = isPartial ? partial : whole
    const request = { ...review.request, head: { commit: job.head, tree: job.head } }
    try {
      await deliverReview({
        review: { ...review, request },
        ...{ change, maxInline: 100, gate, scope, writer: this.writerOf(job, fence) },
        readFiles: async () => (side, path) => (side === 'old' ? base : tree).get(path)?.join('\n') ?? null,
        pause: async () => {},
        signal: new AbortController().signal,
      })
      this.end(job, fence)
    } catch (error) {
      if (error instanceof Crash) this.outcome.kills++
      else if (!(error instanceof UserError)) throw error
      else if (error.code === 'head-moved') this.end(job, fence)
      // Killed or refused: the lease runs out, and somebody tries again.
      else if (error.code !== 'host-unavailable') throw error
    }
  }

  private end(job: Job, fence: number): void {
    if (job.fence !== fence) return
    job.isEnded = true
    this.outcome.reviews++
  }

  /** Between two requests anything may happen. */
  private async between(): Promise<void> {
    for (let turns = this.random.between(0, 3); turns > 0; turns--) await null
    if (!this.isCalm) {
      this.pass(this.random.chance(0.02) ? leaseMs + 1 : this.random.between(0, 500))
      if (this.pushes > 0 && this.random.chance(0.05)) this.push()
      if (this.random.chance(0.03)) {
        this.outcome.failures++
        throw new UserError('host-unavailable', 'the host is down')
      }
    }
  }

  /** The clock of a machine may also go back. */
  private pass(ms: number): void {
    this.now += !this.isCalm && this.random.chance(0.01) ? -ms : ms
  }

  private writerOf(job: Job, fence: number): ChangeWriter {
    const { host, conclusions } = this
    const ask = async <Result>(request: () => Promise<Result>): Promise<Result> => {
      await this.between()
      // Whoever lost the job is ended before the next one begins.
      if (job.fence !== fence) throw new Crash('another worker has the job')
      job.leaseUntil = this.now + leaseMs
      return await request()
    }
    return {
      abilities: host.abilities,
      readState: () => ask(() => host.readState()),
      readCheck: (head) => ask(() => host.readCheck(head)),
      postReview: (review) => ask(() => host.postReview(review)),
      closeThreads: (closings) => ask(() => host.closeThreads(closings)),
      putOverview: (overview) => ask(() => host.putOverview(overview)),
      lock: () => ask(() => host.lock()),
      unlock: () => ask(() => host.unlock()),
      putCheck: (check) =>
        ask(() => {
          conclusions.set(check.head, check.conclusion)
          return host.putCheck(check)
        }),
    }
  }

  private violations(): string[] {
    const { head, threads, checks } = this.host
    const found: string[] = []
    const { whole, isPartial } = this.heads.get(head) ?? {}
    // What we answered as fixed is closed, also where a kill came before the host was asked to resolve it.
    const open = threads.filter(({ isResolved, replies }) => !isResolved && replies.length === 0)
    const bugs = open.map(({ body }) => bugOf(body))
    if (new Set(bugs).size !== bugs.length) found.push('a finding has two open comments')
    const expected = (whole?.findings ?? []).map(({ title }) => bugOf(title))
    for (const bug of expected) if (!bugs.includes(bug)) found.push(`bug ${bug} is lost`)
    // What an incomplete review did not find again may still be there.
    if (!isPartial)
      for (const bug of bugs) if (!expected.includes(bug)) found.push(`bug ${bug} is gone and open`)
    for (const { body, line, posted } of open) {
      const finding = whole?.findings.find(({ title }) => bugOf(title) === bugOf(body))
      if (posted?.commit === head && finding && line !== finding.startLine)
        found.push('a comment is on a wrong line')
    }
    if (!checks.has(head)) found.push('the last head has no check')
    for (const [at, conclusion] of this.conclusions)
      if (conclusion === 'success' && this.heads.get(at)?.isPartial)
        found.push('an incomplete review is green')
    if (this.jobs.some(({ isEnded }) => !isEnded)) found.push('a job never ended')
    return found
  }
}
