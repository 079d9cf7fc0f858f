/** A run while it is on: its journal, its trace, and what is kept of it in the end, in any backend. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { canonicalJson, sha256 } from '../../base/canonical-json.ts'
import { UserError } from '../../base/errors.ts'
import type { JournalSettings } from '../../config/settings/schema.ts'
import type { ReviewEvent } from '../../domain/events.ts'
import {
  type Asker,
  type Journal,
  type JournalAnswer,
  type JournalNote,
  type JournalRequest,
  questionIn,
  roleIn,
  targetOf,
} from '../../domain/journal.ts'
import type { RunCost } from '../../domain/model-call.ts'
import type { Review } from '../../domain/review.ts'
import { type RunEntry, type RunHeader, type RunStore, type RunWriter, storeFormat } from './contract.ts'
import { lineWriter } from './log.ts'
import { type Blanker, createBlanker, keyValues, packAnswer, readAnswer, sealSecrets } from './secrets.ts'
import { checkStore, cutText } from './stored-run.ts'

export type BeginOptions = {
  /** `hashes` keeps no prompt and no answer. */
  texts: JournalSettings['texts']
  /** Asks again what earlier runs have answers to. */
  fresh: boolean
  now: Date
  /** Values of its key variables are written nowhere; `keyNames` are those whose names do not say so. */
  environment?: NodeJS.ProcessEnv
  keyNames?: readonly string[]
}

/**
 * Rejects with `run-store-refused` for a backend that can never keep a run as it is set up. What cannot be written for any
 * other reason is told by `trouble` of the recorder, and the run goes on without it.
 */
export async function beginRun(
  store: RunStore,
  header: Omit<RunHeader, 'format' | 'run' | 'startedAt'>,
  options: BeginOptions,
): Promise<RunRecorder> {
  const { now } = options
  const keys = keyValues(options.environment ?? {}, options.keyNames)
  const parts = { ...options, store, keys, blanker: createBlanker(keys), startedAt: performance.now() }
  try {
    await checkStore(store)
    await store.prepare()
    const { run, writer } = await createRun(store, now)
    const recorder = new RunRecorder({ ...parts, run, writer })
    const whole: RunHeader = { ...header, format: storeFormat, run, startedAt: now.toISOString() }
    await recorder.start(whole)
    return recorder
  } catch (error) {
    if (error instanceof UserError && error.code === 'run-store-refused') throw error
    const without = new RunRecorder({ ...parts, run: nameOf(now), writer: null })
    without.refuse(error instanceof Error ? error.message : String(error))
    return without
  }
}

/** Two runs may begin in one second. */
async function createRun(store: RunStore, now: Date): Promise<{ run: string; writer: RunWriter }> {
  for (let tries = 1; tries <= 5; tries++) {
    const run = nameOf(now)
    const writer = await store.create(run)
    if (writer) return { run, writer }
  }
  throw new Error('every name that was tried for the run is taken')
}

