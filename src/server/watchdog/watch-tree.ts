/**
 * Holds a process and all that it starts to limits of time, processor and memory. Whatever it reads is foreign, so it is
 * not asked to stop: its whole tree is killed.
 */
import { cpuSeconds, descendants, killTree, privateBytes } from '../../base/process-tree.ts'

export type TreeLimits = {
  /** From its start. */
  minutes: number
  /** Of the processor, by all of the tree together, also what has ended. */
  cpuMinutes: number
  /** Private memory of the tree; what processes share is not counted. */
  megabytes: number
}

export type Watch = {
  /** The limit that was exceeded, as a clause; null so far. */
  readonly overrun: string | null
  /** The most that was seen. */
  readonly peak: { megabytes: number; cpuSeconds: number }
  stop(): void
}

const everyMs = 500

/** Until `stop`. On systems that do not tell what processes use, only time is limited. */
export function watchTree(pid: number, limits: TreeLimits): Watch {
  const startedAt = performance.now()
  const peak = { megabytes: 0, cpuSeconds: 0 }
  const ended = new Map<number, number>()
  let overrun: string | null = null
  const timer = setInterval(() => {
    const tree = [pid, ...descendants(pid)]
    for (const one of tree) ended.set(one, Math.max(cpuSeconds(one) ?? 0, ended.get(one) ?? 0))
    const bytes = tree.reduce((sum, one) => sum + (privateBytes(one) ?? 0), 0)
    peak.megabytes = Math.max(peak.megabytes, bytes / 2 ** 20)
    peak.cpuSeconds = [...ended.values()].reduce((sum, seconds) => sum + seconds, 0)
    const minutes = (performance.now() - startedAt) / 60_000
    overrun ??= exceeded(limits, { minutes, cpuMinutes: peak.cpuSeconds / 60, megabytes: bytes / 2 ** 20 })
    if (overrun !== null) killTree(pid)
  }, everyMs)
  return {
    get overrun() {
      return overrun
    },
    peak,
    stop: () => clearInterval(timer),
  }
}

function exceeded(limits: TreeLimits, used: TreeLimits): string | null {
  if (used.megabytes > limits.megabytes) return `it needed more than ${limits.megabytes} MB of memory`
  if (used.cpuMinutes > limits.cpuMinutes)
    return `it used the processor for more than ${limits.cpuMinutes} minutes`
  return used.minutes > limits.minutes ? `it took longer than ${limits.minutes} minutes` : null
}
