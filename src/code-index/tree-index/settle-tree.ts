/** The last step of bringing a tree up to date: new segments go behind the old ones, and a manifest names them all. */
import type { TreeEntry } from '../../domain/snapshot.ts'
import { compactSegments } from './compact.ts'
import { type Difference, noPlace } from './manifest.ts'
import { Segment } from './segment.ts'
import type { Start } from './start-tree.ts'
import type { StoredTree, StoredTrees } from './stored-trees.ts'
import { type NamedSegment, TreeIndex } from './tree-index.ts'
import { hasUnit, keyOfEntry } from './unit-of.ts'

/** Past this share of all entries a difference is as long as a whole manifest. */
const longestDifference = 0.1

/** Writes what there is to write; without `stored` the tree is in memory only. */
export function settleTree(
  tree: string,
  start: Start,
  wanted: readonly TreeEntry[],
  made: readonly Buffer[],
  stored: StoredTrees | null,
): { tree: StoredTree; notKept: string | null } {
  let notKept: string | null = stored ? null : 'no folder was given for it'
  const add = (bytes: Buffer): NamedSegment => {
    const added = stored?.addSegment(bytes) ?? inMemory(bytes)
    notKept ??= added.kept
    return added.named
  }
  const before = start.segments.reduce((sum, { segment }) => sum + segment.unitCount, 0)
  const added = new Map(wanted.map((entry, at) => [keyOfEntry(entry), before + at]))
  const placeFor = (entry: TreeEntry, place: number): number =>
    place === noPlace && hasUnit(entry) ? (added.get(keyOfEntry(entry)) ?? noPlace) : place
  const placed = start.places.map((place, at) => {
    const entry = start.entries[at]
    return place === noPlace && entry ? placeFor(entry, place) : place
  })
  const all = [...start.segments, ...made.map(add)]
  const compacted = compactSegments(all, placed, add)
  const { segments, places } = compacted ?? { segments: all, places: placed }
  const index = new TreeIndex({ tree, entries: start.entries, places }, segments)
  const change = compacted ? null : shortEnough(start, placeFor)
  const names = segments.map(({ name, segment }) => ({ name, units: segment.unitCount }))
  notKept ??= stored?.addTree({ tree, segments: names, entries: start.entries, places }, change) ?? null
  stored?.forgetOthers(segments.map(({ name }) => name))
  return { tree: { index, difference: change, isKept: notKept === null }, notKept }
}

function shortEnough(
  { difference, entries }: Start,
  placeFor: (entry: TreeEntry, place: number) => number,
): Difference | null {
  if (!difference) return null
  const length = difference.changed.length + difference.gone.length
  if (length > entries.length * longestDifference) return null
  const changed = difference.changed.map((entry) => ({ ...entry, place: placeFor(entry, entry.place) }))
  return { ...difference, changed }
}

function inMemory(bytes: Buffer): { named: NamedSegment; kept: null } {
  const segment = Segment.open(bytes)
  if (!segment) throw new Error('a segment that was just made cannot be read')
  return { named: { name: '', segment }, kept: null }
}
