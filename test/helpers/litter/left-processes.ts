/**
 * Programs that tests started and that outlive the run: they have the run's own folder in their environment, or, started without one,
 * are of this checkout, began during the run and have nobody left who started them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { packageRoot } from '../../../src/base/package-root.ts'

export type LeftProcess = { pid: number; command: string; at: number }

/** Those of this user; none where the system does not tell. `since`: when the run began, in milliseconds since 1970. */
export function findLeftProcesses(own: string, since: number): LeftProcess[] {
  return listProcesses().flatMap((pid) => {
    if (pid === process.pid) return []
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      const isOfRun = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(own)
      const isLost = () => command.includes(packageRoot) && startOf(pid) > since && parentOf(pid) === 1
      if (!isOfRun && !isLost()) return []
      // It has ended, and waits for its parent to notice; or waits for the end of the run itself.
      if (command === '' || command.startsWith('vitest-watchdog')) return []
      return [{ pid, command, at: startOf(pid) }]
    } catch {
      // It ended, or belongs to somebody else.
      return []
    }
  })
}

const ticksPerSecond = 100

/** Milliseconds since 1970. */
function startOf(pid: number): number {
  const ticks = Number(fieldsOf(pid)[19])
  const upSeconds = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  return Date.now() - (upSeconds - ticks / ticksPerSecond) * 1_000
}

function parentOf(pid: number): number {
  return Number(fieldsOf(pid)[1])
}

/** What the system tells of it, without its number and its name. */
function fieldsOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function listProcesses(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}
