/** The index on disk: immutable files that are written beside their place and then moved there. */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../../base/canonical-json.ts'

const forgottenAfterMs = 30 * 24 * 3600 * 1000
const touchedAfterMs = 24 * 3600 * 1000
/** A file half written by a process that was killed goes after this. */
const abandonedAfterMs = 3600 * 1000

let written = 0

/** One folder of files whose names all end alike. Nothing here throws: what cannot be kept is built again. */
export class ChunkFolder {
  readonly path: string
  private readonly ending: string

  constructor(path: string, ending: string) {
    this.path = path
    this.ending = ending
  }

  pathOf(name: string): string {
    return join(this.path, name)
  }

  /** Names, those used last first, then in order of names; at most so many. */
  names(most: number): string[] {
    return this.entries()
      .sort((a, b) => b.usedMs - a.usedMs || (a.name < b.name ? -1 : 1))
      .slice(0, most)
      .map(({ name }) => name)
  }

  /** Says that a file is of use, so that it is not forgotten. */
  touch(name: string): void {
    try {
      const now = Date.now()
      if (now - statSync(this.pathOf(name)).mtimeMs > touchedAfterMs)
        utimesSync(this.pathOf(name), now / 1000, now / 1000)
    } catch {
      // Gone meanwhile: whoever needs it builds it again.
    }
  }

  /** The name under which it can be read from now on, by whomever; null when it could not be kept. */
  add(bytes: Uint8Array, name = `${sha256(bytes).slice(0, 32)}${this.ending}`): string | null {
    const beside = this.pathOf(`${name}.${process.pid}-${written++}.tmp`)
    try {
      mkdirSync(this.path, { recursive: true, mode: 0o700 })
      writeFileSync(beside, bytes, { mode: 0o600, flag: 'wx' })
      renameSync(beside, this.pathOf(name))
      return name
    } catch {
      remove(beside)
      return null
    }
  }

  /** Removes what nobody has used for thirty days, and what was left half written. */
  tidy(): void {
    const now = Date.now()
    for (const { name, usedMs } of this.entries('.tmp'))
      if (now - usedMs > abandonedAfterMs) remove(this.pathOf(name))
    for (const { name, usedMs } of this.entries())
      if (now - usedMs > forgottenAfterMs) remove(this.pathOf(name))
  }

  private entries(ending = this.ending): { name: string; usedMs: number }[] {
    try {
      return readdirSync(this.path)
        .filter((name) => name.endsWith(ending))
        .flatMap((name) => {
          const found = statSync(this.pathOf(name), { throwIfNoEntry: false })
          return found?.isFile() ? [{ name, usedMs: found.mtimeMs }] : []
        })
    } catch {
      return []
    }
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Not ours to remove; the next one tries again.
  }
}

/** Removes folders of other versions, named alike, that nobody has written to for thirty days. */
export function forgetOldVersions(cacheFolder: string, prefix: string, current: string): void {
  try {
    for (const name of readdirSync(cacheFolder)) {
      if (!name.startsWith(prefix) || name === current) continue
      const { mtimeMs } = statSync(join(cacheFolder, name))
      if (Date.now() - mtimeMs > forgottenAfterMs)
        rmSync(join(cacheFolder, name), { recursive: true, force: true })
    }
  } catch {
    // The next one tries again.
  }
}
