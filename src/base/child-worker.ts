/**
 * A process of our own that reads foreign text, as its owner sees it: takes a batch, hands back replies, can
 * reach no file, network or program, and can be killed at any time. What runs in it says `ready`, then answers item by
 * item, then says `done`, or `full` when it wants to be replaced.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'
import { cpuSeconds, descendants, hasProcessGroups, killGroup } from './process-tree.ts'
import { confineNode, type NodeWalls } from './sandbox/confine-node.ts'
import type { Launch } from './sandbox/contract.ts'
import { outOfMemory } from './serve-batches.ts'
import { patienceWhenStarved } from './watchdog.ts'

/** `index`: the last item this reply answers; all before it are answered too. */
export type WorkerReply =
  | { type: 'ready' }
  | { type: 'done' | 'full' }
  | { type: 'answers' | 'answer'; index: number }

/** How a batch ended: with all of it, wanting a new child, or with the child's death after `at` items. */
export type BatchEnd =
  | { type: 'done' | 'full'; next: number }
  | { type: 'died'; reason: 'timeout' | 'crash' | 'memory'; at: number; started: boolean }

/**
 * Milliseconds: until `ready`, from then or from one answer to the next, and for the whole batch. But for the last, of work: a
 * child that gets almost no processor is given up to four times as long, so that a busy machine reads what a quiet one reads.
 */
export type Deadlines = {
  start: number
  /** `answered`: how many items are. */
  answer(answered: number): number
  total?: number
}

export type WorkerOptions = {
  /** Given to Node before the script. */
  flags?: readonly string[]
  /** Given to the script. */
  words?: readonly string[]
  /** Those of this machine unless named. */
  walls?: NodeWalls
  /** Ends after so many milliseconds without a batch; a minute unless named. */
  restMs?: number
}

const heapMegabytes = 700

/** How long a child may stay without work: it holds some eighty megabytes, and starting another takes about a second. */
const longestRestMs = 60_000

/**
 * The file `worker` of a folder of ours (`code-index/parsing`), or another that is started by its path: its source in a
 * checkout, JavaScript when built. Not found beside the module that asks, since a bundle moves modules.
 */
export function workerIn(folder: string, name = 'worker'): string {
  const isSource = import.meta.filename.endsWith('.ts')
  return join(packageRoot, isSource ? 'src' : 'dist', folder, `${name}.${isSource ? 'ts' : 'js'}`)
}

export class ChildWorker<Batch, Reply extends WorkerReply> {
  private readonly process: ChildProcess
  private readonly gone: Promise<void>
  private readonly restMs: number
  private rest: NodeJS.Timeout | undefined
  private alive = true

  /** `script`: what runs in it, a file of this package. */
  static async start<Batch, Reply extends WorkerReply>(
    script: string,
    { flags = [], words = [], walls, restMs = longestRestMs }: WorkerOptions = {},
  ): Promise<ChildWorker<Batch, Reply>> {
    const own = [
      // Without it V8 optimises the parser's tables and may take gigabytes for it.
      '--liftoff-only',
      // Small new spaces: what is read is short-lived, and what is collected late is resident all the while.
      '--max-semi-space-size=4',
      `--max-old-space-size=${heapMegabytes}`,
      '--disable-warning=ExperimentalWarning',
    ]
    return new ChildWorker(await confineNode({ script, flags: [...own, ...flags], words }, walls), restMs)
  }

  private constructor({ command, arguments: all, environment }: Launch, restMs: number) {
    this.restMs = restMs
    this.process = spawn(command, all, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...environment },
      detached: hasProcessGroups,
    })
    this.gone = new Promise((resolve) => {
      const note = (): void => {
        this.alive = false
        resolve()
      }
      this.process.once('exit', note)
      this.process.on('error', note)
    })
    this.hold(false)
  }

  get isAlive(): boolean {
    return this.alive && this.process.connected
  }

  get pid(): number | undefined {
    return this.process.pid
  }

  /** Sends one batch; `onReply` gets each reply as it comes. Never rejects. */
  run(batch: Batch, deadlines: Deadlines, onReply: (reply: Reply) => void): Promise<BatchEnd> {
    return new Promise((resolve) => {
      let at = 0
      let started = false
      let late = false
      let timer: NodeJS.Timeout | null = null
      const endsAt = performance.now() + (deadlines.total ?? Number.POSITIVE_INFINITY)
      const expectWithin = (milliseconds: number): void => {
        if (timer) clearTimeout(timer)
        const [startedAt, workedBefore] = [performance.now(), this.workedMs()]
        const wait = (ms: number): void => {
          timer = setTimeout(
            () => {
              const now = performance.now()
              const worked = this.workedMs() - workedBefore
              const left = Math.min(
                milliseconds - worked,
                milliseconds * patienceWhenStarved - (now - startedAt),
              )
              if (left > 0 && now < endsAt) return wait(left)
              late = true
              this.kill()
            },
            Math.max(0, Math.min(ms, endsAt - performance.now())),
          )
        }
        wait(milliseconds)
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
        if ('index' in reply) at = reply.index + 1
        expectWithin(deadlines.answer(at))
        onReply(reply)
      }
      const onExit = (): void => {
        const { signalCode, exitCode } = this.process
        const aborted = signalCode === 'SIGABRT' || exitCode === outOfMemory
        finish({ type: 'died', reason: late ? 'timeout' : aborted ? 'memory' : 'crash', at, started })
      }
      if (!this.isAlive) return finish({ type: 'died', reason: 'crash', at, started })
      this.hold(true)
      this.process.on('message', onMessage)
      this.process.once('exit', onExit)
      this.process.once('error', onExit)
      expectWithin(deadlines.start)
      this.process.send(batch as object, undefined, undefined, (error) => {
        if (error && this.alive) this.kill()
      })
    })
  }

  /** Ends the process, at once if it is busy, and waits until it is gone. */
  async end(): Promise<void> {
    if (!this.alive) return
    this.process.ref()
    this.kill()
    await this.gone
  }

  /** Of the processor, by it and the sandbox around it. Where the system does not tell, as if it were starved all the time. */
  private workedMs(): number {
    const { pid } = this.process
    if (pid === undefined || cpuSeconds(pid) === null) return performance.now() / patienceWhenStarved
    return [pid, ...descendants(pid)].reduce((sum, one) => sum + (cpuSeconds(one) ?? 0) * 1000, 0)
  }

  /** With its group: a sandbox that is still being set up is two processes, and the inner one would stay. */
  private kill(): void {
    killGroup(this.process)
  }

  /** While it works, the child keeps this process running; while it is idle, it does not, and ends after a while. */
  private hold(busy: boolean): void {
    clearTimeout(this.rest)
    if (!busy) this.rest = setTimeout(() => void this.end(), this.restMs).unref()
    if (busy) {
      this.process.ref()
      this.process.channel?.ref()
    } else {
      this.process.unref()
      this.process.channel?.unref()
    }
  }
}
