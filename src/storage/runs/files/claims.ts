/**
 * What running processes say of themselves. Beside the log of a run lies the mark of its process, which tells a run that is
 * on from one that was killed. And who is asking what right now, so that runs of the same change that go on side by side ask each question once: a file
 * for each request that is out, with the mark of the process that waits for its answer. It saves money, and nothing
 * relies on it: where it cannot be written, or two get hold of one, the question is asked twice.
 */
import { randomBytes } from 'node:crypto'
import { linkSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, draftEnding, makeFolder, remove, writeWhole } from '../../../base/durable.ts'
import { ownerMayBeRunning, ownMark } from '../../../base/process-mark.ts'

const ending = '.claim'

/** Marks of this process that could not be removed: what they claim is over. */
const over = new Set<string>()

export class Claims {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** False while a process that may be running has it. What a dead one left is taken over. Never throws. */
  take(key: string, run: string): boolean {
    try {
      makeFolder(this.folder)
      const held = readMark(this.pathOf(key))
      if (held !== null) {
        if (!over.has(held) && ownerMayBeRunning(held)) return false
        this.removeDead(key, held)
      }
      return this.create(key, `${ownMark()} ${run}\n`)
    } catch {
      return true
    }
  }

  /** Only what `run` took. Never throws: for others, a claim that cannot be removed ends with its process. */
  release(key: string, run: string): void {
    const mark = `${ownMark()} ${run}\n`
    try {
      const path = this.pathOf(key)
      if (readMark(path) === mark) remove(path)
    } catch {
      over.add(mark)
    }
  }

  /** Of processes that ended without a word, and of other machines after `limit` (milliseconds since 1970). */
  sweep(limit: number): void {
    for (const name of listFiles(this.folder)) {
      if (!name.endsWith(ending)) continue
      const path = join(this.folder, name)
      const held = readMark(path)
      const isOld = (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) <= limit
      if (held === null || isOld || !ownerMayBeRunning(held)) remove(path)
    }
  }

  pathOf(key: string): string {
    return join(this.folder, key + ending)
  }

  /** The whole file or none: who reads it finds a mark in it. False when somebody was faster. */
  private create(key: string, mark: string): boolean {
    const path = this.pathOf(key)
    const draft = `${path}.${randomBytes(6).toString('hex')}${draftEnding}`
    writeWhole(draft, Buffer.from(mark), { replace: true })
    try {
      linkSync(draft, path)
      return true
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw error
    } finally {
      remove(draft)
    }
  }

  /** Laid aside first and looked at again: another one may have taken it over in between. */
  private removeDead(key: string, seen: string): void {
    const path = this.pathOf(key)
    const aside = `${path}.${randomBytes(6).toString('hex')}${draftEnding}`
    try {
      renameSync(path, aside)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return
      throw error
    }
    try {
      if (readMark(aside) !== seen) linkSync(aside, path)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    } finally {
      remove(aside)
    }
  }
}

function readMark(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

export function markRunning(folder: string, name: string): void {
  writeWhole(markPath(folder, name), Buffer.from(`${ownMark()}\n`), { replace: true })
}

export function unmarkRunning(folder: string, name: string): void {
  remove(markPath(folder, name))
}

/** Of another machine that shares the folder nothing is known; its run counts as on until its mark is removed. */
export function isRunning(folder: string, name: string): boolean {
  try {
    return ownerMayBeRunning(readMark(markPath(folder, name)) ?? '')
  } catch {
    return false
  }
}

function markPath(folder: string, name: string): string {
  return join(folder, `${name}.pid`)
}
