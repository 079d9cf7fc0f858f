/**
 * Decides for each changed file of the work tree whether it is removed, hashed by git, written as a Git LFS pointer, or only
 * named.
 */

import { createHash } from 'node:crypto'
import { accessSync, closeSync, constants, createReadStream, fstatSync, readSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { openBelow } from '../../base/below.ts'
import { count } from '../../base/count.ts'
import { workTreeRepository } from '../../base/git/discover.ts'
import { linkStatOrNull } from '../../base/git/read-data.ts'
import { headCommit } from '../../base/git/refs.ts'
import { hugeFileBytes } from '../../base/git/shadow.ts'
import { isSafePath } from '../../base/git/tree-walk.ts'
import { writeObject } from '../../base/git/write-object.ts'
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
/** Untracked files and folders that are not read and are named; the others are counted. */
const beyondListed = 200

export async function sortFiles(
  place: WorkTreePlace,
  changes: WorkTreeChanges,
  { changedFiles }: { changedFiles: number },
): Promise<SortedFiles> {
  const info: string[] = []
  const nested = changes.nested.slice(0, changedFiles)
  const unread = nested.map((path) => ({ path, reason: 'untracked repository inside this one' }))
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
  const beyond = [...changes.untracked.slice(changedFiles), ...changes.nested.slice(changedFiles)]
  for (const path of beyond.slice(0, beyondListed))
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
      ...(beyond.length > beyondListed
        ? [`${count(beyond.length - beyondListed, 'more untracked file')} not read and not listed`]
        : []),
      ...(changes.cut ? ['there are more untracked files than were listed'] : []),
      ...(names ? [`content filters are not run (${names}); such files are compared as stored on disk`] : []),
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

/** Which files would go through a content filter (`filter=lfs` …), by .gitattributes read as data: its name by path. */
async function contentFilters(place: WorkTreePlace, paths: string[]): Promise<Map<string, string>> {
  const { shadow, env, options } = place
  if (paths.length === 0) return new Map()
  const input = paths.map((path) => `${path}\0`).join('')
  const args = [...options, 'check-attr', '-z', '--stdin', 'filter']
  const words = (await shadow.run(args, { env, input })).toString('utf8').split('\0')
  const found = new Map<string, string>()
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [path = '', , value = ''] = words.slice(at, at + 3)
    if (!['unspecified', 'set', 'unset', ''].includes(value)) found.set(path, value)
  }
  return found
}

const version = 'version https://git-lfs.github.com/spec/v1\n'
/** A pointer is always shorter than this, says the specification. */
const maxPointerBytes = 1024

/**
 * Git LFS keeps a pointer in the repository and the content in the work tree. Its filter is a program and is not run;
 * what it computes is simple: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 * Writes the pointers of `paths` into the shadow. `info` has their index entries; `asIs` are the files that
 * already are pointers, are empty, or are no regular files, and need no conversion.
 */
async function writeLfsPointers(
  place: WorkTreePlace,
  paths: readonly string[],
): Promise<{ info: string[]; asIs: string[] }> {
  const asIs: string[] = []
  const info: string[] = []
  for (const path of paths) {
    place.shadow.signal?.throwIfAborted()
    const pointer = await pointerOf(place.folder, path).catch(() => null)
    if (!pointer) asIs.push(path)
    else {
      const id = writeObject(place.shadow, 'blob', Buffer.from(pointer.text))
      info.push(`${pointer.executable ? '100755' : '100644'} ${id}\t${path}\0`)
    }
  }
  return { info, asIs }
}

/** The pointer text for a file, or null when the file needs none. */
async function pointerOf(root: string, path: string): Promise<{ text: string; executable: boolean } | null> {
  const file = openBelow(root, path)
  try {
    const stat = fstatSync(file)
    if (stat.size === 0) return null
    const begin = Buffer.alloc(version.length)
    readSync(file, begin, 0, begin.length, 0)
    if (stat.size < maxPointerBytes && begin.toString('latin1') === version) return null
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of createReadStream('', { fd: file, start: 0, autoClose: false })) {
      hash.update(chunk)
      size += chunk.length
    }
    const text = `${version}oid sha256:${hash.digest('hex')}\nsize ${size}\n`
    return { text, executable: (stat.mode & 0o100) !== 0 }
  } finally {
    closeSync(file)
  }
}