function nameOf(now: Date): string {
  const digits = now.toISOString().replace(/\D/g, '')
  const thousandths = now.getMilliseconds().toString(16).padStart(3, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${thousandths}${randomBytes(2).toString('hex').slice(1)}`
}

/** Names a question: the SHA-256 of its canonical form. */
export function journalKey(request: JournalRequest): string {
  return sha256(canonicalJson(questionIn(request)))
}

type RecorderParts = Pick<BeginOptions, 'texts' | 'fresh'> & {
  run: string
  store: RunStore
  /** Null when not even the log could be begun: then nothing is kept. */
  writer: RunWriter | null
  blanker: Blanker
  /** Values of keys. */
  keys: readonly string[]
  startedAt: number
}

/** Of the trace, what holds no word of a repository or a model. */
const wordlessEvents: ReadonlySet<ReviewEvent['type']> = new Set([
  'stage-start',
  'stage-progress',
  'stage-end',
  'plane-end',
  'model-call',
  'run-end',
])

/** Between two looks for the answer of another run. */
const firstPauseMs = 20
const longestPauseMs = 320

const nothingKept = { review: null, reads: null, parts: [], sealed: null }

export class RunRecorder implements Journal {
  readonly run: string
  private readonly parts: RecorderParts
  private readonly lineOf = lineWriter()
  /** Objects that this run was answered with, by key. */
  private readonly own = new Map<string, string>()
  /** Keys of what this run is asking. */
  private readonly claimed = new Set<string>()
  private failure: string | null = null

  constructor(parts: RecorderParts) {
    this.run = parts.run
    this.parts = parts
  }

  /** Why the run is not (wholly) on record, in words; null when it is. */
  get trouble(): string | null {
    return this.failure
  }

  /** The first line. Rejects where it cannot be kept. */
  async start(header: RunHeader): Promise<void> {
    await this.parts.writer?.append(this.lineOf(this.parts.blanker({ type: 'start', header })), {
      sync: true,
    })
  }

  /** Says from the beginning that nothing is kept. */
  refuse(why: string): void {
    this.fail(new Error(why))
  }

  async find(request: JournalRequest, asker?: Asker): Promise<JournalAnswer | null> {
    const key = journalKey(request)
    const known = await this.look(request, key)
    if (known || !asker || !this.sharesAnswers || this.claimed.has(key)) return known
    const until = performance.now() + asker.patienceMs
    for (
      let pauseMs = firstPauseMs;
      !(await this.claim(key));
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    ) {
      if (performance.now() >= until) return null
      if (pauseMs === firstPauseMs)
        this.note({ type: 'waits-for-another-run', address: request.address, detail: {} })
      await pause(pauseMs, undefined, { signal: asker.signal }).catch(() => {})
      asker.signal?.throwIfAborted()
      const come = await this.look(request, key)
      if (come) return come
    }
    // Its last holder may have recorded the answer just before it let go.
    const come = await this.look(request, key)
    if (come) await this.unclaim(key)
    return come
  }

  release(request: JournalRequest): void {
    void this.unclaim(journalKey(request))
  }

  async record(request: JournalRequest, answer: JournalAnswer): Promise<void> {
    const key = journalKey(request)
    if (this.isWordless) return await this.keep(request, key, null, answer, 'live')
    const content = packAnswer(request, answer, { ...this.parts, folder: this.parts.store.keyFolder })
    const name = sha256(content)
    this.own.set(key, name)
    await Promise.all([
      this.attempt(async () => this.parts.writer?.putAnswer(key, name, content)),
      this.keep(request, key, name, answer, 'live'),
    ])
    await this.unclaim(key)
  }

  note(note: JournalNote): void {
    const { type, address } = note
    void this.append({
      type: 'note',
      at: this.now(),
      note: this.isWordless ? { type, address } : { ...note },
    })
  }

  event(event: ReviewEvent): void {
    if (this.isWordless && !wordlessEvents.has(event.type)) return
    void this.append({ type: 'event', at: this.now(), event: { ...event } })
  }

  /**
   * The last line; after it the run can be replayed. `reads` is JSON. `cost`: of this run, where that is not the review's own.
   * Never rejects.
   */
  async finish(
    review: Review,
    reads: string,
    cost: Pick<RunCost, 'usd' | 'unpricedCalls'> | undefined = review.run.cost,
  ): Promise<void> {
    await this.attempt(async () => {
      const end = this.isWordless ? nothingKept : await this.keepTexts(review, reads)
      await this.append(
        {
          type: 'end',
          at: this.now(),
          ...end,
          findings: review.findings.length,
          usd: cost?.usd ?? 0,
          unpricedCalls: cost?.unpricedCalls ?? 0,
          complete: review.coverage.complete,
        },
        true,
      )
    })
    await this.close()
  }

  /** Nothing is written any more. Never rejects. */
  async close(): Promise<void> {
    await Promise.all([...this.claimed].map((key) => this.unclaim(key)))
    try {
      await this.parts.writer?.close()
    } catch (error) {
      this.fail(error)
    }
  }

  private async look(request: JournalRequest, key: string): Promise<JournalAnswer | null> {
    try {
      for await (const content of this.known(key)) {
        const answer = readAnswer(content, this.parts.store.keyFolder)
        if (!answer) continue
        const name = sha256(content)
        await Promise.all([
          this.attempt(async () => this.parts.writer?.put(name, content)),
          this.keep(request, key, name, answer, 'record'),
        ])
        return answer
      }
    } catch (error) {
      this.fail(error)
    }
    return null
  }

  private async *known(key: string): AsyncGenerator<string> {
    const own = this.own.get(key)
    const content = own === undefined ? null : await this.parts.writer?.get(own)
    if (content) yield content
    if (!this.parts.fresh && this.failure === null) yield* this.parts.store.answers(key)
  }

  private get isWordless(): boolean {
    return this.parts.texts === 'hashes'
  }

  /** What is asked again, or not kept, is no business of other runs. */
  private get sharesAnswers(): boolean {
    return !this.parts.fresh && !this.isWordless && this.failure === null
  }

  private async claim(key: string): Promise<boolean> {
    const isOurs = await this.parts.store.claim(key, this.run)
    if (isOurs) this.claimed.add(key)
    return isOurs
  }

  private async unclaim(key: string): Promise<void> {
    if (this.claimed.delete(key)) await this.parts.store.release(key, this.run)
  }

  private async keepTexts(review: Review, reads: string) {
    const { keys, store, writer } = this.parts
    const { text, sealed } = sealSecrets(reads, keys, store.keyFolder)
    // As it was written out, so that a replay can be held against it byte for byte; it was redacted before.
    const texts = [JSON.stringify(review), ...cutText(text)]
    const names = texts.map(sha256)
    const [first = '', ...parts] = names
    await Promise.all(texts.map((one, at) => writer?.put(names[at] ?? '', one)))
    return { review: first, reads: sha256(text), parts, sealed }
  }

  private async keep(
    request: JournalRequest,
    key: string,
    answer: string | null,
    { status, durationMs, body }: JournalAnswer,
    served: 'live' | 'record',
  ): Promise<void> {
    const { kind, address } = request
    const asked = { key, kind, role: roleIn(request), address, target: targetOf(request) }
    const what = { ...asked, status, durationMs, answer, bytes: Buffer.byteLength(body), served }
    const text = answer === null ? null : canonicalJson(this.parts.blanker(request))
    const stored = text === null ? null : sha256(text)
    await Promise.all([
      this.attempt(async () => text !== null && stored && this.parts.writer?.put(stored, text)),
      this.append({ type: 'answer', at: this.now(), ...what, request: stored }, true),
    ])
  }

  private async append(entry: RunEntry, sync = false): Promise<void> {
    await this.attempt(async () =>
      this.parts.writer?.append(this.lineOf(this.parts.blanker(entry)), { sync }),
    )
  }

  /** A full disk, or a bucket that does not answer, ends the record, not the review. */
  private async attempt(work: () => Promise<unknown>): Promise<void> {
    if (this.failure !== null) return
    try {
      await work()
    } catch (error) {
      this.fail(error)
    }
  }

  private fail(error: unknown): void {
    this.failure ??= `the run was not recorded completely: ${error instanceof Error ? error.message : String(error)}`
  }

  private now(): number {
    return Math.round(performance.now() - this.parts.startedAt)
  }
}
