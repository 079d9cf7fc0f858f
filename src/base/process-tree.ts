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
  // The name is in brackets and may hold anything; behind it the 12th and 13th field count in hundredths of a second.
  const fields = words.slice(words.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Whether a process waits for something other than a disk; false where the system does not say. */
export function isAsleep(pid: number): boolean {
  return /^State:\s+S/m.test(readProc(`/proc/${pid}/status`) ?? '')
}

/** Past this a tree is not followed to be measured, so that a fork bomb does not hold up whoever watches it. */
const mostMeasured = 256

/** Resident bytes of a process and its descendants together; null if the system does not say, or it has ended. */
export function residentBytesOfTree(root: number): number | null {
  return [root, ...descendants(root, mostMeasured)].reduce<number | null>((sum, pid) => {
    const bytes = residentBytes(pid)
    return bytes === null ? sum : (sum ?? 0) + bytes
  }, null)
}

/** Whether a process can be started as the leader of a group (`detached`), which `killGroup` ends as one. */
export const hasProcessGroups = process.platform !== 'win32'

/**
 * Ends a process that leads a group, and the group with it, whoever in it still lives. What has ended already, and what
 * could not be started, is no error.
 */
export function killGroup({ pid }: { readonly pid?: number | undefined }): void {
  if (pid !== undefined) endProcess(hasProcessGroups ? -pid : pid)
}

/**
 * Ends a process and all that it started, whatever groups they are in. The tree is read first, since what it started gets
 * another parent when it ends. Whoever leads a group takes it along, with what was started since the tree was read.
 * What has ended already is no error.
 */
export function killTree(pid: number): void {
  for (const one of [pid, ...descendants(pid)]) {
    killGroup({ pid: one })
    endProcess(one)
  }
}

/** At once. That it has ended already is no error. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

/** All processes that it started, and those that they started; at most `most` of them. */
export function descendants(root: number, most = Number.POSITIVE_INFINITY): number[] {
  const found = new Set<number>()
  const waiting = [root]
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop())
    for (const child of childrenOf(pid))
      if (!found.has(child) && found.size < most) {
        found.add(child)
        waiting.push(child)
      }
  return [...found]
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

/** Null once the process has ended, and where the system does not tell. */
export function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}
