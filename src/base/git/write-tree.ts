/**
 * Writes the tree that another one becomes when some of its paths change, reading and writing only the folders on the way:
 * what a tree holds besides costs nothing, however large it is. Paths are bytes, one per character (latin1).
 */
import type { Shadow } from './shadow.ts'
import { type FolderEntry, folderMode, TreeWalker } from './tree-walk.ts'

/** Null: there is nothing at the path any more. */
export type ChangedEntries = ReadonlyMap<string, { mode: string; id: string } | null>

/** A file lies where a folder would have to be, or a folder with files where a file would. */
export class PathInTheWay extends Error {
  override readonly name = 'PathInTheWay'
}

type Folder = { path: string; entries: Map<string, FolderEntry> }

/** Throws `PathInTheWay`, and `git-failed`. */
export async function writeChangedTree(
  shadow: Shadow,
  tree: string,
  changed: ChangedEntries,
): Promise<string> {
  const folders = await readFolders(shadow, tree, [...changed.keys()])
  for (const [path, entry] of changed) {
    const folder = folders.get(parentOf(path))
    const name = nameOf(path)
    if (entry) folder?.entries.set(name, { name, ...entry })
    else folder?.entries.delete(name)
  }
  let written = tree
  // The deepest first: a folder is named by what it holds.
  for (const level of byDepth([...folders.values()])) {
    const full = level.filter(({ path, entries }) => entries.size > 0 || path === '')
    const ids = await makeTrees(shadow, full)
    for (const { path, entries } of level) {
      const id = ids.get(path)
      if (path === '') written = id ?? written
      else place(folders, path, entries.size > 0 ? (id ?? null) : null)
    }
  }
  return written
}

/** Every folder around one of the paths; those that are not there yet are empty. */
async function readFolders(
  { objects }: Shadow,
  tree: string,
  paths: readonly string[],
): Promise<Map<string, Folder>> {
  const walker = new TreeWalker(objects)
  const folders = new Map<string, Folder>()
  const open = async (path: string, id: string | null): Promise<void> => {
    const entries = id === null ? null : await walker.folder(id)
    folders.set(path, { path, entries: new Map(entries) })
  }
  await open('', tree)
  for (const path of paths) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/')
      if (folders.has(folder)) continue
      const within = folders.get(parentOf(folder))?.entries
      await open(folder, within?.get(`${nameOf(folder)}/`)?.id ?? null)
    }
  }
  return folders
}

function place(folders: ReadonlyMap<string, Folder>, path: string, id: string | null): void {
  const around = folders.get(parentOf(path))?.entries
  const name = nameOf(path)
  if (id === null) around?.delete(`${name}/`)
  else if (around?.has(name)) throw new PathInTheWay(path)
  else around?.set(`${name}/`, { name, mode: folderMode, id })
}

function byDepth(folders: readonly Folder[]): Folder[][] {
  const depthOf = ({ path }: Folder) => (path === '' ? 0 : path.split('/').length)
  const levels = Map.groupBy(folders, depthOf)
  return [...levels].sort(([a], [b]) => b - a).map(([, level]) => level)
}

/** By the paths of the folders. Objects that a partial clone lacks are named all the same. */
async function makeTrees(shadow: Shadow, folders: readonly Folder[]): Promise<Map<string, string>> {
  if (folders.length === 0) return new Map()
  const records = folders.map(({ path, entries }) => {
    for (const name of entries.keys())
      if (name.endsWith('/') && entries.has(name.slice(0, -1)))
        throw new PathInTheWay(path === '' ? name : `${path}/${name}`)
    return [...entries.values()].map(recordOf).join('')
  })
  const input = Buffer.from(records.map((record) => `${record}\0`).join(''), 'latin1')
  const output = await shadow.run(['mktree', '-z', '--missing', '--batch'], { input })
  const ids = output.toString('latin1').trim().split('\n')
  return new Map(folders.map(({ path }, at) => [path, ids[at] ?? '']))
}

function recordOf({ mode, id, name }: FolderEntry): string {
  const type = mode === folderMode ? 'tree' : mode === '160000' ? 'commit' : 'blob'
  return `${mode.padStart(6, '0')} ${type} ${id}\t${name}\0`
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
