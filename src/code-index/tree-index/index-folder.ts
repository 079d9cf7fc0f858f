/**
 * The files of one repository's index. A file appears under its name only when it is whole on disk, so a process that
 * dies, or two that write the same, leave nothing half. Nothing here throws: what cannot be written is said.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

export type StoredFile = { name: string; bytes: number; usedMs: number }

/** Names of files that are still being written. */
export const temporary = /^\.writing-/

/** A file used again so soon keeps its stamp: stamps are for days. */
const stampEveryMs = 60_000

let written = 0

export class IndexFolder {
  readonly path: string
  private readonly now: () => number
  private readonly stamps: boolean

  /** `now`: milliseconds since 1970, for the stamps of last use. Without `stamps` reading counts as no use. */
  constructor(path: string, now: () => number = Date.now, { stamps = true } = {}) {
    this.path = path
    this.now = now
    this.stamps = stamps
  }

  /** Null when there is no such file, or it cannot be read. Marks it as used. */
  read(name: string): Buffer | null {
    try {
      const bytes = readFileSync(join(this.path, name))
      this.touch(name)
      return bytes
    } catch {
      return null
    }
  }

  /** Null when it stands on disk; else why not. */
  write(name: string, bytes: Uint8Array): string | null {
    const part = join(this.path, `.writing-${process.pid}-${written++}`)
    try {
      mkdirSync(this.path, { recursive: true, mode: 0o700 })
      const file = openSync(part, 'wx', 0o600)
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(part, join(this.path, name))
      this.touch(name)
      return null
    } catch (error) {
      this.drop(part)
      return error instanceof Error ? error.message : String(error)
    }
  }

  /** Every file, by last use, newest first; then by name. Empty when the folder cannot be read. */
  list(): StoredFile[] {
    try {
      return readdirSync(this.path)
        .flatMap((name) => this.stat(name) ?? [])
        .sort((a, b) => b.usedMs - a.usedMs || (a.name < b.name ? -1 : 1))
    } catch {
      return []
    }
  }

  stat(name: string): StoredFile | null {
    try {
      const { size, mtimeMs } = statSync(join(this.path, name))
      return { name, bytes: size, usedMs: mtimeMs }
    } catch {
      return null
    }
  }

  /** Marks a file as used now. */
  touch(name: string): void {
    if (!this.stamps) return
    const now = this.now()
    const before = this.stat(name)
    if (!before || Math.abs(now - before.usedMs) < stampEveryMs) return
    try {
      utimesSync(join(this.path, name), now / 1000, now / 1000)
    } catch {
      // Then it is collected the sooner.
    }
  }

  remove(name: string): void {
    this.drop(join(this.path, name))
  }

  private drop(path: string): void {
    try {
      rmSync(path, { force: true })
    } catch {
      // Whoever collects garbage next tries again.
    }
  }
}

/** The name that bytes are stored under: two processes that make the same file write it under one name. */
export function nameFor(bytes: Uint8Array, ending: string): string {
  return `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${ending}`
}
