/** Copies the target's index into the shadow, where git may write to it. */
import { readdirSync, utimesSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { copyData, statOrNull } from '../../base/git/read-data.ts'
import type { Shadow } from '../../base/git/shadow.ts'

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
