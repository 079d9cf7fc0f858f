/** The name of a repository on a host: `owner/repo`. */

/** As a pattern to be found in text; what it finds may still be no name (`owner/..`). */
export const repositoryPattern = '[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9_.-]{1,100}'

const whole = new RegExp(`^${repositoryPattern}$`)

/** False too for what would be another address as part of a path: `owner/.`, `owner/..`. */
export function isRepositoryName(name: string): boolean {
  return whole.test(name) && !/\/\.{1,2}$/.test(name)
}

/** Hosts do not tell capitals and small letters apart. */
export function isSameRepository(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
