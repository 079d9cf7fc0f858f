/** Content by its SHA-256, compressed, written once and shared by all runs; and which of it answers which question. */
import { linkSync, readFileSync, renameSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { sha256 } from '../../../base/canonical-json.ts'
import { codeOf, remove, writeWhole } from '../../../base/durable.ts'

/** More than this is no object of ours: a bomb, or a fault. */
const largestObject = 512 * 1024 * 1024

/** An object on its way out. */
const outEnding = '.out'

export class Objects {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** It is on disk when this returns, and no sweeper takes it for old; what is there already is only touched. */
  put(name: string, content: string): void {
    const path = this.pathOf(name)
    if (this.isWhole(name) && touched(path)) return
    // Whatever lies there is not what its name says.
    writeWhole(path, zstdCompressSync(Buffer.from(content, 'utf8')), { replace: true })
  }

  /** Null when it is not there, or not what its name says. */
  get(name: string): string | null {
    // A sweeper may just have laid it aside and put it back a moment later.
    const bytes = read(this.pathOf(name)) ?? read(this.pathOf(name) + outEnding) ?? read(this.pathOf(name))
    if (!bytes) return null
    try {
      const content = zstdDecompressSync(bytes, { maxOutputLength: largestObject }).toString('utf8')
      return sha256(content) === name ? content : null
    } catch {
      return null
    }
  }

  /**
   * Removes an object that nobody touched since `limit` (milliseconds since 1970). It is laid aside first and then
   * looked at once more: who wants it in between either touched it, and it comes back, or finds it gone and writes it.
   */
  removeUntouched(name: string, limit: number): boolean {
    const path = this.pathOf(name)
    const out = path + outEnding
    try {
      if (touchedAt(path) > limit) return false
      renameSync(path, out)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    }
    const isWanted = touchedAt(out) > limit
    if (isWanted) putBack(out, path)
    remove(out)
    return !isWanted
  }

  /** Brings back what a sweeper that was killed had laid aside. */
  restore(name: string): void {
    const path = this.pathOf(name)
    putBack(path + outEnding, path)
    remove(path + outEnding)
  }

  /** Bytes on disk; 0 when it is not there. */
  sizeOf(name: string): number {
    return statSync(this.pathOf(name), { throwIfNoEntry: false })?.size ?? 0
  }

  pathOf(name: string): string {
    return join(this.folder, name.slice(0, 2), `${name.slice(2)}.zst`)
  }

  private isWhole(name: string): boolean {
    return this.sizeOf(name) > 0 && this.get(name) !== null
  }
}

function read(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

function touched(path: string): boolean {
  try {
    const now = new Date()
    utimesSync(path, now, now)
    return true
  } catch {
    return false
  }
}

export function touchedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
}

function putBack(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') renameSync(from, to)
  }
}

const objectName = z.string().regex(/^[0-9a-f]{64}$/)
/** `older`: newest first. */
const Pointer = z.object({ answer: objectName, older: z.array(objectName) })

/** So many earlier answers are remembered, should the newest be lost. */
const remembered = 3

/** Which objects answer a question, across all runs: what was paid for once is found again by whoever asks the same. */
export class Answers {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Names of objects, newest first. They need not be there: an answer is pointed at before it is written. */
  find(key: string): string[] {
    try {
      const { answer, older } = Pointer.parse(JSON.parse(readFileSync(this.pathOf(key), 'utf8')))
      return [answer, ...older]
    } catch {
      return []
    }
  }

  /** On disk when it returns. */
  point(key: string, answer: string): void {
    const others = this.find(key).filter((other) => other !== answer)
    const pointer = { answer, older: others.slice(0, remembered) }
    writeWhole(this.pathOf(key), Buffer.from(JSON.stringify(pointer)), { replace: true })
  }

  pathOf(key: string): string {
    return join(this.folder, key.slice(0, 2), `${key.slice(2)}.json`)
  }
}
