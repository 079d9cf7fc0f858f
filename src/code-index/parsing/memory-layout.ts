/**
 * How tree-sitter 0.27 lays out its trees in WebAssembly memory: offsets in bytes, flags as bits. No version promises
 * any of it; `tree-reader.ts` compares what is read by it with what the public cursor says.
 */

/** A tree holds its root (8 bytes), then the address of its language. */
export const treeLayout = { root: 0, language: 8 } as const

/** A node in a place of its own. Its children stand before it, `childBytes` each: a small node, or an address. */
export const nodeLayout = {
  padding: 4,
  size: 16,
  errorCost: 32,
  childCount: 36,
  symbol: 40,
  flags: 44,
  production: 66,
} as const
export const nodeFlags = { visible: 1, extra: 4, missing: 512 } as const
export const childBytes = 8

/** A small node has no children and is all in its 8 bytes. The lowest bit tells it from an address. */
export const smallFlags = { small: 1, visible: 2, extra: 8, missing: 32 } as const

/**
 * Where a language keeps its tables: by production, the slice of `fields` (first entry and count, 16 bits each) and the
 * aliases by position. An entry of `fields` is 4 bytes: field (16 bits), position, and whether it is inherited.
 */
export const languageLayout = {
  maxAliases: 36,
  fieldSlices: 64,
  fields: 68,
  publicSymbols: 76,
  aliases: 84,
} as const

/** Positions past this do not fit an entry of `fields`. */
export const lastFieldPosition = 255

/** What tree-sitter calls a node it could not make sense of. */
export const errorSymbol = 65535

/** Its offsets count bytes of UTF-16: shifted by this, units. */
export const unitShift = 1
