/** Questions about the paths of a tree, answered from one listing. */
import type { TreeEntry } from '../../domain/snapshot.ts'
import type { PathIndex } from './contract.ts'

/** Symbolic links and submodules are left out: they have no text of their own. */
export function indexPaths(entries: readonly TreeEntry[]): PathIndex {
  const files = new Set<string>()
  const byFolder = new Map<string, string[]>()
  const byName = new Map<string, string[]>()
  for (const { path, mode } of entries) {
    if (!mode.startsWith('100')) continue
    files.add(path)
    append(byFolder, folderOf(path), path)
    append(byName, path.slice(path.lastIndexOf('/') + 1), path)
  }
  const folders = new Set<string>([''])
  for (const folder of byFolder.keys())
    for (let at = folder; at !== '' && !folders.has(at); at = folderOf(at)) folders.add(at)
  const byLastFolder = Map.groupBy([...folders].sort(), (folder) => folder.slice(folder.lastIndexOf('/') + 1))

  return {
    has: (path) => files.has(path),
    hasFolder: (folder) => folders.has(folder),
    filesIn: (folder) => byFolder.get(folder) ?? [],
    named: (baseName) => byName.get(baseName) ?? [],
    foldersEndingWith: (suffix) =>
      (byLastFolder.get(suffix.slice(suffix.lastIndexOf('/') + 1)) ?? []).filter(
        (folder) => folder === suffix || folder.endsWith(`/${suffix}`),
      ),
  }
}

/** `a/b/c.ts` → `a/b`; `c.ts` → ``. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Joins and normalises; null when the result climbs out of the tree. */
export function joinPath(folder: string, relative: string): string | null {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

function append(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
