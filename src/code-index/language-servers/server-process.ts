/**
 * One server process with its whole group: started without a shell, in a sandbox where there is one, watched for memory,
 * killed as one.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { basename } from 'node:path'
import type { Readable, Writable } from 'node:stream'
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

// How much memory a process and its descendants hold. Linux lists it in /proc; elsewhere it is not known.

/** Past this the tree of processes is not followed. */
const mostProcesses = 256

/** Resident bytes in all; null where it is not known, and when the process has ended. */
async function residentBytes(pid: number): Promise<number | null> {
  const seen = new Set([pid])
  let bytes: number | null = null
  // The set grows while it is walked.
  for (const one of seen) {
    const status = await readOrNull(`/proc/${one}/status`)
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? '')?.[1]
    if (kilobytes !== undefined) bytes = (bytes ?? 0) + Number(kilobytes) * 1024
    const children = await readOrNull(`/proc/${one}/task/${one}/children`)
    for (const child of (children ?? '').split(' '))
      if (/^\d+$/.test(child) && seen.size < mostProcesses) seen.add(Number(child))
  }
  return bytes
}

function readOrNull(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}
