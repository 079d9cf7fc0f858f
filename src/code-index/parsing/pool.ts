/** At most two parsing children, fed with batches of one language; survives their deaths and says what they cost. */
import { availableParallelism } from 'node:os'
import { ChildWorker, workerIn } from '../../base/child-worker.ts'
import type { ParseFailure } from '../contract.ts'
import type { MergeTask } from './merge.ts'
import { allowance, type Budget, carefully, type FileToParse, type Reply, type Request } from './protocol.ts'

export type ParseJob = FileToParse & {
  /** Empty for text that is not parsed. */
  language: string
  /** Exactly one of the two is called, once. `failed`: why the record has no facts. */
  parsed(record: Uint8Array, failed?: ParseFailure['reason']): void
  /** Nothing could be read: no child survived it. */
  failed(reason: ParseFailure['reason']): void
}

export type PoolLimits = {
  children: number
  startDeadlineMs: number
  fileDeadlineMs: Budget
  recycleBytes: number
  idleBytes: number
  /** Without work for so long, those that hold more than that are ended. */
  sweepAfterMs: number
  giveUpBytes: number
  steps: Budget
}

export const defaultLimits: PoolLimits = {
  children: Math.min(2, availableParallelism()),
  startDeadlineMs: 60_000,
  // Only for what no step counts: on a slow machine real code must not run into it.
  fileDeadlineMs: { base: 2_000, perThousand: 3 },
  // Some 50 MB of it are Node's own code, which all children share.
  recycleBytes: 170 * 2 ** 20,
  // A child that waits for long holds this much more than its grammars at most: what a large file took is never given back.
  idleBytes: 64 * 2 ** 20,
  // A new child costs half a second of processor time, and an index has its next work ready sooner than this.
  sweepAfterMs: 2_000,
  giveUpBytes: 190 * 2 ** 20,
  // Code as people write it takes at most 15 steps per 1,000 characters.
  steps: { base: 5_000, perThousand: 20 },
}

/** Some eight megabytes of source take one or two seconds on a quiet machine. */
const mergeDeadlineMs = 120_000

const batchFiles = 64
const batchCharacters = 400_000
const charactersPerChild = 500_000
/** A child that dies without a reason of ours may have been killed from outside: a file gets a second try. */
const tries = 2

type ParseChild = ChildWorker<Request, Reply>

/**
 * `attempt` counts for the first job: the one that was being read when a child died. `isCareful`: a child has died of one
 * of the jobs; now a child that takes no short cuts answers them one by one.
 */
type Batch = { language: string; jobs: ParseJob[]; attempt: number; isCareful: boolean }

export class ParsePool {
  private readonly limits: PoolLimits
  private idle: ParseChild[] = []
  private readonly busy = new Set<ParseChild>()
  /** Bytes that a child holds, and those of them that its grammars took. */
  private readonly held = new WeakMap<ParseChild, { all: number; grammars: number }>()
  private generation = 0
  private sweep: NodeJS.Timeout | undefined

  constructor(limits: PoolLimits = defaultLimits) {
    this.limits = limits
  }

  /** Resolves when every job has been answered. Rejects only when `close` comes in between. */
  async run(jobs: readonly ParseJob[]): Promise<void> {
    const queue = batchesOf(jobs)
    const { generation } = this
    // A child costs about as much to start as this much text to read.
    const worthwhile = Math.ceil(sum(jobs.map(({ text }) => text.length)) / charactersPerChild)
    const lanes = Math.min(this.limits.children, queue.length, Math.max(1, worthwhile))
    await Promise.all(Array.from({ length: lanes }, () => this.serve(queue, generation)))
  }

  /** Builds a segment in a child. Rejects when no child gets to the end of it, and when `close` comes in between. */
  async merge(task: MergeTask): Promise<Uint8Array> {
    const { generation } = this
    const { startDeadlineMs } = this.limits
    const deadlines = { start: startDeadlineMs, answer: () => mergeDeadlineMs }
    for (let attempt = 1; attempt <= tries; attempt++) {
      const child = await this.take()
      if (this.generation !== generation) await child.end()
      this.busy.add(child)
      const answered: Uint8Array[] = []
      await child.run(task, deadlines, (reply) => {
        this.note(child, reply)
        if (reply.type === 'answers') answered.push(...reply.answers.map((answer) => answer.bytes))
      })
      const [bytes] = answered
      this.busy.delete(child)
      if (this.generation !== generation) throw new Error('the parsing pool was closed')
      if (bytes) this.rest(child)
      else await child.end()
      if (bytes) return bytes
    }
    throw new Error('no child could build a segment of the index')
  }

  private note(child: ParseChild, reply: Reply): void {
    if (reply.type !== 'answers' && reply.type !== 'ready') return
    const { all, grammars } = this.held.get(child) ?? { all: 0, grammars: 0 }
    const loaded = reply.type === 'ready' ? Math.max(0, reply.resident - all) : 0
    this.held.set(child, { all: reply.resident, grammars: grammars + loaded })
  }

