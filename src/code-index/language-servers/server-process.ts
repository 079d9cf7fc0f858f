/**
 * One server process with its whole group: started without a shell, in a sandbox where there is one, watched for memory,
 * killed as one.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { basename } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { hasProcessGroups, killGroup, residentBytesOfTree } from '../../base/process-tree.ts'
import type { Launch, LongRun, Sandbox } from '../../base/sandbox/contract.ts'
import type { Program } from './contract.ts'
import { realOf } from './programs.ts'

export type ServerProcess = {
  readonly pid: number | undefined
  readonly input: Writable
  readonly output: Readable
  /**
   * Resolves when it and its sandbox have ended, with the reason in our own words: what it said last may quote what it
   * has read, and is not passed on.
   */
  readonly ended: Promise<string>
  /** Highest resident size seen, in bytes; null where it is not known. */
  readonly peakBytes: () => number | null
  kill(): void
}

export type ProcessOptions = {
  cwd: string
  /** Memory limit for the server and its child processes; it is killed above this limit. */
  memoryMb: number
}

const pollMs = 250

export function startProcess(launch: Launch, options: ProcessOptions): ServerProcess {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(launch.command, [...launch.arguments], {
    cwd: options.cwd,
    env: { ...launch.environment },
    shell: false,
    windowsHide: true,
    detached: hasProcessGroups,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let reason: string | null = null
  let peak: number | null = null
  const kill = () => killGroup(child)
  // A dead process closes its input while we may be writing.
  child.stdin.on('error', () => {})
  const watch = setInterval(() => {
    const bytes = child.pid === undefined ? null : residentBytesOfTree(child.pid)
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

// What has to be started for a server: its program as it is, or in a sandbox with all that it needs in there.

/** `readOnlyPaths`: those of the operator. */
export function launchServer(
  program: Program,
  { sandbox, ...run }: Omit<LongRun, 'command'> & { sandbox: Sandbox | null },
): Launch {
  const { command, arguments: all, needs } = program
  if (!sandbox) return { command, arguments: all, environment: run.environment, afterwards: async () => {} }
  const real = realOf(command)
  // Links inside the sandbox would lead to what cannot be seen there; yet some programs go by the name they are called.
  const own = basename(real) === basename(command) ? real : command
  const paths = [own, ...needs.map(realOf), ...needs, ...run.readOnlyPaths]
  return sandbox.launch({
    ...run,
    command: [own, ...all],
    readOnlyPaths: [...new Set(paths)].filter((path) => existsSync(path)),
  })
}
