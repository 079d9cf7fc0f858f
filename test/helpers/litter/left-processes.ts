/** Programs that tests started and that outlive the run: they have the run's own folder in their environment. */
import { readdirSync, readFileSync } from 'node:fs'

export type LeftProcess = { pid: number; command: string; at: number }

/** Those of this user; none where the system does not tell. */
export function findLeftProcesses(own: string): LeftProcess[] {
  return listProcesses().flatMap((pid) => {
    if (pid === process.pid) return []
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(own)) return []
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
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
  const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')
  // The twenty-second field, of which this is without the first two.
  const ticks = Number(afterName.split(' ')[19])
  const upSeconds = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  return Date.now() - (upSeconds - ticks / ticksPerSecond) * 1_000
}

function listProcesses(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}
