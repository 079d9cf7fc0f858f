/**
 * Which process has a data folder. PGlite takes no lock, and two engines on one folder destroy it. The kernel holds this one
 * through SQLite and releases it when the process ends, however it ends, so that no file has to be judged stale.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type OwnerLock = { release(): void }

const busy = 5

/** Null while another process has the folder. Throws when the folder cannot be locked at all. */
export function takeOwnerLock(folder: string): OwnerLock | null {
  const lock = new DatabaseSync(join(folder, 'owner.lock'), { timeout: 0 })
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === busy) return null
    throw error
  }
  return { release: () => lock.close() }
}
