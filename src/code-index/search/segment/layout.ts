/** What stands in which section of a segment. */
import type { SectionKind } from './section-file.ts'

export const segmentKind: SectionKind = { magic: 'SLsg', version: 1 }

/** Numbers of sections; the three of a list of strings follow each other. */
export const sections = {
  /** 16 bytes a blob. */
  blobKeys: 0,
  /** Two words a blob and two behind the last: its first chunk, its language. */
  blobs: 1,
  /** Six words a chunk: first line, last line, count of words, and name, scope and kind of its symbol. */
  chunks: 2,
  /** 16 bytes a chunk. */
  hashes: 3,
  /** Word → chunk (as a step from the one before) and how often, in turn. */
  words: 4,
  /** Name of a definition → 2 × chunk, plus 1 when the chunk is that definition rather than holds it. */
  names: 7,
  /** Lower-case name, and the stem of each word of it → places in `names`. */
  nameWords: 10,
  /** Names, scopes, kinds and languages as the words above point to them; lists are empty. 0 stands for none. */
  notes: 13,
} as const

export const chunkWords = 6

/** What is known of one chunk besides its words and names; strings are null when there is no symbol. */
export type ChunkRow = {
  startLine: number
  endLine: number
  /** How many words it has. */
  length: number
  name: string | null
  scope: string | null
  kind: string | null
}
