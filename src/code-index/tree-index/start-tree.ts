/** From what a new tree starts: the nearest tree that is stored and the paths that differ, else a listing of its own. */
import { nextTurn } from '../../base/time-budget.ts'
import type { RepoSnapshot, TreeDifference, TreeEntry } from '../../domain/snapshot.ts'
import { unitLanguage } from '../languages/registry.ts'
import { applyDifference, type Difference, noPlace, type PlacedEntry } from './manifest.ts'
import { hasUnit } from './read-units.ts'
import type { StoredTree, StoredTrees } from './stored-trees.ts'
import { type NamedSegment, placeAmong } from './tree-index.ts'

export type Start = {
  entries: readonly TreeEntry[]
  /** By entry, counted through `segments`; `noPlace` where there is no unit, or none yet. */
  places: Uint32Array
  segments: readonly NamedSegment[]
  /** From the tree of a whole manifest; null when it was listed. */
  difference: Difference | null
}

/** Stored trees asked how far they are, used last first. */
const mostCandidates = 8
/** Absent blobs that are looked for again, one by one; with more of them a tree is listed again. */
const mostAbsent = 200
/** Paths past which a listing is as quick. */
const mostChanges = 3_000

/** Null when two entries have one name, so that a path does not tell which is meant. */
export async function startTree(
  snapshot: RepoSnapshot,
  stored: StoredTrees | null,
  previous: StoredTree | null,
): Promise<Start | null> {
  const near = await nearTree(snapshot, stored, previous)
  if (near) return near
  const entries = await snapshot.list()
  // Each step below goes over all paths of a tree.
  await nextTurn()
  if (new Set(entries.map(({ path }) => path)).size < entries.length) return null
  const segments = stored
    ? stored.segments([...stored.segmentNames(stored.recent().slice(0, mostCandidates))])
    : []
  const places = Uint32Array.from(entries, (entry) => placeOf(entry, segments))
  await nextTurn()
  return { entries, ...onlyUsed(segments, places), difference: null }
}

/** The way from a whole manifest to a tree, and on to the next. */
function composed(before: Difference | null, base: string, now: Omit<Difference, 'base'>): Difference {
  if (!before) return { base, ...now }
  const changed = new Map(before.changed.map((entry) => [entry.path, entry]))
  const gone = new Set(before.gone)
  for (const entry of now.changed) {
    changed.set(entry.path, entry)
    gone.delete(entry.path)
  }
  for (const path of now.gone) {
    changed.delete(path)
    gone.add(path)
  }
  return { base: before.base, changed: [...changed.values()], gone: [...gone] }
}

async function nearTree(
  snapshot: RepoSnapshot,
  stored: StoredTrees | null,
  previous: StoredTree | null,
): Promise<Start | null> {
  if (!snapshot.changesSince) return null
  const recent = stored?.recent().slice(0, mostCandidates) ?? []
  for (const tree of new Set([...(previous ? [previous.index.tree] : []), ...recent])) {
    const changes = await snapshot.changesSince(tree, mostChanges)
    if (!changes) continue
    const known = previous?.index.tree === tree ? previous : stored?.read(tree)
    if (!known || (await hasArrivals(snapshot, known.index.entries))) continue
    return startFrom(known, changes)
  }
  return null
}

function startFrom({ index, difference, isKept }: StoredTree, changes: readonly TreeDifference[]): Start {
  const changed = changes.flatMap(({ after }): PlacedEntry[] =>
    after ? [{ ...after, place: placeOf(after, index.segments) }] : [],
  )
  const stays = new Set(changed.map(({ path }) => path))
  const gone = changes.flatMap(({ path }) => (stays.has(path) ? [] : [path]))
  return {
    ...applyDifference(index, { changed, gone }),
    segments: index.segments,
    difference: isKept ? composed(difference, index.tree, { changed, gone }) : null,
  }
}

function placeOf(entry: TreeEntry, segments: readonly NamedSegment[]): number {
  if (!hasUnit(entry)) return noPlace
  return placeAmong(segments, { blob: entry.blob, language: unitLanguage(entry.path) })
}

/** Leaves out segments in which no entry has its unit. */
function onlyUsed(
  segments: readonly NamedSegment[],
  places: Uint32Array,
): Pick<Start, 'segments' | 'places'> {
  const kept: NamedSegment[] = []
  const moved = places.slice()
  let first = 0
  let newFirst = 0
  for (const named of segments) {
    const end = first + named.segment.unitCount
    const isUsed = places.some((place) => place >= first && place < end)
    if (isUsed) {
      kept.push(named)
      for (const [at, place] of places.entries())
        if (place >= first && place < end) moved[at] = place - first + newFirst
      newFirst += named.segment.unitCount
    }
    first = end
  }
  return { segments: kept, places: moved }
}

/** True when blobs that were absent from a clone have come since, or may have. */
export async function hasArrivals(snapshot: RepoSnapshot, entries: readonly TreeEntry[]): Promise<boolean> {
  const absent = entries.filter(isAbsent)
  if (absent.length > mostAbsent) return true
  const now = await Promise.all(absent.map(({ path }) => snapshot.entry(path)))
  return now.some((entry, at) => entry !== null && entry.blob === absent[at]?.blob && entry.size !== null)
}

export function isAbsent({ mode, size }: TreeEntry): boolean {
  return mode.startsWith('100') && size === null
}