  /** Waits for other work. When none comes for a while, those that hold much are ended. */
  private rest(child: ParseChild): void {
    if (child.isAlive) this.idle.push(child)
    clearTimeout(this.sweep)
    this.sweep = setTimeout(() => {
      const large = this.idle.filter((one) => !this.isSmall(one))
      this.idle = this.idle.filter((one) => !large.includes(one))
      for (const one of large) void one.end()
    }, this.limits.sweepAfterMs).unref()
  }

  private isSmall(child: ParseChild): boolean {
    const { all, grammars } = this.held.get(child) ?? { all: 0, grammars: 0 }
    return all - grammars <= this.limits.idleBytes
  }

  /** Kills the children and waits for their end. The pool may be used again. */
  async close(): Promise<void> {
    this.generation++
    const children = [...this.idle, ...this.busy]
    this.idle = []
    await Promise.all(children.map((child) => child.end()))
  }

  /** Process ids of the living children. */
  get pids(): number[] {
    return [...this.idle, ...this.busy].flatMap((child) => (child.isAlive ? (child.pid ?? []) : []))
  }

  private async serve(queue: Batch[], generation: number): Promise<void> {
    for (let batch = queue.shift(); batch; batch = queue.shift()) {
      const child = batch.isCareful ? await startChild(true) : await this.take()
      if (this.generation !== generation) await child.end()
      this.busy.add(child)
      const rest = await this.runBatch(child, batch)
      this.busy.delete(child)
      if (this.generation !== generation) throw new Error('the parsing pool was closed')
      if (batch.isCareful) await child.end()
      else this.rest(child)
      if (rest && rest.jobs.length > 0) queue.unshift(rest)
    }
  }

  private async take(): Promise<ParseChild> {
    for (let child = this.idle.pop(); child; child = this.idle.pop()) if (child.isAlive) return child
    return await startChild(false)
  }

  /** Answers what it can; returns what is left to do, or null. */
  private async runBatch(child: ParseChild, batch: Batch): Promise<Batch | null> {
    const { jobs, language, attempt, isCareful } = batch
    const { steps, recycleBytes, giveUpBytes, startDeadlineMs, fileDeadlineMs } = this.limits
    const request = {
      language,
      files: jobs.map(({ text, variant }) => ({ text, variant })),
      oneByOne: isCareful,
      steps,
      memory: { recycle: recycleBytes, giveUp: giveUpBytes },
    }
    const waitsFor = (answered: number): number =>
      sum(jobs.slice(answered, isCareful ? answered + 1 : undefined).map(({ text }) => text.length))
    const deadlines = {
      start: startDeadlineMs,
      answer: (answered: number) => allowance(fileDeadlineMs, waitsFor(answered)),
    }
    const end = await child.run(request, deadlines, (reply) => {
      this.note(child, reply)
      if (reply.type !== 'answers') return
      const first = reply.index + 1 - reply.answers.length
      for (const [at, { bytes, failed }] of reply.answers.entries()) jobs[first + at]?.parsed(bytes, failed)
    })
    if (end.type !== 'died') {
      if (end.type === 'full') await child.end()
      return { language, jobs: jobs.slice(end.next), attempt: 1, isCareful: false }
    }
    await child.end()
    const rest = jobs.slice(end.at)
    // Until answers come one by one, it is not known which file it was.
    if (!isCareful && rest.length > 1) return { language, jobs: rest, attempt: 1, isCareful: true }
    const tried = end.at === 0 ? attempt : 1
    if (end.reason === 'crash' && tried < tries)
      return { language, jobs: rest, attempt: tried + 1, isCareful: true }
    if (!end.started) {
      // The grammar itself does not load: no file of this language can be read.
      for (const job of rest) job.failed(end.reason)
      return null
    }
    rest[0]?.failed(end.reason)
    return { language, jobs: rest.slice(1), attempt: 1, isCareful: false }
  }
}

function startChild(isCareful: boolean): Promise<ParseChild> {
  return ChildWorker.start(workerIn('code-index/parsing'), { words: isCareful ? [carefully] : [] })
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function batchesOf(jobs: readonly ParseJob[]): Batch[] {
  const batches: Batch[] = []
  for (const [language, all] of Map.groupBy(jobs, (job) => job.language)) {
    let current: ParseJob[] = []
    let characters = 0
    for (const job of all) {
      if (
        current.length === batchFiles ||
        (current.length > 0 && characters + job.text.length > batchCharacters)
      ) {
        batches.push({ language, jobs: current, attempt: 1, isCareful: false })
        current = []
        characters = 0
      }
      current.push(job)
      characters += job.text.length
    }
    batches.push({ language, jobs: current, attempt: 1, isCareful: false })
  }
  return batches
}
