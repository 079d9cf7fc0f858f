/** Starts the program that makes a sandbox, reads what comes out of it, and ends it for good. */
import { spawn } from 'node:child_process'
import { hasProcessGroups, killGroup } from '../process-tree.ts'
import { watchProcess } from '../watchdog.ts'
import type { SandboxedEnd, SandboxedRun } from './contract.ts'
import { type OwnRoot, watchWrites, writeQuota } from './quota.ts'

const keptBytes = 64 * 1024
/** Of the processor, for each second of the clock. */
const cpuShare = 2
const mostProcesses = 256

type Boxed = Pick<SandboxedRun, 'seconds' | 'outputBytes'> & {
  memoryMb?: number
  /** What it may write to on the host, and the file system of its own that holds the rest. */
  writable?: readonly string[]
  root?: OwnRoot
}

/** Nothing of our environment goes along. `path` is where the sandbox program itself is looked for. */
export function runBoxed(
  [program = '', ...args]: readonly string[],
  { seconds, outputBytes, memoryMb = Infinity, writable = [], root }: Boxed,
  signal: AbortSignal,
): Promise<SandboxedEnd> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const child = spawn(program, args, {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: hasProcessGroups,
      shell: false,
    })
    let ended: SandboxedEnd['ended'] = 'by itself'
    let bytes = 0
    let output = Buffer.alloc(0)
    const kill = (): void => killGroup(child)
    const stop = (why: SandboxedEnd['ended']): void => {
      if (ended === 'by itself') ended = why
      kill()
    }
    const written = { pid: child.pid, root, paths: writable }
    const endWrites = watchWrites(written, writeQuota, () => stop('too much written'))
    const watch = watchProcess(child.pid, {
      silentSeconds: Infinity,
      minutes: Infinity,
      cpuMinutes: (seconds * cpuShare) / 60,
      // Its own limit is by process; together they may have as much as four of them.
      megabytes: memoryMb * 4,
      processes: mostProcesses,
    })
    const endWatches = () => {
      clearTimeout(timer)
      endWrites()
      watch.stop()
    }
    const timer = setTimeout(() => stop('out of time'), seconds * 1000)
    signal.addEventListener('abort', kill, { once: true })
    const take = (chunk: Buffer): void => {
      bytes += chunk.length
      output = Buffer.concat([output, chunk]).subarray(-keptBytes)
      if (bytes > outputBytes) stop('too much output')
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('error', (error) => {
      endWatches()
      reject(error)
    })
    child.on('close', (exitCode, endSignal) => {
      endWatches()
      signal.removeEventListener('abort', kill)
      if (signal.aborted) return reject(signal.reason)
      if (watch.overrun !== null && ended === 'by itself') ended = 'over its limits'
      const killed = endSignal !== null && ended === 'by itself' ? 'by a signal' : ended
      resolve({ exitCode, output: output.toString('utf8'), ended: killed })
    })
  })
}
