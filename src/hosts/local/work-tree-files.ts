/** Decides for each changed file of the work tree whether it is removed, hashed by git, or only named. */
import { accessSync, constants, type Stats } from 'node:fs'
import { join } from 'node:path'
import { workTreeRepository } from '../../base/git/discover.ts'
import { linkStatOrNull } from '../../base/git/read-data.ts'
import { headCommit } from '../../base/git/refs.ts'
import { hugeFileBytes } from '../../base/git/shadow.ts'
import { isSafePath } from '../../base/git/tree-walk.ts'
import { contentFilters } from './content-filters.ts'
import { writeLfsPointers } from './lfs-pointers.ts'
import type { WorkTreeChanges } from './work-tree-changes.ts'
import type { WorkTreePlace } from './work-tree-place.ts'

export type SortedFiles = {
  /** For `update-index -z --index-info`: removals, submodule commits, large file pointers. */
  indexInfo: string
  /** For git to hash, in order. */
  files: string[]
  unread: { path: string; reason: string }[]
  limits: string[]
}

/** Untracked files hashed in one go; a forgotten data folder should not fill the disk. */
const maxUntrackedBytes = 512 * 1024 * 1024

export async function sortFiles(
  place: WorkTreePlace,
  changes: WorkTreeChanges,
  { changedFiles }: { changedFiles: number },
): Promise<SortedFiles> {
  const info: string[] = []
  const unread = changes.nested.map((path) => ({ path, reason: 'untracked repository inside this one' }))
  const present: string[] = []
  for (const { path, newMode } of changes.tracked) {
    // A forged index may name files outside of the work tree.
    if (!isSafePath(path, newMode ?? ''))
      unread.push({ path, reason: 'git would not check out a path like this' })
    else if (newMode === null) info.push(removal(place, path))
    else if (newMode === '160000') info.push(...submoduleCommit(place, path))
    else present.push(path)
  }
  const untracked = changes.untracked.slice(0, changedFiles)
  for (const path of changes.untracked.slice(changedFiles))
    unread.push({ path, reason: `beyond the first ${changedFiles} untracked files` })
  const filters = await contentFilters(place, [...present, ...untracked])
  const files: string[] = []
  const large: string[] = []
  const foreign = new Set<string>()
  let untrackedBytes = 0
  for (const [index, path] of [...present, ...untracked].entries()) {
    const filter = filters.get(path)
    const stat = linkStatOrNull(join(place.folder, path))
    if (index >= present.length) untrackedBytes += stat?.size ?? 0
    const reason =
      untrackedBytes > maxUntrackedBytes
        ? `beyond ${maxUntrackedBytes} bytes of untracked files`
        : obstacle(place, path, stat, filter === 'lfs')
    if (reason !== null) unread.push({ path, reason })
    else if (filter === 'lfs' && stat?.isFile()) large.push(path)
    else files.push(path)
    if (filter !== undefined && filter !== 'lfs') foreign.add(filter)
  }
  const pointers = await writeLfsPointers(place, large)
  info.push(...pointers.info)
  return { indexInfo: info.join(''), files: [...files, ...pointers.asIs], unread, limits: limitsOf() }

  function limitsOf(): string[] {
    const names = [...foreign].sort().join(', ')
    return [
      ...(changes.cut ? ['there are more untracked files than were listed'] : []),
      ...(names
        ? [`content filters are not run (${names}); such files are compared as they lie on disk`]
        : []),
    ]
  }
}

function removal({ shadow }: WorkTreePlace, path: string): string {
  return `0 ${'0'.repeat(shadow.emptyTree.length)}\t${path}\0`
}

/** The commit a submodule stands on, read from its files; no git runs in there. */
function submoduleCommit({ shadow, folder }: WorkTreePlace, path: string): string[] {
  const repository = workTreeRepository(join(folder, path))
  const commit = repository && headCommit(repository)
  return commit?.length === shadow.emptyTree.length ? [`160000 ${commit}\t${path}\0`] : []
}

/** Why a file is not read, or null when it is. A file that has just gone is left to git, which removes it. */
function obstacle({ folder }: WorkTreePlace, path: string, stat: Stats | null, lfs: boolean): string | null {
  if (!stat || stat.isSymbolicLink() || stat.isDirectory()) return null
  if (!stat.isFile()) return 'neither a file nor a symbolic link'
  if (stat.size > hugeFileBytes && !lfs) return `larger than ${hugeFileBytes} bytes`
  try {
    accessSync(join(folder, path), constants.R_OK)
    return null
  } catch {
    return 'no permission to read it'
  }
}
