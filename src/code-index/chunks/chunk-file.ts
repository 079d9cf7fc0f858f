/** Cuts one file into chunks: at the bounds of functions and classes where facts tell them, else at blank lines. */

import type { FileFacts } from '../contract.ts'
import { fullName } from '../resolve/symbols.ts'
import { type Chunk, type ChunkLimits, usualChunks } from './contract.ts'
import { cutBlocks } from './cut-blocks.ts'
import { cutUnits, type Piece } from './cut-units.ts'
import { unitsOf } from './units.ts'

/** In order of lines. `facts` is null for a file that is text only; no chunks for an empty file. */
export function chunkFile(
  path: string,
  text: string,
  facts: FileFacts | null,
  limits: Partial<ChunkLimits> = {},
): Chunk[] {
  const caps = { ...usualChunks, ...limits }
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (lines.length === 0) return []
  const units = facts ? unitsOf(facts, caps.whole) : []
  return cutUnits(lines, units).flatMap((piece) =>
    splitLong(lines, piece, caps).map((part) => chunkOf(path, lines, facts, part, caps)),
  )
}

function splitLong(lines: readonly string[], piece: Piece, caps: ChunkLimits): Piece[] {
  const length = piece.to - piece.from + 1
  if (piece.isWhole && length <= caps.whole) return [piece]
  // Parts of a long function may be longer than blocks of text: they belong together.
  const sizes = piece.isWhole ? { ...caps, block: caps.whole / 2, longestBlock: caps.whole } : caps
  return cutBlocks(lines, piece, sizes).map((range) => ({ ...piece, ...range }))
}

function chunkOf(
  path: string,
  lines: readonly string[],
  facts: FileFacts | null,
  { from, to, symbol: index }: Piece,
  { characters }: ChunkLimits,
): Chunk {
  const symbol = index === null ? undefined : facts?.symbols[index]
  const language = facts?.language ?? null
  const within = symbol ? ` ${symbol.kind} ${fullName(symbol)}` : ''
  return {
    path,
    language,
    startLine: from,
    endLine: to,
    symbol: symbol ? { name: symbol.name, scope: symbol.scope, kind: symbol.kind } : null,
    defines: (facts?.symbols ?? []).flatMap(({ name, nameLine }) =>
      nameLine >= from && nameLine <= to ? [name] : [],
    ),
    prefix: `${path} (${language ?? 'text'})${within}`,
    text: lines
      .slice(from - 1, to)
      .join('\n')
      .slice(0, characters),
  }
}
