/** What a child builds for whole trees out of records and segments; the process that asks stays free meanwhile. */
import { decodeRecord } from '../cache/record.ts'
import { buildChunks, mergeChunks } from '../segments/build-chunks.ts'
import { buildNames, mergeNames } from '../segments/build-names.ts'
import { ChunkSegment } from '../segments/chunk-segment.ts'
import { NameSegment } from '../segments/name-segment.ts'

/** Records as they are kept; null for a blob that is not text. */
export type MergeTask =
  | {
      kind: 'names'
      units: readonly { blob: string; language: string; bytes: number; record: Uint8Array | null }[]
    }
  | { kind: 'merged names'; segments: readonly Uint8Array[]; keep: readonly (readonly boolean[])[] }
  | { kind: 'chunks'; blobs: readonly { key: string; record: Uint8Array }[] }
  | { kind: 'merged chunks'; segments: readonly { bytes: Uint8Array; places: readonly number[] }[] }

/** The bytes of the segment. Throws when a record or a segment is not whole. */
export function merge(task: MergeTask): Uint8Array {
  switch (task.kind) {
    case 'names':
      return buildNames(unitWords(task.units))
    case 'merged names':
      return mergeNames(
        task.segments.map((bytes) => whole(NameSegment.open(bytes))),
        task.keep,
      )
    case 'chunks':
      return buildChunks(blobSources(task.blobs))
    case 'merged chunks':
      return mergeChunks(
        task.segments.map(({ bytes, places }) => ({ segment: whole(ChunkSegment.of(bytes)), places })),
      )
  }
}

/** One at a time, so that only one record is unpacked. */
function* unitWords(units: Extract<MergeTask, { kind: 'names' }>['units']) {
  for (const { record, ...unit } of units) {
    if (!record) yield { ...unit, state: 'not text' as const, words: null }
    else {
      const { state, words } = decodeRecord(record)
      yield { ...unit, state, words }
    }
  }
}

function* blobSources(blobs: Extract<MergeTask, { kind: 'chunks' }>['blobs']) {
  for (const { key, record } of blobs) yield { key, words: decodeRecord(record).words }
}

function whole<Segment>(segment: Segment | null): Segment {
  if (!segment) throw new Error('a segment that is not whole')
  return segment
}
