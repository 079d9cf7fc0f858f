/**
 * What was fetched of remote repositories, kept for the next review: a folder for each repository, which only this user may
 * enter. A review never reads a mirror itself. It gets hard links to the packs, so that fetching, packing and removal by
 * others go on beside it. Mirrors of several tenants lie in different folders.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../base/canonical-json.ts'
import { codeOf, makeFolder, privateFolder } from '../../base/durable.ts'
import { UserError } from '../../base/errors.ts'
import { takeLock, tryLock } from '../../base/file-lock.ts'
import { makePrivateFolder, type PrivateFolder } from '../../base/private-folders.ts'

export type Mirrors = {
  /** Waits while another process holds it. Throws an `Error` when the folder cannot be used, and as the signal says. */
  take(repository: MirroredRepository, signal: AbortSignal): Promise<Mirror>
  /** Removes all but these folders, unless another process holds one. */
  keepOnly(folders: readonly string[]): void
}

/** By the host's id, which a new name does not change and a new repository of the old name does not have. */
export type MirroredRepository = { webUrl: string; id: string }

export type Mirror = {
  /** Absolute. What is in it is from earlier reviews. */
  readonly folder: string
  /** An empty private folder, on the same file system. */
  makeView(): Promise<PrivateFolder>
  /** Runs `work` with nothing in the folder; what was in it comes back when `work` fails. */
  startOver<Result>(work: () => Promise<Result>): Promise<Result>
  /** Lets others have it, and removes the mirrors that were not used for longest when all are too large. */
  release(): Promise<void>
}

export type MirrorOptions = {
  /** All mirrors together. */
  mostBytes?: number
}

const defaultMostBytes = 8 * 2 ** 30

/** `folder` is made when it is first used. */
export function openMirrors(folder: string, { mostBytes = defaultMostBytes }: MirrorOptions = {}): Mirrors {
  return {
    async take({ webUrl, id }, signal) {
      makeFolder(folder)
      const path = mirrorFolder(folder, { webUrl, id })
      const free = await takeLock(`${path}.lock`, signal)
      try {
        makeFolder(path)
        utimesSync(path, new Date(), new Date())
      } catch (error) {
        free()
        throw error
      }
      return {
        folder: path,
        makeView: () => makePrivateFolder('view', folder),
        startOver: (work) => startOver(path, work),
        async release() {
          free()
          evict(folder, mostBytes)
        },
      }
    },
    keepOnly(folders) {
      for (const path of mirrorsIn(folder)) if (!folders.includes(path)) removeUnlessHeld(path)
    },
  }
}

export function mirrorFolder(folder: string, { webUrl, id }: MirroredRepository): string {
  return join(folder, sha256(`${webUrl} ${id}`).slice(0, 32))
}

/** A mirror for one review, where nothing is kept. */
export async function makeOnlyMirror(): Promise<Mirror> {
  const folder = await makePrivateFolder('fetch')
  return {
    folder: folder.path,
    makeView: () => makePrivateFolder('view'),
    startOver: (work) => startOver(folder.path, work),
    release: () => folder.remove(),
  }
}

/** All packs of a git directory, in another one. Throws `git-failed` for a pack that is not whole. */
export function linkPacks(from: string, to: string): void {
  const [packs, target] = [join(from, 'objects/pack'), join(to, 'objects/pack')]
  for (const name of readdirSync(packs)) {
    if (!/^pack-[0-9a-f]{40,64}\.\w+$/.test(name)) continue
    const path = join(packs, name)
    if (name.endsWith('.pack') && !isWhole(path))
      throw new UserError('git-failed', 'a pack that was fetched before is damaged')
    try {
      linkSync(path, join(target, name))
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      // Another file system, or one without hard links.
      copyFileSync(path, join(target, name), constants.COPYFILE_FICLONE)
    }
  }
}

async function startOver<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const aside = `${folder}.aside`
  rmSync(aside, { recursive: true, force: true })
  renameSync(folder, aside)
  mkdirSync(folder, { mode: privateFolder })
  try {
    const result = await work()
    rmSync(aside, { recursive: true, force: true })
    return result
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    renameSync(aside, folder)
    throw error
  }
}

/** A pack ends with its checksum, which its index repeats. */
function isWhole(pack: string): boolean {
  const index = `${pack.slice(0, -'.pack'.length)}.idx`
  const bytes = pack.length - pack.lastIndexOf('pack-') === 'pack-.pack'.length + 64 ? 32 : 20
  return existsSync(index) && tailOf(pack, bytes).equals(tailOf(index, bytes * 2).subarray(0, bytes))
}

function tailOf(path: string, bytes: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const tail = Buffer.alloc(bytes)
    readSync(file, tail, 0, bytes, Math.max(0, fstatSync(file).size - bytes))
    return tail
  } finally {
    closeSync(file)
  }
}

const mirrorName = /^[0-9a-f]{32}$/

/** One that is held now is used now, so it stays. */
function evict(folder: string, mostBytes: number): void {
  const mirrors = mirrorsIn(folder)
    .flatMap((path) => {
      const usedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs
      return usedMs === undefined ? [] : [{ path, usedMs, bytes: bytesIn(path) }]
    })
    .sort((a, b) => a.usedMs - b.usedMs)
  let total = mirrors.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { path, bytes } of mirrors) {
    if (total <= mostBytes) return
    if (removeUnlessHeld(path)) total -= bytes
  }
}

function removeUnlessHeld(path: string): boolean {
  const free = tryLock(`${path}.lock`)
  if (!free) return false
  try {
    rmSync(path, { recursive: true, force: true })
    return true
  } finally {
    free()
  }
}

function mirrorsIn(folder: string): string[] {
  return namesIn(folder).flatMap((name) => (mirrorName.test(name) ? [join(folder, name)] : []))
}

function bytesIn(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  return bytes
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
