/** Reads small files of a foreign git directory as data: regular files only, up to a cap, never a device or pipe. */
import { copyFileSync, readFileSync, statSync } from 'node:fs'

/** The file's bytes, or null when it is absent, not a regular file, unreadable or larger than `maxBytes`. */
export function readData(path: string, maxBytes: number): Buffer | null {
  try {
    const stat = statSync(path)
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(path) : null
  } catch {
    return null
  }
}

/** Copies a regular file up to the cap; false when there was nothing (fit) to copy. */
export function copyData(from: string, to: string, maxBytes: number): boolean {
  try {
    const stat = statSync(from)
    if (!stat.isFile() || stat.size > maxBytes) return false
    copyFileSync(from, to)
    return true
  } catch {
    return false
  }
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
