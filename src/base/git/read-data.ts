/** Reads small files of a foreign git directory as data: regular files only, up to a cap, never a device or pipe. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'

/** The file's bytes, or null when it is absent, not a regular file, unreadable or larger than `maxBytes`. */
export function readData(path: string, maxBytes: number): Buffer | null {
  let file: number | null = null
  try {
    // What was opened is looked at: what lies there may be another thing a moment later. A pipe does not hold us up.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stat = fstatSync(file)
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(file) : null
  } catch {
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}

/** Copies a regular file up to the cap; false when there was nothing (fit) to copy. */
export function copyData(from: string, to: string, maxBytes: number): boolean {
  const bytes = readData(from, maxBytes)
  if (bytes === null) return false
  try {
    writeFileSync(to, bytes)
    return true
  } catch {
    return false
  }
}

/** What is there, symbolic links followed; null when there is nothing or it cannot be reached. Never throws. */
export function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/** As `statOrNull`, of a symbolic link itself. */
export function linkStatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

export function isFolder(path: string): boolean {
  return statOrNull(path)?.isDirectory() ?? false
}
