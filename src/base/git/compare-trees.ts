/**
 * Which files differ between two trees, by reading nothing but the tree objects that differ. `git diff-tree`
 * gathers its whole answer before it prints, so a git bomb would fill the memory long before a cap is seen.
 */
import { UserError } from '../errors.ts'
import { repeatsAllowed, timesStored } from './list-tree.ts'
import type { ObjectReader } from './object-reader.ts'
import { type FolderEntry, folderMode, maxNameBytes, TreeWalker } from './tree-walk.ts'

type Side = { mode: string; id: string } | null

export type TreeChange = {
  /** The path, one byte per character (latin1). */
  name: string
  before: Side
  after: Side
}

/**
 * As `git diff-tree -r --no-renames`, in the same order. Throws `tree-too-large` past `maxChanges` files and folders,
 * or when the same folders stand in it over and over, and `object-missing` when a tree that differs is not here.
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
