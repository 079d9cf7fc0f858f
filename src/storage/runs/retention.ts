/** Removes runs that are older than they are to be kept, and then what no run refers to any more. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { remove, writeWhole } from './durable.ts'
import type { RunStore } from './run-store.ts'
import { listRunNames, logPath, objectNames, openStoredRun, pidPath } from './stored-run.ts'

const day = 24 * 60 * 60 * 1000
/** What was written this lately may belong to a run that has not said so yet. */
const grace = day

export type Swept = { runs: number; objects: number; answers: number }

/** At most once a day, unless `now` says that it is time anyway. Never throws: what cannot be removed stays. */
export function sweepDaily(store: RunStore, keepDays: number, now: Date): Swept | null {
  try {
    const mark = join(store.folder, 'SWEPT')
    const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (now.getTime() - last < day) return null
    writeWhole(mark, Buffer.from(now.toISOString()), { replace: true })
    return sweep(store, keepDays, now)
  } catch {
    return null
  }
}

/** Runs of `keepDays` days and more go; 0 keeps none but those that are on. */
export function sweep(store: RunStore, keepDays: number, now: Date): Swept {
  const swept: Swept = { runs: 0, objects: 0, answers: 0 }
  const needed = new Set<string>()
  for (const name of listRunNames(store.runs)) {
    const log = logPath(store.runs, name)
    const age = now.getTime() - (statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? now.getTime())
    const isOn = existsSync(pidPath(store.runs, name)) && age < grace
    if (!isOn && age >= keepDays * day) {
      remove(log)
      remove(pidPath(store.runs, name))
      swept.runs++
      continue
    }
    try {
      for (const object of objectNames(openStoredRun(store.runs, name).entries)) needed.add(object)
    } catch {
      // A log that cannot be read names nothing; it goes when its time has come.
    }
  }
  const limit = now.getTime() - (keepDays === 0 ? 0 : grace)
  for (const { path, name } of filesIn(join(store.folder, 'objects'), '.zst'))
    if (!needed.has(name) && isOlder(path, limit)) {
      remove(path)
      swept.objects++
    }
  for (const { path, name } of filesIn(join(store.folder, 'answers'), '.json')) {
    const answer = store.answers.find(name)
    if (answer !== null && store.objects.sizeOf(answer) > 0) continue
    if (!isOlder(path, limit)) continue
    remove(path)
    swept.answers++
  }
  return swept
}

function isOlder(path: string, limit: number): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) <= limit
}

/** `ab/cdef….zst` under the name `abcdef…`. */
function filesIn(folder: string, ending: string): { path: string; name: string }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) =>
    one.isDirectory()
      ? readdirSync(join(folder, one.name)).flatMap((file) =>
          file.endsWith(ending)
            ? [{ path: join(folder, one.name, file), name: `${one.name}${file.slice(0, -ending.length)}` }]
            : [],
        )
      : [],
  )
}
