/** A run while it is on: its journal, its trace, and what is kept of it in the end. */
import { setTimeout as pause } from 'node:timers/promises'
import { canonicalJson, sha256 } from '../../base/canonical-json.ts'
import type { ReviewEvent } from '../../domain/events.ts'
import {
  type Asker,
  type Journal,
  type JournalAnswer,
  type JournalNote,
  type JournalRequest,
  roleIn,
  targetOf,
} from '../../domain/journal.ts'
import type { Review } from '../../domain/review.ts'
import type { RunEntry } from '../contract.ts'
import { type Answers, journalKey } from './answers.ts'
import type { Blanker } from './blank.ts'
import type { Claims } from './claims.ts'
import type { Objects } from './objects.ts'
import type { RunLog } from './run-log.ts'
import { sealSecrets } from './seal.ts'
import { packAnswer, readAnswer } from './stored-answer.ts'

export type RecorderParts = {
  run: string
  /** Of the store. */
  folder: string
  objects: Objects
  answers: Answers
  claims: Claims
  /** Null when not even the log could be begun: then nothing is kept. */
  log: RunLog | null
  /** `hashes` keeps no prompt and no answer. */
  texts: 'full' | 'hashes'
  /** Asks anew what earlier runs have answers to. */
  fresh: boolean
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

export class RunRecorder implements Journal {
  readonly run: string
  private readonly parts: RecorderParts
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

  /** Says from the beginning that nothing is kept. */
  refuse(why: string): void {
    this.fail(new Error(why))
  }

  async find(request: JournalRequest, asker?: Asker): Promise<JournalAnswer | null> {
    const key = journalKey(request)
    const known = this.look(request, key)
    if (known || !asker || !this.sharesAnswers || this.claimed.has(key)) return known
    const until = performance.now() + asker.patienceMs
    for (let pauseMs = firstPauseMs; !this.claim(key); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      if (performance.now() >= until) return null
      if (pauseMs === firstPauseMs)
        this.note({ type: 'waits-for-another-run', address: request.address, detail: {} })
      await pause(pauseMs, undefined, { signal: asker.signal }).catch(() => {})
      asker.signal?.throwIfAborted()
      const come = this.look(request, key)
      if (come) return come
    }
    // Its last holder may have recorded the answer just before it let go.
    const come = this.look(request, key)
    if (come) this.release(request)
    return come
  }

  release(request: JournalRequest): void {
    this.unclaim(journalKey(request))
  }

  private look(request: JournalRequest, key: string): JournalAnswer | null {
    const { objects, answers, fresh, folder } = this.parts
    const own = this.own.get(key)
    for (const name of [...(own ? [own] : []), ...(fresh ? [] : answers.find(key))]) {
      const answer = readAnswer(objects.get(name), folder)
      if (!answer) continue
      objects.keep(name)
      this.keep(request, key, name, answer, 'record')
      return answer
    }
    return null
  }

  async record(request: JournalRequest, answer: JournalAnswer): Promise<void> {
    const { objects, answers, texts } = this.parts
    const key = journalKey(request)
    if (texts === 'hashes') return this.keep(request, key, null, answer, 'live')
    const content = packAnswer(request, answer, this.parts)
    const name = sha256(content)
    this.attempt(() => {
      // The pointer first: with the last step of writing the answer itself it is there and found, and not before.
      answers.point(key, name)
      objects.put(content)
      this.own.set(key, name)
    })
    this.keep(request, key, name, answer, 'live')
    this.unclaim(key)
  }

  note(note: JournalNote): void {
    const { type, address } = note
    this.append({ type: 'note', at: this.now(), note: this.isWordless ? { type, address } : { ...note } })
  }

  event(event: ReviewEvent): void {
    if (this.isWordless && !wordlessEvents.has(event.type)) return
    this.append({ type: 'event', at: this.now(), event: { ...event } })
  }

  /** The last line; after it the run can be replayed. `reads` is JSON. Never rejects. */
  async finish(review: Review, reads: string): Promise<void> {
    try {
      const end = this.isWordless ? nothingKept : this.store(review, reads)
      const { cost } = review.run
      this.append(
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
    } catch (error) {
      this.fail(error)
    }
    this.close()
  }

  close(): void {
    for (const key of this.claimed) this.unclaim(key)
    this.attempt(() => this.parts.log?.close())
  }

  private get isWordless(): boolean {
    return this.parts.texts === 'hashes'
  }

  /** What is asked again, or not kept, is no business of other runs. */
  private get sharesAnswers(): boolean {
    return !this.parts.fresh && !this.isWordless && this.failure === null
  }

  private claim(key: string): boolean {
    const isOurs = this.parts.claims.take(key, this.run)
    if (isOurs) this.claimed.add(key)
    return isOurs
  }

  private unclaim(key: string): void {
    if (this.claimed.delete(key)) this.parts.claims.release(key, this.run)
  }

  private store(review: Review, reads: string) {
    if (this.failure !== null) return nothingKept
    const { objects, keys, folder } = this.parts
    const { text, sealed } = sealSecrets(reads, keys, folder)
    // As it was written out, so that a replay can be held against it byte for byte; it was redacted before.
    return {
      review: objects.put(JSON.stringify(review)),
      reads: sha256(text),
      parts: objects.putLong(text),
      sealed,
    }
  }

  private keep(
    request: JournalRequest,
    key: string,
    answer: string | null,
    { status, durationMs, body }: JournalAnswer,
    served: 'live' | 'record',
  ): void {
    const { objects, blanker } = this.parts
    const { kind, address } = request
    const asked = { key, kind, role: roleIn(request), address, target: targetOf(request) }
    const text = answer === null ? null : canonicalJson(blanker(request))
    const bytes = Buffer.byteLength(body)
    const what = { ...asked, status, durationMs, answer, bytes, served }
    this.attempt(() => {
      const stored = text === null ? null : objects.put(text)
      this.append({ type: 'answer', at: this.now(), ...what, request: stored }, true)
    })
  }

  private append(entry: RunEntry, sync = false): void {
    this.attempt(() => this.parts.log?.append(this.parts.blanker(entry), { sync }))
  }

  /** A full disk ends the record, not the review. */
  private attempt(work: () => void): void {
    if (this.failure !== null) return
    try {
      work()
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

/** Between two looks for the answer of another run. */
const firstPauseMs = 20
const longestPauseMs = 320

const nothingKept = { review: null, reads: null, parts: [], sealed: null }
