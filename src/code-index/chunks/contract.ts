/** A piece of one file that can be found and shown by itself. The chunks of a file cover each of its lines once. */
import type { SymbolKind } from '../../domain/code-symbol.ts'

export type Chunk = {
  path: string
  /** Null for a file that is text only. */
  language: string | null
  /** 1-based, inclusive. */
  startLine: number
  endLine: number
  /** The definition that the chunk is, or the one whose head or part it is; null for what is between definitions. */
  symbol: { name: string; scope: string; kind: SymbolKind } | null
  /** Names of all definitions whose name is in the chunk, in order. */
  defines: readonly string[]
  /** One line on where it is: path, language and enclosing scope. Part of what is searched. */
  prefix: string
  text: string
}

/** In lines, unless noted. */
export type ChunkLimits = {
  /** A definition stays whole up to here. */
  whole: number
  /** Text without definitions is cut at the first blank line from here on. */
  block: number
  /** Text without blank lines is cut here. */
  longestBlock: number
  /** UTF-16 units; what is beyond is left out of the chunk. */
  characters: number
}

export const defaultChunkLimits: ChunkLimits = { whole: 300, block: 40, longestBlock: 80, characters: 40_000 }
