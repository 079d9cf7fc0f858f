/** Segments that hold the blobs of a tree: found in the folder, cut where they are missing, merged when they become many. */
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { BlobPath, IndexStore, ParseFailure, SegmentTask } from '../../contract.ts'
import { type IndexFolder, nameFor } from '../../index-files/index-folder.ts'
import { ChunkSegment } from '../../segments/chunk-segment.ts'

export type Kept = {
  /** Its name in the folder; null when it is in memory only. */
  name: string | null
  chunks: number
  /** What is on disk is read when it is asked for: a build needs only the keys. Null when it was removed meanwhile. */
  open(): ChunkSegment | null
  /** Key of each blob that is wanted from it, and its place. */
  places: ReadonlyMap<string, number>
}

export const segmentEnding = '.seg'

const mostSmall = 8
/** A segment with more chunks is left alone, so that a merge stays short however large the tree. */
const fullSegment = 4_000
const mostLookedAt = 400

/** Takes each wanted key once, from the segments that were of use last. Whether these are whole, opening them tells. */
export function findKept(folder: IndexFolder, wanted: ReadonlySet<string>): Kept[] {
  const left = new Set(wanted)
  const found: Kept[] = []
  for (const { name } of folder.list(segmentEnding).slice(0, mostLookedAt)) {
    if (left.size === 0) break
    const contents = ChunkSegment.contentsOf(folder.pathOf(name))
    const places = new Map(
      (contents?.keys ?? []).flatMap((key, place) => (left.has(key) ? [[key, place] as const] : [])),
    )
    if (!contents || places.size === 0) continue
    folder.touch(name)
    for (const key of places.keys()) left.delete(key)
    found.push({ name, chunks: contents.chunks, places, open: () => openKept(folder, name) })
  }
  return found
}

/** Null for one that was removed or is damaged; that one is removed, so that the next build does not find it. */
export function openKept(folder: IndexFolder, name: string): ChunkSegment | null {
  const segment = ChunkSegment.open(folder.pathOf(name))
  if (!segment) folder.remove(name)
  return segment
}

/** Merges small segments into new ones when there are too many; the old ones stay for whoever else uses them. */
export async function mergeSmall(
  parts: readonly Kept[],
  folder: IndexFolder,
  store: IndexStore,
): Promise<Kept[]> {
  const small = parts.filter(({ name, chunks }) => name !== null && chunks < fullSegment)
  if (small.length <= mostSmall) return [...parts]
  const merged: Kept[] = []
  let group: Kept[] = []
  for (const [at, part] of small.entries()) {
    group.push(part)
    const chunks = group.reduce((sum, one) => sum + one.chunks, 0)
    if (chunks < fullSegment && at < small.length - 1) continue
    const segments = group.flatMap(({ name, places }) => {
      const bytes = name === null ? null : folder.read(name)
      return bytes ? [{ bytes, places: [...places.values()].sort((a, b) => a - b) }] : []
    })
    // Removed or damaged meanwhile: what is at hand is used as it is.
    if (segments.length < group.length) return [...parts]
    merged.push(await built(store, { kind: 'merged chunks', segments }, folder))
    group = []
  }
  return [...parts.filter((part) => !small.includes(part)), ...merged]
}

/** Written if there is a folder; what cannot be written is used from memory. */
async function built(store: IndexStore, task: SegmentTask, folder: IndexFolder | null): Promise<Kept> {
  const bytes = await store.segment(task)
  const contents = ChunkSegment.contentsIn(bytes)
  if (!contents) throw new Error('a segment cannot be read back')
  const { keys, chunks } = contents
  const places = new Map(keys.map((key, place) => [key, place]))
  const name = nameFor(bytes, segmentEnding)
  if (folder && folder.write(name, bytes) === null)
    return { name, chunks, places, open: () => openKept(folder, name) }
  return { name: null, chunks, places, open: () => ChunkSegment.of(bytes) }
}

// Reads the files whose blobs no segment has yet, and has segments built of them.

type Missing = BlobPath & { key: string }

type Made = {
  segments: Kept[]
  /** A file was read as text for a reason that may not hold the next time; it is in memory only. */
  isPassing: boolean
}

/** Files and bytes of source that go into one segment. */
const filesAtOnce = 1_500
const bytesAtOnce = 8 * 2 ** 20

/** Under load a file may fail that is parsed the next time. */
const passingReasons: ReadonlySet<string> = new Set<ParseFailure['reason']>(['timeout', 'crash', 'memory'])

export async function readMissing(
  snapshot: RepoSnapshot,
  store: IndexStore,
  missing: readonly Missing[],
  folder: IndexFolder | null,
): Promise<Made> {
  const passing: Missing[] = []
  const building: Promise<Kept>[] = []
  const once = [...new Map(missing.toReversed().map((file) => [file.key, file])).values()].reverse()
  for (const group of inGroups(once)) {
    const read = await store.readings(group, snapshot)
    const lasting: Missing[] = []
    for (const file of group) {
      const reading = read.get(file.path)
      if (reading) (passingReasons.has(reading.state) ? passing : lasting).push(file)
    }
    if (lasting.length > 0) building.push(built(store, { kind: 'chunks', files: lasting }, folder))
    building.at(-1)?.catch(() => {})
    // One is built while the next files are read.
    await building.at(-2)
  }
  const isPassing = passing.length > 0
  if (isPassing) building.push(built(store, { kind: 'chunks', files: passing }, null))
  return { segments: await Promise.all(building), isPassing }
}

function inGroups(files: readonly Missing[]): Missing[][] {
  const groups: Missing[][] = []
  let bytes = 0
  for (const file of files) {
    const last = groups.at(-1)
    bytes += file.size ?? 0
    if (last && last.length < filesAtOnce && bytes <= bytesAtOnce) last.push(file)
    else {
      groups.push([file])
      bytes = file.size ?? 0
    }
  }
  return groups
}
