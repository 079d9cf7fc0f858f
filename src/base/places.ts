/** Folders and paths of this machine, by the rules of its system. Tests pass the rules of another one. */
import nodePath, { type PlatformPath } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The absolute folders of a PATH: a relative one would offer programs of whatever folder we work in. */
export function absoluteFolders(path: string, rules: PlatformPath = nodePath): string[] {
  return path.split(rules.delimiter).filter((folder) => rules.isAbsolute(folder))
}

/** Whether a path is a folder or lies in it. Both are absolute. */
export function isInside(path: string, folder: string, rules: PlatformPath = nodePath): boolean {
  const way = rules.relative(folder, path)
  // From one drive to another there is no relative way.
  return way === '' || (way !== '..' && !way.startsWith(`..${rules.sep}`) && !rules.isAbsolute(way))
}

/** A path in the repository as git names it; null for one outside. `root` and `path` are absolute. */
export function pathFrom(root: string, path: string, rules: PlatformPath = nodePath): string | null {
  return isInside(path, root, rules) ? rules.relative(root, path).replaceAll(rules.sep, '/') : null
}

/** The path that a `file:` URI names; null for any other, and for one that names no path here. */
export function filePathOf(uri: string): string | null {
  try {
    return fileURLToPath(uri)
  } catch {
    return null
  }
}
