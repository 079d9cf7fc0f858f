/** The store of runs: begin one, list them, open one again. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../../base/canonical-json.ts'
import { codeOf, makeFolder, writeWhole } from '../../base/durable.ts'
import { UserError } from '../../base/errors.ts'
import type { JournalSettings } from '../../config/settings/schema.ts'
import { type RunHeader, type RunSummary, storeFormat } from '../contract.ts'
import { Answers } from './answers.ts'
import { createBlanker } from './blank.ts'
import { Claims } from './claims.ts'
import { keyValues } from './key-values.ts'
import { markRunning, unmarkRunning } from './liveness.ts'
import { Objects } from './objects.ts'
import { otherFormat } from './other-version.ts'
import { RunRecorder } from './recorder.ts'
import { RunLog } from './run-log.ts'
import { openSealed } from './seal.ts'
import { findRun, listRunNames, logPath, openStoredRun, type StoredRun, summaryOf } from './stored-run.ts'

/** `$XDG_STATE_HOME/sightline`, else `~/.local/state/sightline`. */
export function stateFolder(settings: JournalSettings, environment: NodeJS.ProcessEnv): string {
  if (settings.folder !== undefined) return settings.folder
  const base = environment.XDG_STATE_HOME || join(environment.HOME || homedir(), '.local', 'state')
  return join(base, 'sightline')
}

export type BeginOptions = {
  texts: JournalSettings['texts']
  fresh: boolean
  now: Date
  /** Values of its key variables are written nowhere; `keyNames` are those whose names do not say so. */
  environment?: NodeJS.ProcessEnv
  keyNames?: readonly string[]
}

export type KeptRun = {
  /** JSON, as it went out. */
  review: string
  /** JSON, as it was read. */
  reads: string
  /** Secrets stood in what was read, and stayed on the machine that read it; made-up ones are in their place. */
  lacksSecrets: boolean
}

export class RunStore {
  readonly folder: string
  readonly objects: Objects
  readonly answers: Answers
  readonly claims: Claims
  readonly runs: string

  /** Touches nothing yet. */
  constructor(folder: string) {
    this.folder = folder
    this.objects = new Objects(join(folder, 'objects'))
    this.answers = new Answers(join(folder, 'answers'))
    this.claims = new Claims(join(folder, 'claims'))
    this.runs = join(folder, 'runs')
  }

  /** Never throws: what cannot be written is told by `trouble` of the recorder, and the run goes on without it. */
  begin(header: Omit<RunHeader, 'format' | 'run' | 'startedAt'>, options: BeginOptions): RunRecorder {
    const { folder, objects, answers, claims } = this
    const { texts, fresh, now } = options
    const keys = keyValues(options.environment ?? {}, options.keyNames)
    const blanker = createBlanker(keys)
    const startedAt = performance.now()
    const recorder = (run: string, log: RunLog | null) =>
      new RunRecorder({ run, folder, objects, answers, claims, log, texts, fresh, blanker, keys, startedAt })
    try {
      this.prepare()
      const { run, log } = this.openLog(now)
      markRunning(this.runs, run)
      const whole: RunHeader = { ...header, format: storeFormat, run, startedAt: now.toISOString() }
      log.append(blanker({ type: 'start', header: whole }), { sync: true })
      return recorder(run, log)
    } catch (error) {
      const without = recorder(nameOf(now), null)
      without.refuse(error instanceof Error ? error.message : String(error))
      return without
    }
  }

  /** After the last line: nobody writes this run any more. */
  end(run: string): void {
    try {
      unmarkRunning(this.runs, run)
    } catch {
      // A read-only disk: the process id in it belongs to nobody soon.
    }
  }

  /** Newest first; runs whose logs cannot be read at all are left out, and are in `unreadable`. */
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

  /** What stands in the way of reading a run, in words that name it. */
  unreadable(): string[] {
    this.check()
    return listRunNames(this.runs).flatMap((name) => {
      try {
        openStoredRun(this.runs, name)
        return []
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)]
      }
    })
  }

  /** By its name, a part of it that no other has, `last`, or its place. Throws `run-unknown` or `run-unreadable`. */
  open(asked: string): StoredRun {
    return this.find(asked).run
  }

  /** The same, and the address of one call in it when `asked` goes on with one. */
  find(asked: string): { run: StoredRun; address: string | null } {
    this.check()
    return findRun(this.runs, asked)
  }

  /** What a finished run kept; throws `run-unreadable` when it did not finish, kept no texts, or lost them. */
  kept(run: StoredRun): KeptRun {
    const end = run.entries.find((entry) => entry.type === 'end')
    const name = run.header.run
    if (!end)
      throw new UserError(
        'run-unreadable',
        `run ${name} did not finish; to continue it, review the same change again`,
      )
    const review = end.review && this.objects.get(end.review)
    const parts = end.parts.map((part) => this.objects.get(part) ?? '')
    const reads = parts.join('')
    if (!end.review || end.reads === null)
      throw new UserError('run-unreadable', `run ${name} was recorded without texts (journal.texts: hashes)`)
    if (!review || sha256(reads) !== end.reads)
      throw new UserError('run-unreadable', `run ${name} is incomplete: an object is missing or damaged`)
    const opened = openSealed({ text: reads, sealed: end.sealed }, this.folder)
    return { review, reads: opened ?? reads, lacksSecrets: opened === null }
  }

  /** Two runs may begin in one second. */
  private openLog(now: Date): { run: string; log: RunLog } {
    for (let tries = 1; ; tries++) {
      const run = nameOf(now)
      try {
        return { run, log: new RunLog(logPath(this.runs, run)) }
      } catch (error) {
        if (codeOf(error) !== 'EEXIST' || tries === 5) throw error
      }
    }
  }

  private prepare(): void {
    this.check()
    makeFolder(this.runs)
    const mark = join(this.folder, 'FORMAT')
    if (this.format() !== storeFormat) writeWhole(mark, Buffer.from(`${storeFormat}\n`), { replace: true })
  }

  /** Throws `run-unreadable` for a store that a newer version made: it is left alone. */
  private check(): void {
    const format = this.format()
    if (format !== null && !(format <= storeFormat))
      throw new UserError('run-unreadable', `${this.folder}: ${otherFormat(format)}`)
  }

  /** Of the newest version that wrote here: runs of older ones may lie beside. Null for a store that is new. */
  private format(): number | null {
    const mark = join(this.folder, 'FORMAT')
    return existsSync(mark) ? Number(readFileSync(mark, 'utf8')) : null
  }
}

function nameOf(now: Date): string {
  const digits = now.toISOString().replace(/\D/g, '')
  const thousandths = now.getMilliseconds().toString(16).padStart(3, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${thousandths}${randomBytes(2).toString('hex').slice(1)}`
}
