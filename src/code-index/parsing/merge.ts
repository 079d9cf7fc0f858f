/** What a child builds for whole trees out of records and segments; the process that asks stays free meanwhile. */
import { decodeRecord } from '../cache/record.ts'
import { buildChunks, mergeChunks } from '../segments/build-chunks.ts'
import { buildNames, mergeNames } from '../segments/build-names.ts'
import { ChunkSegment } from '../segments/chunk-segment.ts'
import { NameSegment } from '../segments/name-segment.ts'

/** Records as they are kept, one for each unit or key; null for a blob that is not text. */
export type MergeTask =
  | {
      kind: 'names'
      units: readonly { blob: string; language: string; bytes: number }[]
      records: readonly (Uint8Array | null)[]
    }
  | { kind: 'merged names'; segments: readonly Uint8Array[]; keep: readonly (readonly boolean[])[] }
  | { kind: 'chunks'; keys: readonly string[]; records: readonly (Uint8Array | null)[] }
  | { kind: 'merged chunks'; segments: readonly { bytes: Uint8Array; places: readonly number[] }[] }

/** The bytes of the segment. Throws when a record or a segment is not whole. */
export function merge(task: MergeTask): Uint8Array {
  switch (task.kind) {
    case 'names':
      return buildNames(unitWords(task))
    case 'merged names':
      return mergeNames(
        task.segments.map((bytes) => whole(NameSegment.open(bytes))),
        task.keep,
      )
    case 'chunks':
      return buildChunks(blobSources(task))
    case 'merged chunks':
      return mergeChunks(
        task.segments.map(({ bytes, places }) => ({ segment: whole(ChunkSegment.of(bytes)), places })),
      )
  }
}

/** One at a time, so that only one record is unpacked. */
function* unitWords({ units, records }: Extract<MergeTask, { kind: 'names' }>) {
  for (const [at, unit] of units.entries()) {
    const record = records[at]
    if (record) {
      const { state, words } = decodeRecord(record)
      yield { ...unit, state, words }
    } else yield { ...unit, state: 'not text' as const, words: null }
  }
}

function* blobSources({ keys, records }: Extract<MergeTask, { kind: 'chunks' }>) {
  for (const [at, key] of keys.entries()) {
    const record = records[at]
    if (record) yield { key, words: decodeRecord(record).words }
  }
}

function whole<Segment>(segment: Segment | null): Segment {
  if (!segment) throw new Error('a segment that is not whole')
  return segment
}
