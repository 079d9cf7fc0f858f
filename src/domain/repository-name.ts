/** The name of a repository on a host: `owner/repo`. */

/**
 * A part of it, or of what a repository lies in: a group, an organization, a project. On Azure DevOps it may have spaces, and
 * on Bitbucket Data Center `~` is before the name of an account. Nothing in it ends a part of a path or leads out of one.
 */
export const namePart = /^(?!\.{1,2}$|\s)~?[\p{L}\p{M}\p{N} ._&'()-]{1,100}(?<!\s)$/u

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
/** The parts of one, which may lie in several groups. */
export function partsOf(fullName: string): { owner: string[]; name: string } {
  const parts = fullName.split('/')
  return { owner: parts.slice(0, -1), name: parts.at(-1) ?? '' }
}

/** Without the folders of the machine, for what is passed on. A bare repository is called by the folder that it is in. */
export function repositoryName(label: string): string {
  if (!/^(?:[\\/]|[A-Za-z]:)/.test(label)) return label
  const parts = label.split(/[\\/]/).filter((part) => part !== '')
  const last = parts.at(-1) ?? label
  return last.endsWith('.git') ? [...parts.slice(-2, -1), last.slice(0, -'.git'.length)].join('/') : last
}
