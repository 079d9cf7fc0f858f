/**
 * Files of a folder that others may write to, such as a checkout, reached step by step without following a link: whatever is
 * exchanged meanwhile, nothing outside of it is read or changed. On Linux each step begins in the folder that was opened before;
 * elsewhere what was opened is compared with what is there.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { mkdirUnlessThere, writeAll } from './durable.ts'
import { pathFrom } from './places.ts'

const {
  O_RDONLY,
  O_RDWR,
  O_WRONLY,
  O_CREAT,
  O_EXCL,
  O_NOFOLLOW = 0,
  O_DIRECTORY = 0,
  O_NONBLOCK = 0,
} = constants
/** A pipe does not hold us up. */
const careful = O_NOFOLLOW | O_NONBLOCK
const hasHandles = process.platform === 'linux'

/** `path` from `root`, with `/`. Null for what is not there, is no regular file, is behind a link, or is larger. */
export function readBelow(root: string, path: string, maxBytes: number): Buffer | null {
  let file: number | null = null
  try {
    file = openBelow(root, path)
    const { size } = fstatSync(file)
    return size <= maxBytes ? readAll(file, size) : null
  } catch {
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}

/** For reading, to be closed by the caller. Throws for all but a regular file that no link leads to. */
export function openBelow(root: string, path: string): number {
  return within(root, path, false, (folder, name) => openFile(folder, name, O_RDONLY))
}

/**
 * Writes to a path that somebody named, relative to `folder`. That may be a checkout whose author laid a link where a result is
 * likely to be written, so no link in it is followed and one in its place is replaced; a path that leads elsewhere is taken as it is.
 */
export function writeNamed(folder: string, typed: string, data: string | Uint8Array, mode = 0o666): void {
  const path = pathNamed(folder, typed)
  if (path === null) {
    writeFileSync(resolve(folder, typed), data, { mode })
    return
  }
  try {
    writeBelow(folder, path, data, { replace: true, mode, makes: false })
  } catch (error) {
    // It names the folder by its number.
    throw new Error((error as Error).message.replace(/'\/proc\/self\/.*/s, `'${typed}'`), { cause: error })
  }
}

/** Below `folder`; null for a path that leads elsewhere. */
export function pathNamed(folder: string, typed: string): string | null {
  return isAbsolute(typed) ? null : pathFrom(folder, resolve(folder, typed))
}

/** For writing and reading, to be closed by the caller. Its folders are made. Throws when anything is there, a link too. */
export function createBelow(root: string, path: string, mode: number): number {
  return within(root, path, true, (folder, name) =>
    openSync(join(folder, name), O_RDWR | O_CREAT | O_EXCL | careful, mode),
  )
}

/** Its folders are made. Whole or not at all; a link in its place is replaced. `mode`: as far as the user's mask allows it. */
export function writeBelow(
  root: string,
  path: string,
  data: string | Uint8Array,
  { replace = false, mode = 0o666, makes = true } = {},
): void {
  within(root, path, makes, (folder, name) => {
    const draft = `.${randomBytes(6).toString('hex')}.draft`
    const file = openSync(join(folder, replace ? draft : name), O_WRONLY | O_CREAT | O_EXCL | careful, mode)
    try {
      writeAll(file, typeof data === 'string' ? Buffer.from(data) : data)
      if ((mode & 0o111) !== 0) fchmodSync(file, mode)
    } finally {
      closeSync(file)
    }
    if (replace) renameSync(join(folder, draft), join(folder, name))
  })
}

/** The folders of a file that is to be written. Throws where it could not be. */
export function prepareBelow(root: string, path: string): void {
  within(root, path, true, () => {})
}

/** A file that is there keeps its owner and rights. Throws when it is no longer as `expected`, or has another name too. */
export function rewriteBelow(root: string, path: string, expected: string, text: string): void {
  within(root, path, false, (folder, name) => {
    const file = openFile(folder, name, O_RDWR)
    try {
      const { size, nlink } = fstatSync(file)
      if (nlink > 1) throw new Error('it is linked to from elsewhere (a hard link)')
      if (!readAll(file, size).equals(Buffer.from(expected))) throw new Error('it was changed meanwhile')
      ftruncateSync(file)
      writeAll(file, Buffer.from(text))
    } finally {
      closeSync(file)
    }
  })
}

export function removeBelow(root: string, path: string): void {
  within(root, path, false, (folder, name) => unlinkSync(join(folder, name)))
}

/** Throws for a folder on the way that is a link. */
function within<Result>(
  root: string,
  path: string,
  makes: boolean,
  work: (folder: string, name: string) => Result,
): Result {
  const steps = path.split('/')
  const name = steps.pop() ?? ''
  let here = hasHandles ? openFolder(root) : realpathSync(root)
  try {
    for (const step of steps) {
      const next = join(placeOf(here), step)
      if (makes) mkdirUnlessThere(next)
      const found = lstatSync(next)
      if (found.isSymbolicLink()) throw new Error(`${step} is a symbolic link, and links are not followed`)
      if (!found.isDirectory()) throw new Error(`${step} is not a folder`)
      const before = here
      here = typeof before === 'number' ? openFolder(next, O_NOFOLLOW) : next
      if (typeof before === 'number') closeSync(before)
    }
    return work(placeOf(here), name)
  } finally {
    if (typeof here === 'number') closeSync(here)
  }
}

/** A folder that is open is that folder, whatever its path leads to by now. */
function placeOf(folder: number | string): string {
  return typeof folder === 'number' ? `/proc/self/fd/${folder}` : folder
}

function openFolder(path: string, flags = 0): number {
  return openSync(path, O_RDONLY | O_DIRECTORY | flags)
}

function openFile(folder: string, name: string, flags: number): number {
  const path = join(folder, name)
  const file = openSync(path, flags | careful)
  if (fstatSync(file).isFile() && (hasHandles || isThere(file, path))) return file
  closeSync(file)
  throw new Error(`${name} is not a regular file, and links are not followed`)
}

function isThere(file: number, path: string): boolean {
  const [opened, found] = [fstatSync(file), lstatSync(path)]
  return opened.ino === found.ino && opened.dev === found.dev && realpathSync(dirname(path)) === dirname(path)
}

function readAll(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let at = 0
  for (let read = -1; at < size && read !== 0; at += read) read = readSync(file, bytes, at, size - at, at)
  return bytes.subarray(0, at)
}
