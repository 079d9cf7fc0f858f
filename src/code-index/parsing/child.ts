/** One parsing process as its owner sees it: takes a batch, hands back records, and can be killed at any time. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { allowance, type Batch, type Budget, type Reply } from './protocol.ts'

/** How a batch ended: all of it, wanting a new child, or with the child's death while `at` was being read. */
export type BatchEnd =
  | { type: 'done' | 'full'; next: number }
  | { type: 'died'; reason: 'timeout' | 'crash' | 'memory'; at: number; started: boolean }

/** Milliseconds. Only for what nothing else stops: files that are merely hard run out of steps before. */
export type Deadlines = { start: number; file: Budget }

/** Beside this file, with its ending: sources in a checkout, JavaScript when built. */
const worker = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url),
)

const heapMegabytes = 700

export class ParseChild {
  private readonly process: ChildProcess
  private readonly gone: Promise<void>
  private alive = true

  constructor() {
    this.process = fork(worker, {
      // Without the first flag V8 optimises the parser's tables and may take gigabytes for it.
      execArgv: [
        '--liftoff-only',
        `--max-old-space-size=${heapMegabytes}`,
        '--disable-warning=ExperimentalWarning',
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // It reads foreign text: it gets no secrets of the environment.
      env: process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {},
    })
    this.gone = new Promise((resolve) => {
      this.process.once('exit', () => {
        this.alive = false
        resolve()
      })
      this.process.on('error', () => {
        this.alive = false
        resolve()
      })
    })
    this.hold(false)
  }

  get isAlive(): boolean {
    return this.alive && this.process.connected
  }

  get pid(): number | undefined {
    return this.process.pid
  }

  /** Sends one batch; `onReply` gets each file's outcome as it comes. Never rejects. */
  run(batch: Batch, deadlines: Deadlines, onReply: (reply: Reply) => void): Promise<BatchEnd> {
    return new Promise((resolve) => {
      let at = 0
      let started = false
      let late = false
      let timer: NodeJS.Timeout | null = null
      const expectWithin = (milliseconds: number): void => {
        if (timer) clearTimeout(timer)
        timer = setTimeout(() => {
          late = true
          this.process.kill('SIGKILL')
        }, milliseconds)
      }
      const finish = (end: BatchEnd): void => {
        if (timer) clearTimeout(timer)
        this.process.off('message', onMessage)
        this.process.off('exit', onExit)
        this.process.off('error', onExit)
        this.hold(false)
        resolve(end)
      }
      const onMessage = (message: unknown): void => {
        // The only sender is our own worker.
        const reply = message as Reply
        if (reply.type === 'done' || reply.type === 'full') {
          finish({ type: reply.type, next: at })
          return
        }
        started = true
        if (reply.type !== 'ready') at = reply.index + 1
        expectWithin(allowance(deadlines.file, batch.files[at]?.text.length ?? 0))
        onReply(reply)
      }
      const onExit = (): void => {
        const aborted = this.process.signalCode === 'SIGABRT'
        finish({ type: 'died', reason: late ? 'timeout' : aborted ? 'memory' : 'crash', at, started })
      }
      if (!this.isAlive) return finish({ type: 'died', reason: 'crash', at, started })
      this.hold(true)
      this.process.on('message', onMessage)
      this.process.once('exit', onExit)
      this.process.once('error', onExit)
      expectWithin(deadlines.start)
      this.process.send(batch, undefined, undefined, (error) => {
        if (error && this.alive) this.process.kill('SIGKILL')
      })
    })
  }

  /** Ends the process, at once if it is busy, and waits until it is gone. */
  async end(): Promise<void> {
    if (!this.alive) return
    this.process.ref()
    this.process.kill('SIGKILL')
    await this.gone
  }

  /** While it works, the child keeps this process running; while it is idle, it does not. */
  private hold(busy: boolean): void {
    if (busy) {
      this.process.ref()
      this.process.channel?.ref()
    } else {
      this.process.unref()
      this.process.channel?.unref()
    }
  }
}
