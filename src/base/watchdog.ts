/**
 * Holds a process and all that it starts to limits of time, processor and memory, and ends it when its loop does not turn.
 * Whatever it reads is foreign, so it is not asked to stop: its whole tree is killed.
 */
import { cpuSeconds, descendants, killTree, privateBytes } from './process-tree.ts'

export type WatchLimits = {
  /** Of work without a word from it; four times as long when it gets almost no processor. */
  silentSeconds: number
  /** From its start. */
  minutes: number
  /** Of the processor, by all of the tree together, also what has ended. */
  cpuMinutes: number
  /** Private memory of the tree; what processes share is not counted. */
  megabytes: number
  /** At one time, of the tree. Without it, as many as the system gives. */
  processes?: number
}

/** Of a review, wherever it runs: a whole one within hours, on a machine that others share. */
export const reviewLimits: WatchLimits = { silentSeconds: 30, minutes: 240, cpuMinutes: 60, megabytes: 4096 }

export type Watch = {
  /** The limit that was exceeded, as a clause; null so far. */
  readonly overrun: string | null
  /** The most that was seen. */
  readonly peak: { megabytes: number; cpuSeconds: number }
  /** The process said something, so its loop turns. */
  heard(): void
  stop(): void
}

/** How often it looks, and how often a watched process says that its loop turns. */
export const beatMs = 500

/**
 * Until `stop`. On systems that do not tell what processes use, only time is limited. `pid`: undefined for a process that
 * could not be started, of which there is nothing to watch or to end. It looks every `everyMs`.
 */
export function watchProcess(pid: number | undefined, limits: WatchLimits, everyMs = beatMs): Watch {
  const startedAt = performance.now()
  const peak = { megabytes: 0, cpuSeconds: 0 }
  if (pid === undefined) return { overrun: null, peak, heard: () => {}, stop: () => {} }
  const ended = new Map<number, number>()
  let overrun: string | null = null
  let silentTurns = 0
  let cpuAtBeat = cpuSeconds(pid)
  const timer = setInterval(() => {
    const tree = [pid, ...descendants(pid)]
    for (const one of tree) ended.set(one, Math.max(cpuSeconds(one) ?? 0, ended.get(one) ?? 0))
    const bytes = tree.reduce((sum, one) => sum + (privateBytes(one) ?? 0), 0)
    peak.megabytes = Math.max(peak.megabytes, bytes / 2 ** 20)
    peak.cpuSeconds = [...ended.values()].reduce((sum, seconds) => sum + seconds, 0)
    overrun ??= exceeded(limits, {
      // Counted in turns of this loop: while both processes are suspended, neither of them is late.
      silentSeconds: heldSeconds((++silentTurns * everyMs) / 1000, cpuAtBeat, cpuSeconds(pid)),
      minutes: (performance.now() - startedAt) / 60_000,
      cpuMinutes: peak.cpuSeconds / 60,
      megabytes: bytes / 2 ** 20,
      processes: tree.length,
    })
    if (overrun !== null) killTree(pid)
  }, everyMs)
  return {
    get overrun() {
      return overrun
    },
    peak,
    heard() {
      silentTurns = 0
      cpuAtBeat = cpuSeconds(pid)
    },
    stop: () => clearInterval(timer),
  }
}

/** A process that waits its turn on a busy machine is silent as well: so much longer is it given when it barely runs. */
export const patienceWhenStarved = 4

/** How long an input has held the loop: in seconds of work where the system tells them, for one that works. */
function heldSeconds(silent: number, before: number | null, now: number | null): number {
  if (before === null || now === null) return silent
  return Math.max(Math.min(silent, now - before), silent / patienceWhenStarved)
}

function exceeded(limits: WatchLimits, used: Required<WatchLimits>): string | null {
  if (used.processes > (limits.processes ?? Infinity))
    return `it started more than ${limits.processes} processes`
  if (used.silentSeconds > limits.silentSeconds)
    return `something in its input kept it busy for more than ${limits.silentSeconds} s`
  if (used.megabytes > limits.megabytes) return `it needed more than ${limits.megabytes} MB of memory`
  if (used.cpuMinutes > limits.cpuMinutes)
    return `it used the processor for more than ${limits.cpuMinutes} minutes`
  return used.minutes > limits.minutes ? `it took longer than ${limits.minutes} minutes` : null
}

/** Signals with which the system ends what it cannot let go on, most likely for want of memory. */
const faults: readonly string[] = ['SIGABRT', 'SIGTRAP', 'SIGSEGV', 'SIGBUS', 'SIGILL']

/** As a limit that was exceeded, in a clause; null for a signal that came from outside. */
export function faultOf(signal: string | null): string | null {
  return signal !== null && faults.includes(signal)
    ? `the process ended with ${signal}, most likely because it ran out of memory`
    : null
}
