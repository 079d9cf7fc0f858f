/** Brings a catalog up to date with the runs on record, a little at a time, so that a store of any size can be used at once. */
import { setImmediate as breathe } from 'node:timers/promises'
import { UserError } from '../../base/errors.ts'
import type { RunStore } from '../runs/contract.ts'
import { openStoredRun } from '../runs/stored-run.ts'
import type { Catalog, CataloguedRun } from './contract.ts'
import { describeRun } from './describe-run.ts'

export type Synced = {
  added: number
  removed: number
  /** Runs that cannot be read, such as those of another version. */
  unreadable: number
}

/** Runs that are read between two writes. */
const batch = 100

/**
 * Reads the runs that the catalog lacks, newest first, and those that may have changed, and removes those that the store
 * no longer has. Ends early, without a loss, when `signal` is aborted. Rejects when either cannot be used.
 */
export async function syncCatalog(
  store: Pick<RunStore, 'names' | 'read'>,
  catalog: Catalog,
  signal: AbortSignal,
): Promise<Synced> {
  const [stored, known, open] = [
    await store.names(),
    new Set(await catalog.names()),
    await catalog.names('unfinished'),
  ]
  const there = new Set(stored)
  const gone = [...known].filter((name) => !there.has(name))
  await catalog.remove(gone)
  const wanted = [
    ...new Set([...open.filter((name) => there.has(name)), ...stored.filter((name) => !known.has(name))]),
  ]
  const synced: Synced = { added: 0, removed: gone.length, unreadable: 0 }
  for (let at = 0; at < wanted.length && !signal.aborted; at += batch) {
    const read: CataloguedRun[] = []
    for (const name of wanted.slice(at, at + batch)) {
      const run = await catalogued(store, name)
      if (run) read.push(run)
      else synced.unreadable++
      // Whoever asks for a page meanwhile is answered.
      await breathe()
    }
    await catalog.put(read)
    synced.added += read.length
  }
  return synced
}

/** Null for one that cannot be read. */
async function catalogued(
  store: Pick<RunStore, 'names' | 'read'>,
  name: string,
): Promise<CataloguedRun | null> {
  try {
    return await describeRun(await openStoredRun(store, name))
  } catch (error) {
    if (error instanceof UserError && error.code.startsWith('run-un')) return null
    throw error
  }
}
