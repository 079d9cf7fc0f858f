/**
 * Cuts a large change into groups that fit into one question each, and keeps together what belongs together: first
 * files that use or test each other, then those of one folder and language, then of one folder, then of neighbouring
 * folders. Small changes are one group.
 */
import type { FileChange } from '../../../domain/change-set.ts'
import type { FileLink } from './file-links.ts'

export type Sized = { file: FileChange; bytes: number }

/**
 * Every file is in exactly one group; files of a group are in path order, the weightiest group comes first. A file
 * that is too large by itself has a group of its own.
 */
export function groupFiles<Item extends Sized>(
  items: readonly Item[],
  links: readonly FileLink[],
  maxBytes: number,
): Item[][] {
  const ordered = [...items].sort((a, b) => compare(a.file.path, b.file.path))
  if (bytesOf(ordered) <= maxBytes) return ordered.length === 0 ? [] : [ordered]
  let groups = mergeLinked(ordered, links, maxBytes)
  for (const key of [folderAndLanguage, folder, parentFolder, everything])
    groups = mergeAlike(groups, key, maxBytes)
  return groups
    .map((group) => group.sort((a, b) => compare(a.file.path, b.file.path)))
    .sort((a, b) => weigh(b) - weigh(a) || compare(firstPath(a), firstPath(b)))
}

function mergeLinked<Item extends Sized>(
  items: readonly Item[],
  links: readonly FileLink[],
  maxBytes: number,
): Item[][] {
  const groupOf = new Map(items.map((item) => [item.file.path, [item]]))
  for (const { from, to } of links) {
    const [a, b] = [groupOf.get(from), groupOf.get(to)]
    if (!a || !b || a === b || bytesOf(a) + bytesOf(b) > maxBytes) continue
    a.push(...b)
    for (const { file } of b) groupOf.set(file.path, a)
  }
  return [...new Set(groupOf.values())]
}

/** Groups whose first files have the same key are put together one after the other, as long as they fit. */
function mergeAlike<Item extends Sized>(
  groups: readonly Item[][],
  key: (file: FileChange) => string,
  maxBytes: number,
): Item[][] {
  const open = new Map<string, Item[]>()
  const merged: Item[][] = []
  for (const group of [...groups].sort((a, b) => compare(firstPath(a), firstPath(b)))) {
    const first = group[0]
    if (!first) continue
    const name = key(first.file)
    const known = open.get(name)
    if (known && bytesOf(known) + bytesOf(group) <= maxBytes) known.push(...group)
    else {
      const fresh = [...group]
      open.set(name, fresh)
      merged.push(fresh)
    }
  }
  return merged
}

function folder({ path }: FileChange): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function folderAndLanguage(file: FileChange): string {
  return `${folder(file)}\0${file.language ?? ''}`
}

function parentFolder({ path }: FileChange): string {
  return path.split('/').slice(0, -2).join('/')
}

function everything(): string {
  return ''
}

const roleWeight: Readonly<Record<FileChange['role'], number>> = {
  source: 8,
  config: 4,
  test: 3,
  data: 1,
  docs: 1,
  lock: 0,
  generated: 0,
  vendored: 0,
  minified: 0,
}

/** Where a defect would hurt most comes first, so that a cap or a budget cuts the least. */
function weigh(group: readonly Sized[]): number {
  return group.reduce(
    (sum, { file }) => sum + roleWeight[file.role] * (1 + Math.log2(1 + file.added + file.removed)),
    0,
  )
}

function bytesOf(items: readonly Sized[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes, 0)
}

function firstPath(group: readonly Sized[]): string {
  return group.reduce(
    (least, { file }) => (least === '' || compare(file.path, least) < 0 ? file.path : least),
    '',
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
