/**
 * Locks of collectors that were killed. A collector has a process table of its own, so that it cannot tell whether the
 * holder of a lock still runs; the worker outside can.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tryLock } from '../../base/file-lock.ts'

const everyMs = 2_000

/** Frees what dead processes of this machine hold in `folder`, now and until it is stopped. */
export function freeAbandonedLocks(folder: string): () => void {
  const sweep = () => {
    try {
      // Taking a lock breaks one whose holder is dead, and never one that is held.
      for (const name of readdirSync(folder)) if (name.endsWith('.lock')) tryLock(join(folder, name))?.()
    } catch {
      // There is no such folder yet, or somebody removed a lock just now.
    }
  }
  sweep()
  const timer = setInterval(sweep, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
