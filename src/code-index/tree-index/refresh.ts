/**
 * Updates the index of one tree: from the nearest tree that is stored, with one small segment for what is
 * new. What cannot be written stays in memory.
 */
import type { RepoSnapshot, TreeEntry } from '../../domain/snapshot.ts'
import type { IndexStore } from '../contract.ts'
import { blobKey } from '../languages/registry.ts'
import { NameSegment } from '../segments/name-segment.ts'
import { compactSegments } from './compact.ts'
import { type Difference, noPlace } from './manifest.ts'
import { hasUnit, readUnits } from './read-units.ts'
import { hasArrivals, type Start, startTree } from './start-tree.ts'
import type { StoredTree, StoredTrees } from './stored-trees.ts'
import { type NamedSegment, TreeIndex } from './tree-index.ts'

export type RefreshOptions = {
  snapshot: RepoSnapshot
  facts: IndexStore
  /** Null keeps everything in memory. */
  stored: StoredTrees | null
  /** False: what is new stays in memory, as for a work tree that will not be asked about again. */
  keep?: boolean
  /** A tree this process has at hand. */
  previous?: StoredTree | null
  /** With more bytes than this to be read and parsed, nothing is; what an earlier run has read does not count. */
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
  times: { listMs: number; readMs: number; writeMs: number }
}

/** Why there is no index: so much would have to be read, or the tree has a form that paths do not tell. */
export type NotIndexed = { missingBytes: number; missingFiles: number; knownFiles: number; why: string }

export async function refreshTree(options: RefreshOptions): Promise<Refreshed | NotIndexed> {
  const { snapshot, facts, stored, previous = null, signal, onProgress } = options
  const startedAt = performance.now()
  const exact = previous?.index.tree === snapshot.tree ? previous : (stored?.read(snapshot.tree) ?? null)
  if (exact && !(await hasArrivals(snapshot, exact.index.entries))) return asStored(exact, startedAt)
  const start = await startTree(snapshot, stored, previous)
  if (!start) return { missingBytes: 0, missingFiles: 0, knownFiles: 0, why: 'the tree names one path twice' }
  const listedAt = performance.now()
  const wanted = missingUnits(start)
  const lacking = {
    missingBytes: bytesOf(wanted),
    missingFiles: wanted.length,
    knownFiles: unitCount(start.places),
  }
  if (wanted.length > 0 && bytesOf(facts.unread(wanted)) > (options.mostBytes ?? Number.POSITIVE_INFINITY))
    return { ...lacking, why: 'too much is new' }
  const kept = options.keep === false ? null : stored
  const made: Added[] = []
  const deadline = startedAt + (options.mostMs ?? Number.POSITIVE_INFINITY)
  const isWhole = await readUnits(wanted, { snapshot, facts, deadline, signal, onProgress }, (bytes) =>
    made.push(kept?.addSegment(bytes) ?? inMemory(bytes)),
  )
  if (!isWhole) return { ...lacking, why: 'it took too long' }
  const readAt = performance.now()
  const { tree, notKept } = await settleTree(snapshot.tree, start, { wanted, made, facts, stored: kept })
  const writtenAt = performance.now()
  return {
    tree,
    reused: unitCount(start.places),
    read: wanted.length,
    notKept,
    times: { listMs: listedAt - startedAt, readMs: readAt - listedAt, writeMs: writtenAt - readAt },
  }
}

function asStored(tree: StoredTree, startedAt: number): Refreshed {
  const times = { listMs: performance.now() - startedAt, readMs: 0, writeMs: 0 }
  return { tree, reused: unitCount(tree.index.places), read: 0, notKept: null, times }
}

function bytesOf(entries: readonly TreeEntry[]): number {
  return entries.reduce((sum, { size }) => sum + (size ?? 0), 0)
}

/** One entry for each unit that has no place yet, in path order. */
function missingUnits({ entries, places }: Start): TreeEntry[] {
  const wanted = new Map<string, TreeEntry>()
  for (const [at, entry] of entries.entries()) {
    if (places[at] !== noPlace || !hasUnit(entry)) continue
    const key = blobKey(entry)
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

type Added = { named: NamedSegment; kept: string | null }

/** Writes what there is to write; without `stored` the tree is in memory only. */
async function settleTree(
  tree: string,
  start: Start,
  read: {
    wanted: readonly TreeEntry[]
    made: readonly Added[]
    facts: IndexStore
    stored: StoredTrees | null
  },
): Promise<{ tree: StoredTree; notKept: string | null }> {
  const { wanted, made, facts, stored } = read
  let notKept: string | null = stored ? null : 'no folder was given for it'
  for (const { kept } of made) notKept ??= kept
  const before = start.segments.reduce((sum, { segment }) => sum + segment.unitCount, 0)
  const added = new Map(wanted.map((entry, at) => [blobKey(entry), before + at]))
  const placeFor = (entry: TreeEntry, place: number): number =>
    place === noPlace && hasUnit(entry) ? (added.get(blobKey(entry)) ?? noPlace) : place
  const placed = start.places.map((place, at) => {
    const entry = start.entries[at]
    return place === noPlace && entry ? placeFor(entry, place) : place
  })
  const all = [...start.segments, ...made.map(({ named }) => named)]
  const compacted = await compactSegments(all, placed, facts)
  let [segments, places]: [readonly NamedSegment[], Uint32Array] = [all, placed]
  if (compacted) {
    const { named, kept } = stored?.addSegment(compacted.bytes) ?? inMemory(compacted.bytes)
    notKept ??= kept
    segments = [...compacted.untouched, named]
    places = compacted.places
  }
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

function inMemory(bytes: Buffer): Added {
  const segment = NameSegment.open(bytes)
  if (!segment) throw new Error('a segment that was just made cannot be read')
  return { named: { name: '', segment }, kept: null }
}
