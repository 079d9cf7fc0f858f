/** Writing to disk so that what was said to be written is there after a power cut, or is not there at all. */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isOurs } from '../../bin/compile-cache.js'

export const privateFolder = 0o700
export const privateFile = 0o600

/** What a killed writer leaves behind ends so. */
export const draftEnding = '.draft'

/** In this process. Each job of a server has folders: past so many, all are looked at again. */
const knownAsOurs = new Set<string>()
const mostKnown = 1_000

/**
 * A folder that is this user's alone: nobody else can enter it, or exchange a folder above it, so what is done in it cannot be
 * led elsewhere by a link. Everything that is kept lies in such folders. Throws for one that others may write to.
 */
export function makeFolder(folder: string): void {
  makeLevels(folder)
  if (knownAsOurs.has(folder)) return
  if (!isOurs(folder))
    throw new Error(
      `${folder}: other users may write to it or to a folder above it (chmod go-w), or it is not yours`,
    )
  const stat = statSync(folder)
  if (!stat.isDirectory()) throw new Error(`${folder} is not a folder`)
  if (process.getuid && (stat.mode & 0o077) !== 0) chmodSync(folder, privateFolder)
  if (knownAsOurs.size >= mostKnown) knownAsOurs.clear()
  knownAsOurs.add(folder)
}

/** One level after the other: only so is each new name on disk, and a file system that takes none says so. */
function makeLevels(folder: string): void {
  try {
    mkdirSync(folder, { mode: privateFolder })
  } catch (error) {
    const parent = dirname(folder)
    if (codeOf(error) === 'EEXIST') return
    if (codeOf(error) !== 'ENOENT' || parent === folder) throw error
    makeLevels(parent)
    mkdirUnlessThere(folder, privateFolder)
  }
  syncFolder(dirname(folder))
}

/** The whole file or none of it. `replace` false keeps a file that is there already. */
export function writeWhole(path: string, bytes: Uint8Array, { replace }: { replace: boolean }): void {
  const folder = dirname(path)
  makeFolder(folder)
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}${draftEnding}`
  writeDraft(draft, bytes)
  if (replace || !linked(draft, path)) renameSync(draft, path)
  else remove(draft)
  syncFolder(folder)
}

/** A name is on disk only when its folder is. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders; there the file system's own log has to do.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at)
}

/** What is gone already is no fault. */
export function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

function writeDraft(draft: string, bytes: Uint8Array): void {
  const file = openSync(draft, 'wx', privateFile)
  try {
    writeAll(file, bytes)
    fsyncSync(file)
  } catch (error) {
    closeSync(file)
    remove(draft)
    throw error
  }
  closeSync(file)
}

/** False on a file system without hard links, where renaming is as safe: what is replaced has the same content. */
function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    return codeOf(error) === 'EEXIST'
  }
}

/** `mode`: 0o777 when not given. */
export function mkdirUnlessThere(folder: string, mode = 0o777): void {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
