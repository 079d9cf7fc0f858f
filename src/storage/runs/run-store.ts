/** The store of runs: begin one, list them, open one again. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import type { JournalSettings } from '../../config/settings/journal.ts'
import { type RunHeader, type RunSummary, storeFormat } from '../contract.ts'
import { Answers } from './answers.ts'
import { makeFolder, remove, writeWhole } from './durable.ts'
import { Objects } from './objects.ts'
import { RunRecorder } from './recorder.ts'
import { RunLog } from './run-log.ts'
import {
  findRunName,
  listRunNames,
  logPath,
  openStoredRun,
  pidPath,
  type StoredRun,
  summaryOf,
} from './stored-run.ts'

/** `$XDG_STATE_HOME/sightline`, else `~/.local/state/sightline`. */
export function stateFolder(settings: JournalSettings, environment: NodeJS.ProcessEnv): string {
  if (settings.folder !== undefined) return settings.folder
  const base = environment.XDG_STATE_HOME || join(environment.HOME || homedir(), '.local', 'state')
  return join(base, 'sightline')
}

export class RunStore {
  readonly folder: string
  readonly objects: Objects
  readonly answers: Answers
  readonly runs: string

  /** Touches nothing yet. */
  constructor(folder: string) {
    this.folder = folder
    this.objects = new Objects(join(folder, 'objects'))
    this.answers = new Answers(join(folder, 'answers'))
    this.runs = join(folder, 'runs')
  }

  /** Never throws: what cannot be written is told by `trouble` of the recorder, and the run goes on without it. */
  begin(
    header: Omit<RunHeader, 'format' | 'run' | 'startedAt'>,
    options: { texts: JournalSettings['texts']; fresh: boolean; now: Date },
  ): RunRecorder {
    const run = nameOf(options.now)
    const { objects, answers } = this
    const recorder = (log: RunLog | null) =>
      new RunRecorder({ run, objects, answers, log, ...options, startedAt: performance.now() })
    try {
      this.prepare()
      const log = new RunLog(logPath(this.runs, run))
      const whole: RunHeader = { ...header, format: storeFormat, run, startedAt: options.now.toISOString() }
      log.append({ type: 'start', header: whole }, { sync: true })
      writeWhole(pidPath(this.runs, run), Buffer.from(String(process.pid)), { replace: true })
      return recorder(log)
    } catch (error) {
      const without = recorder(null)
      without.refuse(error instanceof Error ? error.message : String(error))
      return without
    }
  }

  /** After the last line: nobody writes this run any more. */
  end(run: string): void {
    try {
      remove(pidPath(this.runs, run))
    } catch {
      // A read-only disk: the process id in it belongs to nobody soon.
    }
  }

  /** Newest first; runs whose logs cannot be read at all are left out. */
  list(): RunSummary[] {
    this.check()
    return listRunNames(this.runs).flatMap((name) => {
      try {
        return [summaryOf(openStoredRun(this.runs, name), this.runs, this.objects)]
      } catch {
        return []
      }
    })
  }

  /** By its name, a part of it that no other has, or `last`. Throws `run-unknown` or `run-unreadable`. */
  open(asked: string): StoredRun {
    this.check()
    return openStoredRun(this.runs, findRunName(this.runs, asked))
  }

  /** What a finished run kept; throws `run-unreadable` when it did not finish, kept no texts, or lost them. */
  kept(run: StoredRun): { review: string; reads: string } {
    const end = run.entries.find((entry) => entry.type === 'end')
    const name = run.header.run
    if (!end)
      throw new UserError(
        'run-unreadable',
        `run ${name} did not finish; review the same change again to go on with it`,
      )
    const review = end.review && this.objects.get(end.review)
    const reads = end.reads && this.objects.get(end.reads)
    if (!end.review || !end.reads)
      throw new UserError('run-unreadable', `run ${name} kept no texts (journal.texts is hashes)`)
    if (!review || !reads)
      throw new UserError('run-unreadable', `run ${name} lost what it kept: an object is missing or damaged`)
    return { review, reads }
  }

  private prepare(): void {
    this.check()
    makeFolder(this.runs)
    const mark = join(this.folder, 'FORMAT')
    if (!existsSync(mark)) writeWhole(mark, Buffer.from(`${storeFormat}\n`), { replace: false })
  }

  /** Throws `run-unreadable` for a store that a newer version made: it is left alone. */
  private check(): void {
    const mark = join(this.folder, 'FORMAT')
    if (!existsSync(mark)) return
    const format = Number(readFileSync(mark, 'utf8'))
    if (format !== storeFormat)
      throw new UserError(
        'run-unreadable',
        `${this.folder} was made by another version (format ${format}; this one knows ${storeFormat})`,
      )
  }
}

function nameOf(now: Date): string {
  const digits = now.toISOString().replace(/\D/g, '')
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${randomBytes(3).toString('hex')}`
}
