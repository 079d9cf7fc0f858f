/** What a process and those it started are doing, as far as the system tells; only Linux tells it cheaply. */
import { readdirSync, readFileSync } from 'node:fs'

/** Resident bytes of one process; null if the system does not say, or the process has ended. */
export function residentBytes(pid: number): number | null {
  const words = readProc(`/proc/${pid}/status`)
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(words ?? '')?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

/** Of these, what no other process shares: counted over several processes, nothing is counted twice. */
export function privateBytes(pid: number): number | null {
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

/** Seconds of CPU that all threads of one process used so far; null if the system does not say, or the process has ended. */
export function cpuSeconds(pid: number): number | null {
  const words = readProc(`/proc/${pid}/stat`)
  if (words === null) return null
  // The name stands in brackets and may hold anything; behind it the 12th and 13th field count in hundredths.
  const fields = words.slice(words.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/**
 * Ends a process and all that it started, at once. The tree is read first: what is left of it afterwards belongs to
 * nobody. A process that is gone already is no fault.
 */
export function killTree(pid: number): void {
  for (const one of [pid, ...descendants(pid)])
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
}

/** Processes that it started, and those that they started, down to the last. */
export function descendants(root: number): number[] {
  const found: number[] = []
  const waiting = [root]
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const children = childrenOf(pid).filter((child) => !found.includes(child))
    found.push(...children)
    waiting.push(...children)
  }
  return found
}

function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) => {
    const words = readProc(`/proc/${pid}/task/${thread}/children`)?.split(' ') ?? []
    return words.filter((word) => /^\d+$/.test(word)).map(Number)
  })
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}
