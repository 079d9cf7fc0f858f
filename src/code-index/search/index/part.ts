/** One segment as a part of a tree: which of its chunks are which documents. */
import type { ChunkSegment } from '../segment/segment.ts'

/** Stands for a chunk that no file of the tree has. */
export const dead = -1

/** The documents of one segment in this tree. */
export type Part = {
  segment: ChunkSegment
  /** Per chunk its document in the first file that has it, or `dead`. */
  documents: Int32Array
  /** Steps from the first to the further files with the same blob, by chunk. */
  copies: Map<number, number[]>
}

/** Every document that is this chunk; none when no file of the tree has it. */
export function documentsOf({ documents, copies }: Part, chunk: number): readonly number[] {
  const first = documents[chunk] ?? dead
  if (first === dead) return []
  const more = copies.get(chunk)
  return more ? [first, ...more] : [first]
}
