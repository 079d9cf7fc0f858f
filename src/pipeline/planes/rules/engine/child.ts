/** One matching process as its owner sees it: takes a batch, hands back matches, and can be killed at any time. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Batch, Reply } from './protocol.ts'

/** How a batch ended: with all of it, wanting a new child, or with the child's death while text `at` was searched. */
export type BatchEnd =
  | { type: 'done' | 'full'; next: number }
  | { type: 'died'; reason: 'timeout' | 'crash'; at: number; started: boolean }

/** Milliseconds: until the grammar is loaded and the rules are read, for each text, and for all of it. */
export type Deadlines = { start: number; text: number; total: number }

/** Beside this file, with its ending: sources in a checkout, JavaScript when built. */
const worker = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url),
)

const heapMegabytes = 700

export class MatchChild {
  private readonly process: ChildProcess
  private readonly gone: Promise<void>

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
      this.process.once('exit', () => resolve())
      this.process.once('error', () => resolve())
    })
  }

  /** Sends one batch; `onReply` gets each reply as it comes. Never rejects. */
  run(batch: Batch, deadlines: Deadlines, onReply: (reply: Reply) => void): Promise<BatchEnd> {
    return new Promise((resolve) => {
      let at = 0
      let started = false
      let late = false
      let timer: NodeJS.Timeout | null = null
      const endsAt = performance.now() + deadlines.total
      const expectWithin = (milliseconds: number): void => {
        if (timer) clearTimeout(timer)
        timer = setTimeout(
          () => {
            late = true
            this.process.kill('SIGKILL')
          },
          Math.min(milliseconds, endsAt - performance.now()),
        )
      }
      const finish = (end: BatchEnd): void => {
        if (timer) clearTimeout(timer)
        this.process.removeAllListeners('message')
        resolve(end)
      }
      this.process.on('message', (message) => {
        // The only sender is our own worker.
        const reply = message as Reply
        if (reply.type === 'done' || reply.type === 'full') return finish({ type: reply.type, next: at })
        started = true
        if (reply.type === 'matched') at = reply.index + 1
        expectWithin(deadlines.text)
        onReply(reply)
      })
      void this.gone.then(() => finish({ type: 'died', reason: late ? 'timeout' : 'crash', at, started }))
      expectWithin(deadlines.start)
      this.process.send(batch, undefined, undefined, (error) => {
        if (error) this.process.kill('SIGKILL')
      })
    })
  }

  /** Ends the process, at once if it is busy, and waits until it is gone. */
  async end(): Promise<void> {
    this.process.kill('SIGKILL')
    await this.gone
  }
}
