/**
 * Runs as files in a folder that is the user's alone. Objects are shared by all runs; a log is written by its own process
 * only and only grows. Nothing here waits for anything but the disk.
 */
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf, makeFolder, privateFile, syncFolder, writeAll, writeWhole } from '../../../base/durable.ts'
import { UserError } from '../../../base/errors.ts'
import {
  type RunRecord,
  type RunStore,
  type RunWriter,
  runName,
  type Swept,
  storeFormat,
} from '../contract.ts'
import { Claims, isRunning, markRunning, unmarkRunning } from './claims.ts'
import { Answers, Objects } from './objects.ts'
import { sweepFiles } from './sweep.ts'

const largestLog = 256 * 1024 * 1024

export class FileRunStore implements RunStore {
  readonly folder: string
  readonly objects: Objects
  readonly pointers: Answers
  readonly claims: Claims
  readonly runs: string

  /** Touches nothing yet. */
  constructor(folder: string) {
    this.folder = folder
    this.objects = new Objects(join(folder, 'objects'))
    this.pointers = new Answers(join(folder, 'answers'))
    this.claims = new Claims(join(folder, 'claims'))
    this.runs = join(folder, 'runs')
  }

  get address(): string {
    return this.folder
  }

  get keyFolder(): string {
    return this.folder
  }

  async format(): Promise<number | null> {
    const mark = join(this.folder, 'FORMAT')
    return existsSync(mark) ? Number(readFileSync(mark, 'utf8')) : null
  }

  async prepare(): Promise<void> {
    makeFolder(this.runs)
    if ((await this.format()) !== storeFormat)
      writeWhole(join(this.folder, 'FORMAT'), Buffer.from(`${storeFormat}\n`), { replace: true })
  }

  async names(): Promise<string[]> {
    if (!existsSync(this.runs)) return []
    return readdirSync(this.runs)
      .flatMap((file) => (file.endsWith('.log') ? [file.slice(0, -'.log'.length)] : []))
      .filter((name) => runName.test(name))
      .sort()
      .reverse()
  }

  async create(run: string): Promise<RunWriter | null> {
    const file = openNew(this.logPath(run))
    if (file === null) return null
    markRunning(this.runs, run)
    return new FileRunWriter(this, run, file)
  }

  async read(run: string): Promise<RunRecord | null> {
    const path = this.logPath(run)
    const size = runName.test(run) ? statSync(path, { throwIfNoEntry: false })?.size : undefined
    if (size === undefined) return null
    if (size > largestLog) throw new UserError('run-unreadable', `run ${run}: its log is too large`)
    const { objects } = this
    return {
      // Half a line is what a kill leaves behind, and no fault.
      lines: readFileSync(path, 'utf8').split('\n').slice(0, -1),
      isOpen: isRunning(this.runs, run),
      object: async (name) => objects.get(name),
      async measure(names) {
        const sizes = [...names].map((name) => objects.sizeOf(name))
        const missing = sizes.filter((one) => one === 0).length
        return { bytes: sizes.reduce((sum, one) => sum + one, size), missing }
      },
    }
  }

  async add(run: string, lines: readonly string[], objects: ReadonlyMap<string, string>): Promise<boolean> {
    await this.prepare()
    for (const [name, content] of objects) this.objects.put(name, content)
    if (existsSync(this.logPath(run))) return false
    const text = lines.map((line) => `${line}\n`).join('')
    writeWhole(this.logPath(run), Buffer.from(text, 'utf8'), { replace: false })
    return true
  }

  async *answers(key: string): AsyncGenerator<string> {
    for (const name of this.pointers.find(key)) {
      const content = this.objects.get(name)
      if (content !== null) yield content
    }
  }

  async claim(key: string, run: string): Promise<boolean> {
    return this.claims.take(key, run)
  }

  async release(key: string, run: string): Promise<void> {
    this.claims.release(key, run)
  }

  async sweep(keepDays: number, now: Date): Promise<Swept> {
    return sweepFiles(this, await this.names(), keepDays, now)
  }

  async lastSweep(): Promise<string> {
    const path = join(this.folder, 'SWEPT')
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }

  async setLastSweep(mark: string): Promise<void> {
    writeWhole(join(this.folder, 'SWEPT'), Buffer.from(mark), { replace: true })
  }

  async lastWritten(except: string): Promise<number | null> {
    const newest = (await this.names()).find((name) => name !== except)
    const stat = newest === undefined ? undefined : statSync(this.logPath(newest), { throwIfNoEntry: false })
    return stat?.mtimeMs ?? null
  }

  logPath(run: string): string {
    return join(this.runs, `${run}.log`)
  }
}

/** Each call has done its work before it returns its promise: that is what keeps the order. */
class FileRunWriter implements RunWriter {
  private readonly store: FileRunStore
  private readonly run: string
  private readonly file: number
  private isOpen = true
  private failure: { reason: unknown } | null = null

  constructor(store: FileRunStore, run: string, file: number) {
    this.store = store
    this.run = run
    this.file = file
  }

  async put(name: string, content: string): Promise<void> {
    this.attempt(() => this.store.objects.put(name, content))
  }

  async putAnswer(key: string, name: string, content: string): Promise<void> {
    this.attempt(() => {
      // The pointer first: with the last step of writing the answer itself it is there and found, and not before.
      this.store.pointers.point(key, name)
      this.store.objects.put(name, content)
    })
  }

  async get(name: string): Promise<string | null> {
    return this.store.objects.get(name)
  }

  async append(line: string, { sync }: { sync: boolean }): Promise<void> {
    if (!this.isOpen) return
    this.attempt(() => {
      writeAll(this.file, Buffer.from(`${line}\n`, 'utf8'))
      if (sync) fsyncSync(this.file)
    })
  }

  async close(): Promise<void> {
    if (!this.isOpen) return
    this.isOpen = false
    try {
      fsyncSync(this.file)
    } finally {
      closeSync(this.file)
      unmarkRunning(this.store.runs, this.run)
    }
  }

  /** A line behind one that could not be written would refer to what is not there. */
  private attempt(work: () => void): void {
    if (this.failure) throw this.failure.reason
    try {
      work()
    } catch (reason) {
      this.failure = { reason }
      throw reason
    }
  }
}

/** Null when it is there already. */
function openNew(path: string): number | null {
  try {
    const file = openSync(path, 'ax', privateFile)
    syncFolder(dirname(path))
    return file
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return null
    throw error
  }
}
