/** The environment of a server: built from nothing, with a home of its own, so that no key of the operator gets there. */
import { delimiter, join } from 'node:path'
import type { Surroundings } from '../contract.ts'
import { trustedFolders } from './find-on-path.ts'

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
