/** Removes runs that are older than they are to be kept, and then what no run refers to any more. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { draftEnding, remove } from '../../../base/durable.ts'
import type { Swept } from '../contract.ts'
import { type Claims, isRunning, unmarkRunning } from './claims.ts'
import { type Answers, type Objects, touchedAt } from './objects.ts'

const day = 24 * 60 * 60 * 1000
/** What was touched this lately may belong to a run that has not said so yet. */
const grace = day

export type StoredFiles = {
  readonly folder: string
  readonly runs: string
  readonly objects: Objects
  readonly pointers: Answers
  readonly claims: Claims
  logPath(run: string): string
}

/** Runs of `keepDays` days and more go; 0 keeps none but those that are on. Other processes may write meanwhile. */
export function sweepFiles(store: StoredFiles, names: readonly string[], keepDays: number, now: Date): Swept {
  const { left, gone } = sweepRuns(store, names, keepDays, now)
  const needed = new Set(left.flatMap((name) => namesIn(store, name)))
  const isBusy = left.some((name) => isRunning(store.runs, name))
  // If nothing is kept and no other run is at work, there is no need to wait.
  const limit = keepDays === 0 && !isBusy ? Number.MAX_SAFE_INTEGER : now.getTime() - grace
  const objects = join(store.folder, 'objects')
  for (const { name } of filesIn(objects, '.zst.out')) store.objects.restore(name)
  const swept = filesIn(objects, '.zst').filter(
    ({ name }) => !needed.has(name) && store.objects.removeUntouched(name, limit),
  )
  const pointers = filesIn(join(store.folder, 'answers'), '.json').filter(
    ({ path, name }) =>
      touchedAt(path) <= limit &&
      !store.pointers.find(name).some((answer) => store.objects.sizeOf(answer) > 0),
  )
  store.claims.sweep(now.getTime() - grace)
  for (const { path } of [...pointers, ...oldDrafts(store.folder, now.getTime() - grace)]) remove(path)
  return { runs: gone, objects: swept.length, answers: pointers.length }
}

function sweepRuns(
  store: StoredFiles,
  names: readonly string[],
  keepDays: number,
  now: Date,
): { left: string[]; gone: number } {
  const left = names.filter((name) => {
    const age = now.getTime() - touchedAt(store.logPath(name))
    // A run of more than a day hangs, or its mark comes from another machine and will never be removed.
    const isOn = isRunning(store.runs, name) && age < grace
    return isOn || age < keepDays * day
  })
  for (const name of names) {
    if (left.includes(name)) continue
    remove(store.logPath(name))
    unmarkRunning(store.runs, name)
  }
  return { left, gone: names.length - left.length }
}

/** Whatever looks like the name of an object, since the log may be of another version, which can still read it. */
function namesIn(store: StoredFiles, name: string): string[] {
  return readFileSync(store.logPath(name), 'latin1').match(/\b[0-9a-f]{64}\b/g) ?? []
}

/** Of writers that were killed. */
function oldDrafts(folder: string, limit: number): { path: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(draftEnding))
    .map((name) => ({ path: join(folder, name) }))
    .filter(({ path }) => touchedAt(path) <= limit)
}

/** `ab/cdef….zst` under the name `abcdef…`, in order. */
function filesIn(folder: string, ending: string): { path: string; name: string }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((one) =>
    /^[0-9a-f]{2}$/.test(one)
      ? readdirSync(join(folder, one)).flatMap((file) =>
          file.endsWith(ending)
            ? [{ path: join(folder, one, file), name: `${one}${file.slice(0, -ending.length)}` }]
            : [],
        )
      : [],
  )
}
