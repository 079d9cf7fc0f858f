/** A lock among processes: a file that names its holder. One whose holder no longer runs is broken by the next taker. */
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { sha256 } from './canonical-json.ts'
import { codeOf, privateFile, remove } from './durable.ts'
import { ownerMayBeRunning, ownMark } from './process-mark.ts'

const everyMs = 100

/** Waits until the lock is free, and returns what frees it again. Throws as the signal says, and what writing throws. */
export async function takeLock(path: string, signal: AbortSignal): Promise<() => void> {
  for (;;) {
    signal.throwIfAborted()
    const free = tryLock(path)
    if (free) return free
    await delay(everyMs, undefined, { signal })
  }
}

/** Null when another one holds it. `longestMs`: what no holder takes; an older lock is abandoned, whoever's it is. */
export function tryLock(path: string, longestMs = Infinity): (() => void) | null {
  const own = ownMarkOnce()
  if (create(path, own)) return () => remove(path)
  breakAbandoned(path, longestMs)
  return create(path, own) ? () => remove(path) : null
}

/** Whole from the first moment, so that a lock is never without the name of its holder. */
function create(path: string, mark: string): boolean {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  writeFileSync(draft, mark, { flag: 'wx', mode: privateFile })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return false
  } finally {
    remove(draft)
  }
}

/**
 * Several takers may see the same dead holder, and a slow one must not remove the lock that a quick one has taken since.
 * So only the holder of a second lock, which is about this very mark, may remove it, and looks again first.
 */
function breakAbandoned(path: string, longestMs: number): void {
  const mark = markIn(path)
  if (mark === null || (ownerMayBeRunning(mark) && ageOf(path) <= longestMs)) return
  const right = `${path}.broken-${sha256(mark).slice(0, 16)}`
  if (!create(right, ownMarkOnce())) {
    breakAbandoned(right, longestMs)
    return
  }
  try {
    if (markIn(path) === mark) remove(path)
  } finally {
    remove(right)
  }
}

function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
}

/** Two holds of one process differ, too. */
function ownMarkOnce(): string {
  return `${ownMark()} ${randomBytes(8).toString('hex')}\n`
}

function markIn(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}
