/**
 * Writes the tree that another one becomes when some of its paths change, reading and writing only the folders on the way:
 * what a tree holds besides costs nothing, however large it is. Paths are bytes, one per character (latin1).
 */
import { fileNameOf, folderOf } from '../file-paths.ts'
import type { Shadow } from './shadow.ts'
import { type FolderEntry, folderMode, TreeWalker } from './tree-walk.ts'
import { writeObject } from './write-object.ts'

/** Null: there is nothing at the path any more. */
export type ChangedEntries = ReadonlyMap<string, { mode: string; id: string } | null>

/** A file lies where a folder would have to be, or a folder with files where a file would. */
export class PathInTheWay extends Error {
  override readonly name = 'PathInTheWay'
}

type Folder = { path: string; entries: Map<string, FolderEntry> }

/** Throws `PathInTheWay`, and what `writeObject` throws. */
export async function writeChangedTree(
  shadow: Shadow,
  tree: string,
  changed: ChangedEntries,
): Promise<string> {
  const folders = await readFolders(shadow, tree, [...changed.keys()])
  for (const [path, entry] of changed) {
    const folder = folders.get(folderOf(path))
    const name = fileNameOf(path)
    if (entry) folder?.entries.set(name, { name, ...entry })
    else folder?.entries.delete(name)
  }
  let written = tree
  // The deepest first: a folder is named by what it holds.
  for (const folder of deepestFirst([...folders.values()])) {
    if (folder.path === '') written = makeTree(shadow, folder)
    else place(folders, folder.path, folder.entries.size > 0 ? makeTree(shadow, folder) : null)
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
      const within = folders.get(folderOf(folder))?.entries
      await open(folder, within?.get(`${fileNameOf(folder)}/`)?.id ?? null)
    }
  }
  return folders
}

function place(folders: ReadonlyMap<string, Folder>, path: string, id: string | null): void {
  const around = folders.get(folderOf(path))?.entries
  const name = fileNameOf(path)
  if (id === null) around?.delete(`${name}/`)
  else if (around?.has(name)) throw new PathInTheWay(path)
  else around?.set(`${name}/`, { name, mode: folderMode, id })
}

function deepestFirst(folders: readonly Folder[]): Folder[] {
  const depthOf = ({ path }: Folder) => (path === '' ? 0 : path.split('/').length)
  return folders.toSorted((a, b) => depthOf(b) - depthOf(a))
}

/** Objects that a partial clone lacks are named all the same. */
function makeTree(shadow: Shadow, { path, entries }: Folder): string {
  // As git sorts them: a folder as if its name ended with a slash, byte by byte.
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
  const records = sorted.flatMap(([key, { mode, id, name }]) => {
    if (key !== name && entries.has(name)) throw new PathInTheWay(path === '' ? key : `${path}/${key}`)
    return [Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')]
  })
  return writeObject(shadow, 'tree', Buffer.concat(records))
}
