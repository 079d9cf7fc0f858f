/**
 * The programs of language servers: found on the PATH, but never where a repository could have put them; started in a
 * clean environment; asked for their version.
 */
import { execFile } from 'node:child_process'
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { absoluteFolders, isInside } from '../../base/places.ts'
import { usePrivateFolder } from '../../base/private-folders.ts'
import type { Surroundings } from './contract.ts'

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
  return absoluteFolders(path).filter(
    (folder) => !folder.split(/[\\/]/).includes('node_modules') && !leadsInto(folder, foreignFolders),
  )
}

function leadsInto(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isInside(path, folder) || isInside(realOf(path), realOf(folder)))
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

// The environment of a server: built from nothing, with a home of its own, so that no key of the operator gets there.

/** `home` is a private folder. The PATH is empty: a server that must find programs gets it by `searchPath`. */
export function cleanEnvironment(home: string): Record<string, string> {
  const windows = ['SystemRoot', 'SystemDrive'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    PATH: '',
    HOME: home,
    USERPROFILE: home,
    APPDATA: home,
    LOCALAPPDATA: home,
    TMPDIR: home,
    TEMP: home,
    TMP: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: join(home, 'config'),
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    ...Object.fromEntries(windows),
  }
}

/** The operator's PATH without the folders of the repository. */
export function searchPath({
  environment,
  foreignFolders,
}: Pick<Surroundings, 'environment' | 'foreignFolders'>): string {
  return trustedFolders(environment.PATH ?? '', foreignFolders).join(delimiter)
}

// Asks a program for its version: whether it is there at all, and which one answers.

const mostTimeMs = 5_000
const mostBytes = 64 * 1024

/** The first thing in its output that looks like a version; `''` when there is none; null when it does not run. */
export async function askVersion(
  command: string,
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  const output = await usePrivateFolder('probe', (home) =>
    run(command, flags, home, { ...cleanEnvironment(home), ...environment }),
  )
  return output === null ? null : (/\b(?:go|v)?(\d{1,9}\.\d{1,9}[\w.+-]{0,40})/.exec(output)?.[1] ?? '')
}

function run(
  command: string,
  flags: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { cwd, env, timeout: mostTimeMs, maxBuffer: mostBytes, killSignal: 'SIGKILL' } as const
    const child = execFile(command, [...flags], options, (error, stdout) => resolve(error ? null : stdout))
    child.stdin?.end()
  })
}
