/** How much memory a process and its descendants hold. Linux tells it in /proc; elsewhere it is not known. */
import { readFile } from 'node:fs/promises'

/** Past this the tree of processes is not followed. */
const mostProcesses = 256

/** Resident bytes in all; null where it cannot be told, and when the process is gone. */
export async function residentBytes(pid: number): Promise<number | null> {
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
