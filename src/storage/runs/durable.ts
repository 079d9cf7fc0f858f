/** Writing to disk so that what was said to be written is there after a power cut, or is not there at all. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

export const privateFolder = 0o700
export const privateFile = 0o600

export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: privateFolder })
}

/** The whole file or none of it. `replace` false keeps a file that is there already. */
export function writeWhole(path: string, bytes: Uint8Array, { replace }: { replace: boolean }): void {
  makeFolder(dirname(path))
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.draft`
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
  if (replace) renameSync(draft, path)
  else {
    try {
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        // A file system without hard links: renaming is as safe, and replaces by the same content.
        renameSync(draft, path)
        syncFolder(dirname(path))
        return
      }
    }
    remove(draft)
  }
  syncFolder(dirname(path))
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

export function remove(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
