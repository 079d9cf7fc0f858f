/**
 * Lists a tree from its objects, and compares two by reading nothing but what differs. A git bomb names 10⁹ paths, or
 * folders without a file in them, with ten objects: each object is read once, and what is listed of them has limits that
 * follow from how much is really stored. `git diff-tree` gathers its whole answer before it prints.
 */
import { UserError } from '../errors.ts'
import type { ObjectReader } from './object-reader.ts'
import {
  decodeName,
  type FolderEntry,
  folderMode,
  maxNameBytes,
  readFolder,
  TreeWalker,
} from './tree-walk.ts'

export type ListedEntry = {
  path: string
  mode: string
  id: string
  /** Bytes of a blob; null when it is not here or is no blob. */
  size: number | null
}

/** So many entries may repeat what is stored once, and so many times what is stored; honest trees hardly repeat. */
export const repeatsAllowed = 200_000
export const timesStored = 4
/** Asked for at a time, so that a large tree does not fill the memory with questions. */
const atOnce = 10_000

type Stored = ReadonlyMap<string, readonly FolderEntry[]>

/**
 * All entries of `tree` that are not trees, in git's order (bytes of the path). Throws `tree-too-large` past
 * `maxEntries` files and folders, for one that names the same folders over and over, and for a path of more than 4096
 * bytes; `object-missing` when a tree inside it is not here. `prefix` stands before every path.
 */
export async function listTree(
  objects: ObjectReader,
  tree: string,
  maxEntries: number,
  prefix = '',
): Promise<ListedEntry[]> {
  const { folders, entries: stored } = await readFolders(objects, tree, maxEntries)
  const most = Math.min(maxEntries, repeatsAllowed + timesStored * stored)
  // Counted first: the list of a bomb would be thrown away as soon as it is too long.
  if (countEntries(folders, tree) > most) throw tooMany(most)
  const listed = expand(folders, tree, prefix)
  const blobs = [...new Set(listed.flatMap(({ mode, id }) => (mode === '160000' ? [] : [id])))]
  const sizes = new Map<string, number>()
  for (let at = 0; at < blobs.length; at += atOnce) {
    const headers = await objects.infoMany(blobs.slice(at, at + atOnce))
    for (const { id, size, type } of headers.values()) if (type === 'blob') sizes.set(id, size)
  }
  for (const entry of listed) if (entry.mode !== '160000') entry.size = sizes.get(entry.id) ?? null
  return listed
}

/** Every distinct tree once, level by level. */
async function readFolders(
  objects: ObjectReader,
  root: string,
  maxEntries: number,
): Promise<{ folders: Stored; entries: number }> {
  const folders = new Map<string, readonly FolderEntry[]>()
  let entries = 0
  for (let level = [root]; level.length > 0; ) {
    const below = new Set<string>()
    for (let at = 0; at < level.length; at += atOnce) {
      const some = level.slice(at, at + atOnce)
      const read = await Promise.all(some.map((id) => readFolder(objects, id)))
      for (const [index, folder] of read.entries()) {
        const id = some[index] ?? ''
        if (!folder) throw new UserError('object-missing', `tree ${id}`)
        folders.set(id, [...folder.values()])
        entries += folder.size
        if (entries > maxEntries) throw tooMany(maxEntries)
        for (const entry of folder.values()) if (entry.mode === folderMode) below.add(entry.id)
      }
    }
    level = [...below].filter((id) => !folders.has(id))
  }
  return { folders, entries }
}

/** Files and folders below `root`, each as often as it is there; every distinct folder is looked at once. */
function countEntries(folders: Stored, root: string): number {
  const counts = new Map<string, number>()
  const open = [root]
  for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
    const entries = folders.get(id) ?? []
    const inner = entries.filter(({ mode }) => mode === folderMode)
    const waiting = new Set(inner.flatMap((folder) => (counts.has(folder.id) ? [] : [folder.id])))
    for (const folder of waiting) open.push(folder)
    if (waiting.size > 0) continue
    open.pop()
    counts.set(
      id,
      inner.reduce((sum, folder) => sum + (counts.get(folder.id) ?? 0), entries.length),
    )
  }
  return counts.get(root) ?? 0
}

function expand(folders: Stored, root: string, prefix: string): ListedEntry[] {
  const listed: ListedEntry[] = []
  const open = [{ prefix, entries: folders.get(root) ?? [], at: 0 }]
  for (let folder = open.at(-1); folder; folder = open.at(-1)) {
    const entry = folder.entries[folder.at++]
    if (!entry) {
      open.pop()
      continue
    }
    const path = folder.prefix + decodeName(entry.name)
    if (path.length > maxNameBytes)
      throw new UserError('tree-too-large', `a path has more than ${maxNameBytes} bytes`)
    if (entry.mode === folderMode)
      open.push({ prefix: `${path}/`, entries: folders.get(entry.id) ?? [], at: 0 })
    else listed.push({ path, mode: entry.mode, id: entry.id, size: null })
  }
  return listed
}

function tooMany(most: number): UserError {
  return new UserError('tree-too-large', `more than ${most} files and folders`)
}

type Side = { mode: string; id: string } | null

export type TreeChange = {
  /** The path, one byte per character (latin1). */
  name: string
  before: Side
  after: Side
}

/**
 * As `git diff-tree -r --no-renames`, in the same order. Throws `tree-too-large` past `maxChanges` files and folders,
 * or when it repeats the same folders over and over, and `object-missing` when a tree that differs is not here.
 */
export async function compareTrees(
  objects: ObjectReader,
  before: string,
  after: string,
  maxChanges: number,
): Promise<TreeChange[]> {
  const walker = new TreeWalker(objects)
  const changes: TreeChange[] = []
  const root = (id: string) => ({ mode: folderMode, id })
  // The next one in path order is always on top.
  const waiting: TreeChange[] =
    before === after ? [] : [{ name: '', before: root(before), after: root(after) }]
  let seen = 0
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    if (++seen > Math.min(maxChanges, repeatsAllowed + timesStored * walker.stored))
      throw new UserError('tree-too-large', `more than ${seen - 1} files and folders changed`)
    if ((pair.before ?? pair.after)?.mode !== folderMode) changes.push(pair)
    else if (pair.name.length > maxNameBytes)
      throw new UserError('tree-too-large', `a folder's path has more than ${maxNameBytes} bytes`)
    else for (const inner of await differences(walker, pair)) waiting.push(inner)
  }
  return changes
}

/** What differs directly inside a pair of folders, last one first. A folder and a file never make a pair. */
async function differences(walker: TreeWalker, pair: TreeChange): Promise<TreeChange[]> {
  const [old, now] = await Promise.all([entriesOf(walker, pair.before), entriesOf(walker, pair.after)])
  const keys = [...new Set([...old.keys(), ...now.keys()])].sort((a, b) => (a < b ? 1 : -1))
  const prefix = pair.name === '' ? '' : `${pair.name}/`
  return keys.flatMap((key) => {
    const [before, after] = [old.get(key) ?? null, now.get(key) ?? null]
    if (before?.id === after?.id && before?.mode === after?.mode) return []
    return [{ name: `${prefix}${(before ?? after)?.name}`, before, after }]
  })
}

async function entriesOf(walker: TreeWalker, side: Side): Promise<ReadonlyMap<string, FolderEntry>> {
  if (!side) return new Map()
  const entries = await walker.folder(side.id)
  if (!entries) throw new UserError('object-missing', `tree ${side.id}`)
  return entries
}
