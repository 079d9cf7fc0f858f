/** How tests start programs from a worker that has grown (see starter.mjs); a process by itself starts them as Node does. */
import childProcess, {
  type ChildProcess,
  type ExecFileSyncOptions,
  type SpawnOptions,
} from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { asPacked } from '../packed-children.ts'
import { call, callHere } from './exec-file.ts'

type Request = { file: string; args: readonly string[]; options: SpawnOptions & { input?: string } }
type Answer = { pid: number } | { pid?: never; code: string; message: string }
/** How one went that was run to its end; its channels in base 64. */
type Whole = { stdout: string; stderr: string } & (
  | { code: number | null; signal: NodeJS.Signals | null }
  | { failed: { code: string; message: string } }
)
type Ended = { code: number | null; signal: NodeJS.Signals | null }

const { spawn: startHere, execFileSync: runHere } = childProcess

class Starter {
  private readonly folder = mkdtempSync(join(tmpdir(), 'sl-start-'))
  private readonly socket = join(this.folder, 's')
  private readonly requests: number
  private readonly answers: number
  /** Tells who ended; it keeps this process awake only while something runs. */
  private readonly ends: Socket
  private readonly running = new Map<number, (ended: Ended) => void>()
  private count = 0

  constructor() {
    const [requests, answers] = [join(this.folder, 'requests'), join(this.folder, 'answers')]
    runHere('mkfifo', [requests, answers])
    const program = join(import.meta.dirname, 'starter.mjs')
    const own = startHere(process.execPath, [program, this.socket, requests, answers], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    own.unref()
    // Both wait until it listens.
    this.requests = openSync(requests, 'w')
    this.answers = openSync(answers, 'r')
    this.ends = connect(this.socket).unref()
    createInterface({ input: this.ends }).on('line', (line) => {
      const { id, ...ended } = JSON.parse(line) as Ended & { id: number }
      this.running.get(id)?.(ended)
      this.running.delete(id)
      if (this.running.size === 0) this.ends.unref()
    })
    process.on('exit', () => rmSync(this.folder, { recursive: true, force: true }))
  }

  /** To its end: its channels as text. */
  run(request: Request): Whole {
    return this.ask({ ...request, whole: true })
  }

  start(request: Request): ChildProcess {
    const id = this.count++
    // The system takes connections at once and in this order, whenever the other side gets to them.
    const channels = [this.open(), this.open(), this.open()] as const
    const started = this.ask<Answer>({ ...request, id })
    const child = new Started(channels, started.pid, request)
    if (started.pid === undefined)
      process.nextTick(() => child.fail(Object.assign(new Error(started.message), started)))
    else {
      process.nextTick(() => child.emit('spawn'))
      this.running.set(id, (ended) => child.end(ended))
      this.ends.ref()
    }
    return child as unknown as ChildProcess
  }

  private open(): Socket {
    return connect({ path: this.socket, allowHalfOpen: true })
  }

  private ask<T>(request: object): T {
    writeSync(this.requests, `${JSON.stringify(request)}\n`)
    const pieces: Buffer[] = []
    const piece = Buffer.alloc(65_536)
    for (;;) {
      const length = readSync(this.answers, piece)
      if (length === 0) throw new Error('The process that starts others has ended.')
      pieces.push(Buffer.from(piece.subarray(0, length)))
      if (piece[length - 1] === 10) return JSON.parse(Buffer.concat(pieces).toString('utf8'))
    }
  }
}

/** What Node's own shows of a process, by the events and fields that we use. */
class Started extends EventEmitter {
  readonly stdin: Socket | null
  readonly stdout: Socket | null
  readonly stderr: Socket | null
  readonly spawnfile: string
  readonly spawnargs: readonly string[]
  readonly pid: number | undefined
  exitCode: number | null = null
  signalCode: NodeJS.Signals | null = null
  killed = false

  constructor(
    [stdin, stdout, stderr]: readonly [Socket, Socket, Socket],
    pid: number | undefined,
    of: Request,
  ) {
    super()
    const kinds = kindsOf(of.options)
    const kept = [stdin, stdout, stderr].map((socket, at) => {
      if (kinds[at] === 'pipe') return socket
      socket.destroy()
      return null
    })
    this.stdin = kept[0] ?? null
    this.stdout = kept[1] ?? null
    this.stderr = kept[2] ?? null
    this.pid = pid
    this.spawnfile = of.file
    this.spawnargs = [of.file, ...of.args]
    // Nothing is written to these; without their end they would not close.
    this.stdout?.end()
    this.stderr?.end()
  }

  get stdio(): (Socket | null)[] {
    return [this.stdin, this.stdout, this.stderr]
  }

  kill(signal: NodeJS.Signals | number = 'SIGTERM'): boolean {
    if (this.pid === undefined || this.exitCode !== null || this.signalCode !== null) return false
    try {
      process.kill(this.pid, signal)
    } catch {
      return false
    }
    this.killed = true
    return true
  }

  end({ code, signal }: Ended): void {
    this.exitCode = code
    this.signalCode = signal
    this.stdin?.destroy()
    this.emit('exit', code, signal)
    const streams = [this.stdout, this.stderr].filter((stream) => stream !== null)
    let open = streams.length
    const closed = () => {
      open--
      if (open <= 0) this.emit('close', code, signal)
    }
    if (open === 0) closed()
    for (const stream of streams)
      if (stream.closed) closed()
      else {
        stream.on('close', closed)
        // What nobody reads holds up nothing.
        if (stream.readableFlowing === null && stream.listenerCount('readable') === 0) stream.resume()
      }
  }

