/** Reads small files of a foreign git directory as data: regular files only, up to a cap, never a device or pipe. */
import { copyFileSync, lstatSync, readFileSync, type Stats, statSync } from 'node:fs'

/** The file's bytes, or null when it is absent, not a regular file, unreadable or larger than `maxBytes`. */
export function readData(path: string, maxBytes: number): Buffer | null {
  try {
    return fits(path, maxBytes) ? readFileSync(path) : null
  } catch {
    return null
  }
}

/** Copies a regular file up to the cap; false when there was nothing (fit) to copy. */
export function copyData(from: string, to: string, maxBytes: number): boolean {
  try {
    if (!fits(from, maxBytes)) return false
    copyFileSync(from, to)
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

function fits(path: string, maxBytes: number): boolean {
  const stat = statOrNull(path)
  return stat?.isFile() === true && stat.size <= maxBytes
}
