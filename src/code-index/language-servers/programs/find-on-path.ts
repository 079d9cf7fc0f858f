/** Finds programs on the PATH, and never one that a repository could have put there. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, relative, sep } from 'node:path'
import type { Surroundings } from '../contract.ts'

/**
 * The first program of this name in an absolute folder of the PATH, or null. Left out are `node_modules/.bin` folders,
 * which package runners put first, and whatever lies in the repository or leads into it.
 */
export function findOnPath(
  name: string,
  { environment, foreignFolders }: Pick<Surroundings, 'environment' | 'foreignFolders'>,
): string | null {
  const endings = process.platform === 'win32' ? ['.exe'] : ['']
  for (const folder of trustedFolders(environment.PATH ?? '', foreignFolders))
    for (const ending of endings) {
      const candidate = join(folder, `${name}${ending}`)
      if (isProgram(candidate) && !leadsInto(candidate, foreignFolders)) return candidate
    }
  return null
}

/** The folders of a PATH in which programs may be looked for. */
export function trustedFolders(path: string, foreignFolders: readonly string[]): string[] {
  return path
    .split(delimiter)
    .filter(
      (folder) =>
        isAbsolute(folder) &&
        !folder.split(/[\\/]/).includes('node_modules') &&
        !leadsInto(folder, foreignFolders),
    )
}

function leadsInto(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isInside(path, folder) || isInside(realOf(path), realOf(folder)))
}

/** Whether a path is a folder or lies in it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Where the links of a path lead; itself when that cannot be found out. */
export function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