  fail(error: Error): void {
    for (const stream of this.stdio) stream?.destroy()
    this.emit('error', error)
    this.emit('close', -2, null)
  }

  ref(): void {}
  unref(): void {}
}

let starter: Starter | null = null
let isInstalled = false

/** From now on this worker starts everything this way that needs nothing but plain channels. */
export function installStarter(): void {
  if (isInstalled || process.platform === 'win32') return
  isInstalled = true
  childProcess.spawn = ((file: string, given: readonly string[] = [], options: SpawnOptions = {}) => {
    if (!Array.isArray(given)) return startHere(file, given, options)
    const args = asPacked(given)
    if (!isPlain(options)) return startHere(file, args, options)
    starter ??= new Starter()
    const { cwd = process.cwd(), env = process.env } = options
    return starter.start({ file, args, options: { ...options, cwd, env } })
  }) as typeof childProcess.spawn
  childProcess.execFile = Object.assign(call, {
    [promisify.custom]: (file: string, ...given: unknown[]) =>
      new Promise((resolve, reject) =>
        call(file, ...given, (error: Error | null, stdout: unknown, stderr: unknown) =>
          error === null ? resolve({ stdout, stderr }) : reject(Object.assign(error, { stdout, stderr })),
        ),
      ),
  }) as unknown as typeof childProcess.execFile
  childProcess.execFileSync = ((file: string, ...given: unknown[]) => {
    const args = (given.find(Array.isArray) ?? []) as string[]
    const options = (given.find((one) => !Array.isArray(one)) ?? {}) as ExecFileSyncOptions
    return canRun(options) ? runWhole(file, args, options) : runHere(file, args, options)
  }) as typeof childProcess.execFileSync
  syncBuiltinESMExports()
}

/** For as long as `work` runs, this process starts everything itself: for whoever watches what it does. */
export async function startingHere<T>(work: () => Promise<T>): Promise<T> {
  const { spawn, execFile, execFileSync } = childProcess
  Object.assign(childProcess, { spawn: startHere, execFile: callHere, execFileSync: runHere })
  syncBuiltinESMExports()
  try {
    return await work()
  } finally {
    Object.assign(childProcess, { spawn, execFile, execFileSync })
    syncBuiltinESMExports()
  }
}

const plainOptions = ['cwd', 'env', 'shell', 'windowsHide', 'stdio', 'detached']

function isPlain(options: SpawnOptions): boolean {
  const kinds = kindsOf(options)
  return (
    (options.shell ?? false) === false &&
    kinds.length === 3 &&
    kinds.every((kind) => kind === 'pipe' || kind === 'ignore') &&
    Object.keys(options).every((name) => plainOptions.includes(name))
  )
}

function kindsOf({ stdio = 'pipe' }: Pick<SpawnOptions, 'stdio'>): readonly unknown[] {
  return Array.isArray(stdio) ? stdio : [stdio, stdio, stdio]
}

const optionsOfRun = ['cwd', 'env', 'encoding', 'input', 'maxBuffer', 'stdio']

function canRun(options: ExecFileSyncOptions): boolean {
  return (
    typeof (options.cwd ?? '') === 'string' &&
    kindsOf(options).every((kind) => kind === 'pipe' || kind === 'ignore') &&
    [undefined, 'utf8', 'buffer'].includes(options.encoding as string | undefined) &&
    Object.keys(options).every((name) => optionsOfRun.includes(name))
  )
}

/** As `execFileSync`. */
function runWhole(
  file: string,
  args: readonly string[],
  options: ExecFileSyncOptions,
): string | Buffer | null {
  starter ??= new Starter()
  const { cwd = process.cwd(), env = process.env, input = '', encoding, stdio } = options
  const bytes = typeof input === 'string' ? Buffer.from(input) : Buffer.from(input as Uint8Array)
  const ended = starter.run({ file, args, options: { cwd, env, input: bytes.toString('base64') } })
  const [stdout, stderr] = [ended.stdout, ended.stderr].map((text) => {
    const all = Buffer.from(text, 'base64')
    return encoding === 'utf8' ? all.toString('utf8') : all
  })
  if ('failed' in ended)
    throw Object.assign(new Error(`spawnSync ${ended.failed.message}`), { ...ended.failed, stdout, stderr })
  if (stdio === undefined && stderr !== undefined && stderr.length > 0) process.stderr.write(stderr)
  const { code, signal } = ended
  if (code === 0) return kindsOf(options)[1] === 'pipe' ? (stdout ?? null) : null
  const words = `Command failed: ${[file, ...args].join(' ')}\n${String(stderr)}`
  throw Object.assign(new Error(words), { status: code, signal, stdout, stderr })
}

/** Runs a program to its end and returns its standard output; any exit code but 0 is an error with its words. */
export function runToItsEnd(
  file: string,
  args: readonly string[],
  { input = new Uint8Array(), ...options }: Pick<SpawnOptions, 'cwd' | 'env'> & { input?: Uint8Array },
): string {
  return childProcess.execFileSync(file, args, {
    ...{ ...options, input, encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'pipe'] },
  })
}
