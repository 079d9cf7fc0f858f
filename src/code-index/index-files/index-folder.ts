/**
 * A folder of index files. A file appears under its name only when it is whole on disk, so a process that dies, or two
 * that write the same, leave nothing half-written. Nothing here throws: what cannot be kept is built again, and a write
 * that fails says why.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { draftEnding, writeWhole } from '../../base/durable.ts'

export type StoredFile = { name: string; bytes: number; usedMs: number }

/** Files that no question used for so long are removed. */
export const unusedForMs = 30 * 24 * 3600 * 1000

/** A file that was only just written may be a draft, or about to be named by another one. */
export const justWrittenMs = 3600 * 1000

/** A file used again so soon keeps its stamp: stamps are for days. */
const stampEveryMs = 60_000

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

  pathOf(name: string): string {
    return join(this.path, name)
  }

  /** Null when there is no such file, or it cannot be read. Marks it as used. */
  read(name: string): Buffer | null {
    try {
      const bytes = readFileSync(this.pathOf(name))
      this.touch(name)
      return bytes
    } catch {
      return null
    }
  }

  /** Null when the file is on disk; else why not. */
  write(name: string, bytes: Uint8Array): string | null {
    try {
      writeWhole(this.pathOf(name), bytes, { replace: true })
      this.touch(name)
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  /** Every file whose name ends so, by last use, newest first; then by name. Empty when the folder cannot be read. */
  list(ending = ''): StoredFile[] {
    try {
      return readdirSync(this.path)
        .filter((name) => name.endsWith(ending))
        .flatMap((name) => this.stat(name) ?? [])
        .sort((a, b) => b.usedMs - a.usedMs || (a.name < b.name ? -1 : 1))
    } catch {
      return []
    }
  }

  stat(name: string): StoredFile | null {
    try {
      const { size, mtimeMs } = statSync(this.pathOf(name))
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
      utimesSync(this.pathOf(name), now / 1000, now / 1000)
    } catch {
      // Then it is removed the sooner.
    }
  }

  remove(name: string): void {
    removeQuietly(this.pathOf(name))
  }

  /** Removes the files with this ending that are no longer used, and drafts of writers that were killed. */
  removeUnused(ending: string): void {
    const now = this.now()
    for (const { name, usedMs } of this.list(ending)) if (now - usedMs > unusedForMs) this.remove(name)
    for (const { name, usedMs } of this.list(draftEnding)) if (now - usedMs > justWrittenMs) this.remove(name)
  }
}

/** The name that bytes are stored under: two processes that make the same file write it under one name. */
export function nameFor(bytes: Uint8Array, ending: string): string {
  return `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}${ending}`
}

/** Whether a name is that of an earlier version, by the numbers in both names from left to right. */
export function isOlderVersion(name: string, current: string): boolean {
  const [theirs, ours] = [numbersIn(name), numbersIn(current)]
  if (theirs.length === 0) return false
  for (const [at, number] of ours.entries()) if (theirs[at] !== number) return (theirs[at] ?? 0) < number
  return false
}

/**
 * Removes the folders of earlier versions, named alike, that were not written to for long. Those of later versions stay,
 * however old.
 */
export function removeOldVersions(folder: string, prefix: string, current: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(prefix) || !isOlderVersion(name, current)) continue
      const path = join(folder, name)
      if (Date.now() - statSync(path).mtimeMs > unusedForMs) removeQuietly(path)
    }
  } catch {
    // The next one tries again.
  }
}

function numbersIn(name: string): number[] {
  return [...name.matchAll(/\d+/g)].map(([digits]) => Number(digits))
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Not ours to remove; the next one tries again.
  }
}
