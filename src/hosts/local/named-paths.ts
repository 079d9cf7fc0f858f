/** Files and folders that a review is limited to, from what was typed to paths of the tree. */
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { UserError } from '../../base/errors.ts'
import type { Shadow } from '../../base/git/shadow.ts'
import { findCommit } from './resolve.ts'
import type { Selection } from './selection.ts'

/**
 * From the root of the tree, with `/`; none when the whole tree was named. Throws `usage` for what lies elsewhere, and
 * for a name that is a branch or a commit as well.
 */
export async function namedPaths(shadow: Shadow, typed: readonly string[]): Promise<string[]> {
  const { workTree } = shadow.repository
  if (typed.length === 0) return []
  if (workTree === null) throw new UserError('usage', 'a bare repository has no files to limit a review to.')
  const paths: string[] = []
  for (const name of typed) {
    if (!name.startsWith('.') && !isAbsolute(name) && (await findCommit(shadow, name)))
      throw new UserError(
        'usage',
        `\`${name}\` is a path and a branch or commit; write ./${name}, --base ${name} or --commit ${name}.`,
      )
    paths.push(pathInTree(workTree, name))
  }
  return paths.includes('') ? [] : [...new Set(paths)].sort()
}

export function limitTo(selection: Selection, paths: readonly string[]): Selection {
  if (paths.length === 0) return selection
  const named = paths.slice(0, 3).join(', ')
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : ''
  return { ...selection, label: `${selection.label}, only ${named}${more}` }
}

function pathInTree(workTree: string, typed: string): string {
  const path = resolve(typed)
  try {
    // A link of the tree is itself what is reviewed; one above the tree is followed.
    const places = [join(realpathSync(dirname(path)), basename(path)), realpathSync(path)]
    for (const place of places) {
      const found = relative(workTree, place)
      if (found !== '..' && !found.startsWith(`..${sep}`) && !isAbsolute(found))
        return found.replaceAll(sep, '/')
    }
  } catch (error) {
    throw new UserError('usage', `\`${typed}\`: ${(error as Error).message}`, { cause: error })
  }
  throw new UserError(
    'usage',
    `\`${typed}\` lies outside of the repository ${workTree}; another one is named with --repo.`,
  )
}
