/** What git needs to look at the work tree: where it is, and the ignore and attribute files, copied as data. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { userConfigHome } from '../../base/git/config-data.ts'
import { copyData } from '../../base/git/read-data.ts'
import type { Shadow } from '../../base/git/shadow.ts'

export type WorkTreePlace = {
  shadow: Shadow
  folder: string
  env: Record<string, string>
  /** Options that stand before the command. */
  options: string[]
}

const maxBytes = 4 * 1024 * 1024

/** Throws `usage` for a bare repository. */
export function prepareWorkTree(shadow: Shadow, index: { GIT_INDEX_FILE: string }): WorkTreePlace {
  const { commonDir, workTree: folder } = shadow.repository
  if (folder === null)
    throw new UserError('usage', 'a bare repository has no work tree; name a commit, a range or a base')
  const attributes = join(shadow.root, 'attributes')
  const excludes = join(shadow.root, 'excludes')
  copyData(join(commonDir, 'info/exclude'), join(shadow.place.gitDir, 'info/exclude'), maxBytes)
  copyData(join(commonDir, 'info/attributes'), attributes, maxBytes)
  copyData(userExcludes(shadow), excludes, maxBytes)
  const options = ['-c', `core.attributesFile=${attributes}`, '-c', `core.excludesFile=${excludes}`]
  return { shadow, folder, env: { ...index, GIT_WORK_TREE: folder }, options }
}

/** The user's own ignore file: what their configuration names, else where git looks for it. */
function userExcludes(shadow: Shadow): string {
  const named = shadow.config.excludesFile
  if (named === null) return join(userConfigHome(), 'git', 'ignore')
  return named.startsWith('~/') ? join(homedir(), named.slice(2)) : resolve(homedir(), named)
}
