/** Starts one role in a process of its own, gives it its order with its secrets, and waits for its end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { workerIn } from '../../base/child-worker.ts'
import { ownNode } from '../../base/own-node.ts'
import { inOneLine, markOf } from '../../base/process-mark.ts'
import { killTree } from '../../base/process-tree.ts'
import { faultOf, type WatchLimits, watchProcess } from '../../base/watchdog.ts'
import { type Order, Report, type RoleOrder, type RoleResult } from './contract.ts'
import { type Walls, wallIn } from './walls.ts'

export type RoleRun = Walls & {
  order: RoleOrder
  limits: WatchLimits
  /** Aborted: the whole tree is killed at once. */
  signal: AbortSignal
  onReport?: (report: Report) => void
  /** It has its order; `send` says more to it while it lives. */
  onStart?: (send: (words: Order) => void) => void
  /** Whether the job is still this worker's, asked right before the host is written to. */
  mayWrite?: () => Promise<boolean>
}

type Conversation = Pick<RoleRun, 'order' | 'onReport' | 'onStart' | 'mayWrite'>

export type RoleEnd =
  | { kind: 'done'; result: RoleResult }
  | { kind: 'failed'; code: string | null; message: string }
  /** The watchdog ended it. */
  | { kind: 'overrun'; reason: string }
  /** It died of itself, or somebody killed it. */
  | { kind: 'died'; how: string }
  | { kind: 'aborted' }

export type RoleAccount = { end: RoleEnd; peakMegabytes: number; cpuSeconds: number; durationMs: number }

/** Never rejects. */
export type RunRole = (run: RoleRun) => Promise<RoleAccount>

export const runRole: RunRole = async (run) => {
  const startedAt = performance.now()
  const account = (end: RoleEnd, peak = { megabytes: 0, cpuSeconds: 0 }): RoleAccount => ({
    end,
    peakMegabytes: Math.round(peak.megabytes),
    cpuSeconds: peak.cpuSeconds,
    durationMs: Math.round(performance.now() - startedAt),
  })
  if (run.signal.aborted) return account({ kind: 'aborted' })
  for (const name of ['home', 'tmp']) mkdirSync(join(run.folder, name), { recursive: true, mode: 0o700 })
  const child = start(run)
  const { pid } = child
  if (pid === undefined) return account({ kind: 'died', how: 'it could not be started' })
  const watch = watchProcess(pid, run.limits)
  const kill = () => killTree(pid)
  run.signal.addEventListener('abort', kill, { once: true })
  try {
    const told = await converse(child, run, watch.heard)
    if (watch.overrun !== null) return account({ kind: 'overrun', reason: watch.overrun }, watch.peak)
    if (run.signal.aborted) return account({ kind: 'aborted' }, watch.peak)
    return account(told, watch.peak)
  } finally {
    watch.stop()
    run.signal.removeEventListener('abort', kill)
    kill()
    rmSync(join(run.folder, 'tmp'), { recursive: true, force: true })
  }
}

/** Longer than its last words take, for a process that left its channel to another. */
const lastWordsMs = 5_000

const script = workerIn('server/roles')

/** What most of a review makes is short-lived; small new spaces keep many processes side by side small. */
const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4']

function start(run: RoleRun): ChildProcess {
  const heap = `--max-old-space-size=${Math.max(128, Math.floor(run.limits.megabytes * 0.75))}`
  const { command, arguments: all, environment } = wallIn(run, [...ownNode([...flags, heap]), script])
  return spawn(command, all, {
    cwd: run.folder,
    env: { ...environment },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** With a process of a role, to the end of what it has to say. */
export function converse(
  child: ChildProcess,
  { order, onReport, onStart, mayWrite = async () => false }: Conversation,
  heard: () => void = () => {},
): Promise<RoleEnd> {
  let last: RoleEnd | null = null
  const send = (words: Order) => {
    if (child.connected) child.send(words, () => {})
  }
  child.on('message', (message) => {
    const { success, data: report } = Report.safeParse(message)
    // It read foreign text; what does not fit is not for us.
    if (!success || last !== null) return
    heard()
    if (report.type === 'alive') return
    if (report.type === 'ready') {
      send({ type: 'order', order, mark: inOneLine(markOf(child.pid ?? 0)) })
      onStart?.(send)
    } else if (report.type === 'may-write') {
      mayWrite().then(
        (isGranted) => send({ type: 'permit', isGranted }),
        () => send({ type: 'permit', isGranted: false }),
      )
    } else if (report.type === 'done')
      last =
        report.result.role === order.role
          ? { kind: 'done', result: report.result }
          : { kind: 'died', how: 'it answered for another role' }
    else if (report.type === 'failed') last = { kind: 'failed', code: report.code, message: report.message }
    onReport?.(report)
  })
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ kind: 'died', how: error.message }))
    child.on('exit', (code, signal) => {
      const end = () => resolve(last ?? endOf(code, signal))
      // On a busy machine, what it said last may still be on its way.
      if (!child.connected) return end()
      const late = setTimeout(end, lastWordsMs)
      child.once('disconnect', () => {
        clearTimeout(late)
        end()
      })
    })
  })
}

/** What the system ended for its memory exceeded a limit too. */
function endOf(code: number | null, signal: string | null): RoleEnd {
  const fault = faultOf(signal)
  if (fault !== null) return { kind: 'overrun', reason: fault }
  const how = signal === null ? `it ended without an answer, with exit code ${code}` : `signal ${signal}`
  return { kind: 'died', how }
}
