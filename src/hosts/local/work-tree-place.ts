/** What git needs to read the work tree: where it is, its ignore and attribute files, and its index, copied as data. */

import { readdirSync, utimesSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { userConfigHome } from '../../base/git/config-data.ts'
import { copyData, statOrNull } from '../../base/git/read-data.ts'
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

/** An index of a million paths has about 100 MB. */
const maxIndexBytes = 1024 * 1024 * 1024

let copies = 0

/** The environment for commands on a fresh private copy of the index; an absent index is an empty one. */
export function copyPrivateIndex(shadow: Shadow): { GIT_INDEX_FILE: string } {
  const from = indexFile(shadow)
  const to = join(shadow.root, `index-${copies++}`)
  const stat = statOrNull(from)
  if (stat) {
    if (!copyData(from, to, maxIndexBytes))
      throw new UserError('git-failed', `the index ${from} cannot be read`)
    // Git compares a file's time with the index's to know when it must look closer. Rounding down makes it
    // look closer more often, never less.
    const second = Math.floor(stat.mtimeMs / 1000)
    utimesSync(to, second, second)
    copySharedIndexes(shadow, dirname(from))
  }
  return { GIT_INDEX_FILE: to }
}

/** A split index keeps most of its entries in `sharedindex.ID` beside it: gitformat-index, "Split index". */
function copySharedIndexes(shadow: Shadow, folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/^sharedindex\.[0-9a-f]{40,64}$/.test(name))
      copyData(join(folder, name), join(shadow.place.gitDir, name), maxIndexBytes)
  }
}

/**
 * During `git commit -a` or `git commit PATH` a hook finds the index to be committed in GIT_INDEX_FILE. It is
 * taken from there only when it lies in the git directory of the repository under review.
 */
function indexFile(shadow: Shadow): string {
  const { gitDir, workTree } = shadow.repository
  const named = process.env.GIT_INDEX_FILE
  if (named !== undefined && workTree !== null) {
    const path = resolve(workTree, named)
    if (dirname(path) === gitDir && /^(index|index\.lock|next-index-\d+\.lock)$/.test(basename(path)))
      return path
  }
  return join(gitDir, 'index')
}
