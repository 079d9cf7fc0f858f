/**
 * Updates the index of one tree: from the nearest tree that is stored, with one small segment for what is
 * new. What cannot be written stays in memory.
 */
import type { RepoSnapshot, TreeEntry } from '../../domain/snapshot.ts'
import type { FactStore } from '../contract.ts'
import { compactSegments } from './compact.ts'
import { type Difference, noPlace } from './manifest.ts'
import { hasUnit, keyOfEntry, readUnits } from './read-units.ts'
import { Segment } from './segment.ts'
import { hasArrivals, type Start, startTree } from './start-tree.ts'
import type { StoredTree, StoredTrees } from './stored-trees.ts'
import { type NamedSegment, TreeIndex } from './tree-index.ts'

export type RefreshOptions = {
  snapshot: RepoSnapshot
  facts: FactStore
  /** Null keeps everything in memory. */
  stored: StoredTrees | null
  /** False: what is new stays in memory, as for a work tree that will not be asked about again. */
  keep?: boolean
  /** A tree this process has at hand. */
  previous?: StoredTree | null
  /** With more bytes than this to be read, nothing is. */
  mostBytes?: number
  /** Nothing new is begun when it has taken this long. */
  mostMs?: number
  signal?: AbortSignal | undefined
  /** Units read so far, and in all. */
  onProgress?: ((done: number, total: number) => void) | undefined
}

export type Refreshed = {
  tree: StoredTree
  /** Units found, and units read now. */
  reused: number
  read: number
  /** Null when the index is on disk; else why it is not. */
  notKept: string | null
  samePaths: boolean
  times: { listMs: number; readMs: number; writeMs: number }
}

/** Why there is no index: so much would have to be read, or the tree has a form that paths do not tell. */
export type NotIndexed = { missingBytes: number; missingFiles: number; knownFiles: number; why: string }

export async function refreshTree(options: RefreshOptions): Promise<Refreshed | NotIndexed> {
  const { snapshot, facts, stored, previous = null, signal, onProgress } = options
  const startedAt = performance.now()
  const exact = previous?.index.tree === snapshot.tree ? previous : (stored?.read(snapshot.tree) ?? null)
  if (exact && !(await hasArrivals(snapshot, exact.index.entries)))
    return asStored(exact, startedAt, exact === previous)
  const start = await startTree(snapshot, stored, previous)
  if (!start) return { missingBytes: 0, missingFiles: 0, knownFiles: 0, why: 'the tree names one path twice' }
  const listedAt = performance.now()
  const wanted = missingUnits(start)
  const missingBytes = wanted.reduce((sum, { size }) => sum + (size ?? 0), 0)
  const lacking = { missingBytes, missingFiles: wanted.length, knownFiles: unitCount(start.places) }
  if (wanted.length > 0 && missingBytes > (options.mostBytes ?? Number.POSITIVE_INFINITY))
    return { ...lacking, why: 'too much is new' }
  const deadline = startedAt + (options.mostMs ?? Number.POSITIVE_INFINITY)
  const made = await readUnits(wanted, { snapshot, facts, deadline, signal, onProgress })
  if (!made) return { ...lacking, why: 'it took too long' }
  const readAt = performance.now()
  const { tree, notKept } = settleTree(
    snapshot.tree,
    start,
    wanted,
    made,
    options.keep === false ? null : stored,
  )
  const writtenAt = performance.now()
  return {
    tree,
    reused: unitCount(start.places),
    read: wanted.length,
    notKept,
    samePaths: start.samePaths,
    times: { listMs: listedAt - startedAt, readMs: readAt - listedAt, writeMs: writtenAt - readAt },
  }
}

function asStored(tree: StoredTree, startedAt: number, isPrevious: boolean): Refreshed {
  const times = { listMs: performance.now() - startedAt, readMs: 0, writeMs: 0 }
  return { tree, reused: unitCount(tree.index.places), read: 0, notKept: null, samePaths: isPrevious, times }
}

/** One entry for each unit that has no place yet, in path order. */
function missingUnits({ entries, places }: Start): TreeEntry[] {
  const wanted = new Map<string, TreeEntry>()
  for (const [at, entry] of entries.entries()) {
    if (places[at] !== noPlace || !hasUnit(entry)) continue
    const key = keyOfEntry(entry)
    if (!wanted.has(key)) wanted.set(key, entry)
  }
  return [...wanted.values()]
}

function unitCount(places: Uint32Array): number {
  const distinct = new Set(places)
  distinct.delete(noPlace)
  return distinct.size
}

// The last step of an update: new segments go behind the old ones, and a manifest names them all.

/** Past this share of all entries a difference is as long as a whole manifest. */
const longestDifference = 0.1

/** Writes what there is to write; without `stored` the tree is in memory only. */
function settleTree(
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
