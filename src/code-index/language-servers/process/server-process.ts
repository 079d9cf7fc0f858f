/** One server process with its whole group: started without a shell, watched for memory, killed as one. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { Launch } from '../../../base/sandbox/contract.ts'
import { residentBytes } from './memory.ts'

export type ServerProcess = {
  readonly pid: number | undefined
  readonly input: Writable
  readonly output: Readable
  /**
   * Resolves when it and its sandbox are gone, with the reason in words of ours: what it said last may quote what it has
   * read, and is not told.
   */
  readonly ended: Promise<string>
  /** Highest resident size seen, in bytes; null where it cannot be told. */
  readonly peakBytes: () => number | null
  kill(): void
}

export type ProcessOptions = {
  cwd: string
  /** It is killed when it and its children hold more. */
  memoryMb: number
}

const pollMs = 250

export function startProcess(launch: Launch, options: ProcessOptions): ServerProcess {
  const hasGroups = process.platform !== 'win32'
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(launch.command, [...launch.arguments], {
    cwd: options.cwd,
    env: { ...launch.environment },
    shell: false,
    windowsHide: true,
    detached: hasGroups,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let reason: string | null = null
  let peak: number | null = null
  const kill = () => {
    if (child.pid === undefined) return
    try {
      process.kill(hasGroups ? -child.pid : child.pid, 'SIGKILL')
    } catch {
      // It was gone before.
    }
  }
  // A dead process closes its input while we may be writing.
  child.stdin.on('error', () => {})
  const watch = setInterval(async () => {
    const bytes = child.pid === undefined ? null : await residentBytes(child.pid)
    if (bytes === null) return
    peak = Math.max(peak ?? 0, bytes)
    if (bytes <= options.memoryMb * 2 ** 20 || reason !== null) return
    reason = `it held more than ${options.memoryMb} MB and was ended`
    kill()
  }, pollMs)
  watch.unref()
  running.add(kill)
  const ended = new Promise<string>((resolve) => {
    const end = (why: string) => {
      clearInterval(watch)
      running.delete(kill)
      // What it started may outlive it.
      kill()
      void launch.afterwards().then(() => resolve(reason ?? why))
    }
    child.once('error', (error) => end(`it could not be started: ${error.message}`))
    child.once('exit', (code, signal) => end(endInWords(code, signal)))
  })
  return { pid: child.pid, input: child.stdin, output: child.stdout, ended, peakBytes: () => peak, kill }
}

/** Servers that would outlive us otherwise. */
const running = new Set<() => void>()
process.once('exit', () => {
  for (const kill of running) kill()
})

/** What ended by a signal inside of a sandbox ends the sandbox with 128 and the number of the signal. */
function endInWords(code: number | null, signal: NodeJS.Signals | null): string {
  const inside = Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0]
  const by = signal ?? inside
  return by === undefined ? `it ended with code ${code}` : `it ended by ${by}`
}
