/** Segments that hold the blobs of a tree: found in the folder, cut where they are missing, merged when they become many. */
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { FactStore, ParseFailure } from '../../contract.ts'
import { type IndexFolder, nameFor } from '../../index-files/index-folder.ts'
import { languageOf } from '../../language-of.ts'
import { languages } from '../../languages/registry.ts'
import { ChunkSegmentBuilder } from '../segment/builder.ts'
import { cutBlob } from '../segment/cut-blob.ts'
import { ChunkSegment } from '../segment/segment.ts'

export type Kept = {
  /** Its name in the folder; null when it is in memory only. */
  name: string | null
  segment: ChunkSegment
  /** Key of each blob that is wanted from it, and its place. */
  places: ReadonlyMap<string, number>
}

/** A segment is closed when it has so many chunks, so that neither a build nor a merge grows without bound. */
export const fullSegment = 8_000

export const segmentEnding = '.seg'

const mostSmall = 8
const mostLookedAt = 400

/** Takes each wanted key once, from the segments that were of use last. */
export function findKept(folder: IndexFolder, wanted: ReadonlySet<string>): Kept[] {
  const left = new Set(wanted)
  const found: Kept[] = []
  for (const { name } of folder.list(segmentEnding).slice(0, mostLookedAt)) {
    if (left.size === 0) break
    const keys = ChunkSegment.keysOf(folder.pathOf(name))
    const places = new Map(
      (keys ?? []).flatMap((key, place) => (left.has(key) ? [[key, place] as const] : [])),
    )
    if (places.size === 0) continue
    const segment = ChunkSegment.open(folder.pathOf(name))
    if (!segment) continue
    folder.touch(name)
    for (const key of places.keys()) left.delete(key)
    found.push({ name, segment, places })
  }
  return found
}

/** Merges small segments into new ones when there are too many; the old ones stay for whoever else uses them. */
export function mergeSmall(parts: readonly Kept[], folder: IndexFolder): Kept[] {
  const small = parts.filter(({ name, segment }) => name !== null && segment.chunks < fullSegment / 2)
  if (small.length <= mostSmall) return [...parts]
  const merged: Kept[] = []
  let builder = new ChunkSegmentBuilder()
  for (const [at, { segment, places }] of small.entries()) {
    builder.addFrom(
      segment,
      [...places.values()].sort((a, b) => a - b),
    )
    if (builder.chunks < fullSegment && at < small.length - 1) continue
    merged.push(finishSegment(builder, folder))
    builder = new ChunkSegmentBuilder()
  }
  return [...parts.filter((part) => !small.includes(part)), ...merged]
}

/** Writes what was gathered, if there is a folder; what cannot be written is used from memory. */
export function finishSegment(builder: ChunkSegmentBuilder, folder: IndexFolder | null): Kept {
  const bytes = builder.finish()
  const segment = ChunkSegment.of(bytes)
  if (!segment) throw new Error('a segment cannot be read back')
  const places = new Map(Array.from({ length: segment.blobs }, (_, place) => [segment.keyAt(place), place]))
  const name = nameFor(bytes, segmentEnding)
  const isKept = folder !== null && folder.write(name, bytes) === null
  return { name: isKept ? name : null, segment, places }
}

// Reads, parses and cuts the files whose blobs no segment has yet.

type Missing = { path: string; key: string }

type Cut = {
  segments: Kept[]
  /** A file was cut as text for a reason that may not hold the next time; it is in memory only. */
  isPassing: boolean
}

const filesAtOnce = 300

/** Reasons that hold for the text itself; under load a file may fail that is parsed the next time. */
const lastingReasons: ReadonlySet<ParseFailure['reason']> = new Set(['too-large', 'too-deep', 'minified'])

export async function cutMissing(
  snapshot: RepoSnapshot,
  store: FactStore,
  missing: readonly Missing[],
  folder: IndexFolder | null,
): Promise<Cut> {
  const segments: Kept[] = []
  const passing = new ChunkSegmentBuilder()
  let builder = new ChunkSegmentBuilder()
  const once = [...new Map(missing.toReversed().map((file) => [file.key, file])).values()].reverse()
  for (let from = 0; from < once.length; from += filesAtOnce) {
    const files = once.slice(from, from + filesAtOnce)
    const texts = await snapshot.readMany(files.map(({ path }) => path))
    const readable = files.flatMap(({ path, key }) => {
      const file = texts.get(path)
      return file ? [{ path, key, blob: file.blob, text: file.text }] : []
    })
    const facts = await store.facts(readable)
    const given = new Map(store.failures.map(({ path, reason }) => [path, reason]))
    for (const { path, key, text } of readable) {
      const known = facts.get(path) ?? null
      const target = known === null && mayBeParsed(path, given.get(path)) ? passing : builder
      target.addBlob(key, cutBlob(text, known))
      if (builder.chunks < fullSegment) continue
      segments.push(finishSegment(builder, folder))
      builder = new ChunkSegmentBuilder()
    }
  }
  if (builder.size > 0) segments.push(finishSegment(builder, folder))
  const isPassing = passing.size > 0
  if (isPassing) segments.push(finishSegment(passing, null))
  return { segments, isPassing }
}

/** A language that we know, and no lasting reason against this file. */
function mayBeParsed(path: string, reason: ParseFailure['reason'] | undefined): boolean {
  const language = languageOf(path)
  if (language === null || !languages.has(language)) return false
  return reason === undefined || !lastingReasons.has(reason)
}
