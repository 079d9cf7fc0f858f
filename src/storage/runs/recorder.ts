/** A run while it is on: its journal, its trace, and what is kept of it in the end. */
import { canonicalJson } from '../../base/canonical-json.ts'
import { redactStrings } from '../../base/secrets/redact.ts'
import type { ReviewEvent } from '../../domain/events.ts'
import { type Journal, JournalAnswer, type JournalNote, type JournalRequest } from '../../domain/journal.ts'
import type { Review } from '../../domain/review.ts'
import type { RunEntry } from '../contract.ts'
import { type Answers, keyOf } from './answers.ts'
import type { Objects } from './objects.ts'
import type { RunLog } from './run-log.ts'

export type RecorderParts = {
  run: string
  objects: Objects
  answers: Answers
  /** Null when not even the log could be begun: then nothing is kept. */
  log: RunLog | null
  /** `hashes` keeps no prompt and no answer. */
  texts: 'full' | 'hashes'
  /** Asks anew what earlier runs have answers to. */
  fresh: boolean
  startedAt: number
}

export class RunRecorder implements Journal {
  readonly run: string
  private readonly parts: RecorderParts
  private readonly own = new Map<string, string>()
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

  async find(request: JournalRequest): Promise<JournalAnswer | null> {
    const { objects, answers, fresh } = this.parts
    const key = keyOf(request)
    const name = this.own.get(key) ?? (fresh ? null : answers.find(key))
    const content = name && objects.get(name)
    if (!name || !content) return null
    const answer = JournalAnswer.parse(JSON.parse(content))
    this.keep(request, key, name, answer, 'record')
    return answer
  }

  async record(request: JournalRequest, answer: JournalAnswer): Promise<void> {
    const clean = await redactStrings(answer)
    const key = keyOf(request)
    this.attempt(() => {
      const { objects, answers, run, texts } = this.parts
      if (texts === 'hashes') return this.keep(request, key, null, clean, 'live')
      const name = objects.put(canonicalJson(clean))
      this.own.set(key, name)
      // From here on nobody pays for it again, whatever becomes of this process.
      answers.point(key, name, run)
      this.keep(request, key, name, clean, 'live')
    })
  }

  note(note: JournalNote): void {
    this.append({ type: 'note', at: this.now(), note: { ...note } })
  }

  event(event: ReviewEvent): void {
    this.append({ type: 'event', at: this.now(), event: { ...event } })
  }

  /** The last line. After it the run can be replayed. */
  finish(review: Review, reads: string): void {
    this.attempt(() => {
      const { objects, texts } = this.parts
      const { cost } = review.run
      this.parts.log?.append(
        {
          type: 'end',
          at: this.now(),
          // As it was written out, so that a replay can be held against it byte for byte.
          review: texts === 'hashes' ? null : objects.put(JSON.stringify(review)),
          reads: texts === 'hashes' ? null : objects.put(reads),
          findings: review.findings.length,
          usd: cost?.usd ?? 0,
          unpricedCalls: cost?.unpricedCalls ?? 0,
          complete: review.coverage.complete,
        },
        { sync: true },
      )
    })
    this.close()
  }

  close(): void {
    this.attempt(() => this.parts.log?.close())
  }

  private keep(
    request: JournalRequest,
    key: string,
    answer: string | null,
    { status, durationMs, body }: JournalAnswer,
    served: 'live' | 'record',
  ): void {
    const { kind, role, address, url, sample } = request
    this.append(
      {
        type: 'answer',
        at: this.now(),
        key,
        kind,
        role,
        address,
        url,
        sample,
        status,
        durationMs,
        request: answer === null ? null : this.stored(canonicalJson(request)),
        answer,
        bytes: Buffer.byteLength(body),
        served,
      },
      true,
    )
  }

  private stored(content: string): string | null {
    try {
      return this.parts.objects.put(content)
    } catch (error) {
      this.fail(error)
      return null
    }
  }

  private append(entry: RunEntry, sync = false): void {
    this.attempt(() => this.parts.log?.append(entry, { sync }))
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
    this.failure ??= `the run is not wholly on record: ${error instanceof Error ? error.message : String(error)}`
  }

  private now(): number {
    return Math.round(performance.now() - this.parts.startedAt)
  }
}
