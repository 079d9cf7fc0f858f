/** Fills a `FlatTree` straight from the parser's memory, some seven times quicker than a cursor does. */
import type { FlatTree, TreeBuffers } from '../extraction/flat-tree.ts'

/** What an open node keeps: one row of numbers in `frames`. */
const frame = {
  /** Where its next child is, how many are left, and how many came that are no extras. */
  next: 0,
  left: 1,
  position: 2,
  /** Its aliases by position (in halves; 0 for none) and the entries of its fields (in words). */
  aliases: 3,
  fields: 4,
  fieldsEnd: 5,
  /** Where the text read so far ends. */
  offset: 6,
  /** Its own number, −1 when it is hidden; that of the nearest seen node; the field a hidden node hands on. */
  self: 7,
  parent: 8,
  field: 9,
} as const
const frameLength = 10

/** Only garbage is deeper, or has more children. */
const deepest = 1 << 20
const mostChildren = 1 << 22

/** `named`: by public symbol. `errorKind`: the kind of what could not be understood. */
export type SymbolWords = { named: Uint8Array; errorKind: number }

/** The buffer is another one after the memory has grown. */
export type ParserMemory = { readonly buffer: ArrayBuffer }

export class MemoryTrees {
  private readonly memory: ParserMemory
  private readonly buffers: TreeBuffers
  private words = new Uint32Array(0)
  private halves = new Uint16Array(0)
  private frames: Int32Array = new Int32Array(frameLength << 8)
  private top = -frameLength
  private language = 0
  private publicSymbols = 0
  /** The child that `see` has looked at last. */
  private padding = 0
  private size = 0
  private symbol = 0
  private childCount = 0
  private isVisible = false
  private isExtra = false
  private isMissing = false

  constructor(memory: ParserMemory, buffers: TreeBuffers) {
    this.memory = memory
    this.buffers = buffers
  }

  /**
   * `address` is the tree's; nodes of `leaves`, by kind, have no children of interest.
   * Throws when the memory cannot be what it is taken for.
   */
  read(address: number, { named, errorKind }: SymbolWords, leaves: readonly unknown[]): FlatTree {
    this.start(address)
    const { buffers } = this
    const root = this.word(address + treeLayout.root)
    const watchMissing = this.word(root + nodeLayout.errorCost) > 0
    const missing: number[] = []
    let { kinds, fields, starts, ends, parents, afters } = buffers
    let size = 0
    /** The place of the node to be noted next; the root is in no other. */
    this.padding = this.word(root + nodeLayout.padding)
    let [start, field, parent] = [this.padding, 0, -1]
    let node = root
    this.symbol = this.half(root + nodeLayout.symbol)
    this.size = this.word(root + nodeLayout.size)
    this.childCount = this.word(root + nodeLayout.childCount)
    for (;;) {
      const symbol = this.shown(this.symbol)
      // Bare tokens have no named children.
      if (symbol === errorSymbol || named[symbol] === 1) {
        if (size === kinds.length) ({ kinds, fields, starts, ends, parents, afters } = buffers.grow())
        const self = size++
        kinds[self] = symbol === errorSymbol ? errorKind : symbol
        fields[self] = field
        starts[self] = start >> unitShift
        ends[self] = (start + this.size) >> unitShift
        parents[self] = parent
        afters[self] = size
        if (this.childCount > 0 && !leaves[symbol]) this.open(node, start - this.padding, self, self, 0)
      }
      // On to the next node that is seen.
      for (;;) {
        const { frames, top } = this
        if (top < 0) return { size, missing, kinds, fields, starts, ends, parents, afters }
        const left = frames[top + frame.left] ?? 0
        if (left === 0) {
          const closed = frames[top + frame.self] ?? -1
          if (closed >= 0) afters[closed] = size
          this.top -= frameLength
          continue
        }
        frames[top + frame.left] = left - 1
        const child = frames[top + frame.next] ?? 0
        frames[top + frame.next] = child + childBytes
        node = this.see(child)
        const from = frames[top + frame.offset] ?? 0
        start = from + this.padding
        frames[top + frame.offset] = start + this.size
        parent = frames[top + frame.parent] ?? -1
        field = this.isExtra ? 0 : this.takePosition(frames, top)
        if (this.isVisible) break
        if (this.childCount > 0) this.open(node, from, -1, parent, field)
      }
      if (watchMissing && this.isMissing) missing.push(start >> unitShift)
    }
  }

  /** The views are worthless once the memory has grown. */
  private start(address: number): void {
    const { buffer } = this.memory
    if (this.words.buffer !== buffer) {
      this.words = new Uint32Array(buffer)
      this.halves = new Uint16Array(buffer)
    }
    this.top = -frameLength
    this.language = this.word(address + treeLayout.language)
    this.publicSymbols = this.word(this.language + languageLayout.publicSymbols) >> 1
    if (this.word(address + treeLayout.root) & smallFlags.small) throw new Error('the root is a small node')
  }

  private word(address: number): number {
    const word = this.words[address >> 2]
    if (word === undefined) throw new Error('an address outside the memory')
    return word
  }

  private half(address: number): number {
    return this.halves[address >> 1] ?? 0
  }

  /** Several symbols may be one to the public. */
  private shown(symbol: number): number {
    return symbol === errorSymbol ? symbol : (this.halves[this.publicSymbols + symbol] ?? 0)
  }

  /** Looks at the child that is here; returns its address, when it has one. */
  private see(child: number): number {
    const { words, halves } = this
    const first = words[child >> 2] ?? 0
    if (first & smallFlags.small) {
      const second = words[(child >> 2) + 1] ?? 0
      this.padding = (second >>> 16) & 255
      this.size = second >>> 24
      this.symbol = (first >>> 8) & 255
      this.childCount = 0
      this.isVisible = (first & smallFlags.visible) !== 0
      this.isExtra = (first & smallFlags.extra) !== 0
      this.isMissing = (first & smallFlags.missing) !== 0
      return first
    }
    this.padding = words[(first + nodeLayout.padding) >> 2] ?? 0
    this.size = words[(first + nodeLayout.size) >> 2] ?? 0
    this.symbol = halves[(first + nodeLayout.symbol) >> 1] ?? 0
    this.childCount = words[(first + nodeLayout.childCount) >> 2] ?? 0
    const flags = halves[(first + nodeLayout.flags) >> 1] ?? 0
    this.isVisible = (flags & nodeFlags.visible) !== 0
    this.isExtra = (flags & nodeFlags.extra) !== 0
    this.isMissing = (flags & nodeFlags.missing) !== 0
    return first
  }

  /** Gives the seen child its position: that may name it otherwise, and has a field or hands on that of its parent. */
  private takePosition(frames: Int32Array, top: number): number {
    const position = frames[top + frame.position] ?? 0
    frames[top + frame.position] = position + 1
    const aliases = frames[top + frame.aliases] ?? 0
    const alias = aliases === 0 ? 0 : (this.halves[aliases + position] ?? 0)
    if (alias !== 0) {
      this.isVisible = true
      this.symbol = alias
    }
    const end = frames[top + frame.fieldsEnd] ?? 0
    for (let entry = frames[top + frame.fields] ?? 0; entry < end; entry++) {
      const word = this.words[entry] ?? 0
      // The upper half is the position alone when the field is not inherited.
      if (word >>> 16 === position && position <= lastFieldPosition) return word & 0xffff
    }
    return frames[top + frame.field] ?? 0
  }

  private open(node: number, offset: number, self: number, parent: number, field: number): void {
    this.top += frameLength
    const { top, words, halves, language } = this
    const count = words[(node + nodeLayout.childCount) >> 2] ?? 0
    if (count > mostChildren || top > deepest * frameLength) throw new Error('no tree is like that')
    if (top + frameLength > this.frames.length) this.growFrames()
    const { frames } = this
    const production = this.half(node + nodeLayout.production)
    const slice = ((words[(language + languageLayout.fieldSlices) >> 2] ?? 0) >> 1) + production * 2
    const entry = ((words[(language + languageLayout.fields) >> 2] ?? 0) >> 2) + (halves[slice] ?? 0)
    frames[top + frame.next] = node - count * childBytes
    frames[top + frame.left] = count
    frames[top + frame.position] = 0
    frames[top + frame.aliases] = production === 0 ? 0 : this.aliasesOf(production)
    frames[top + frame.fields] = entry
    frames[top + frame.fieldsEnd] = entry + (halves[slice + 1] ?? 0)
    frames[top + frame.offset] = offset
    frames[top + frame.self] = self
    frames[top + frame.parent] = parent
    frames[top + frame.field] = field
  }

  private aliasesOf(production: number): number {
    const first = (this.words[(this.language + languageLayout.aliases) >> 2] ?? 0) >> 1
    return first + production * this.half(this.language + languageLayout.maxAliases)
  }

  private growFrames(): void {
    const larger = new Int32Array(this.frames.length * 2)
    larger.set(this.frames)
    this.frames = larger
  }
}

/**
 * How tree-sitter 0.27 lays out its trees in WebAssembly memory: offsets in bytes, flags as bits. No version promises
 * any of it; `tree-reader.ts` compares what is read by it with what the public cursor says.
 */

/** A tree holds its root (8 bytes), then the address of its language. */
const treeLayout = { root: 0, language: 8 } as const

/** A node in a place of its own. Its children come before it, `childBytes` each: a small node, or an address. */
const nodeLayout = {
  padding: 4,
  size: 16,
  errorCost: 32,
  childCount: 36,
  symbol: 40,
  flags: 44,
  production: 66,
} as const
const nodeFlags = { visible: 1, extra: 4, missing: 512 } as const
const childBytes = 8

/** A small node has no children and is all in its 8 bytes. The lowest bit tells it from an address. */
const smallFlags = { small: 1, visible: 2, extra: 8, missing: 32 } as const

/**
 * Where a language keeps its tables: by production, the slice of `fields` (first entry and count, 16 bits each) and the
 * aliases by position. An entry of `fields` is 4 bytes: field (16 bits), position, and whether it is inherited.
 */
const languageLayout = {
  maxAliases: 36,
  fieldSlices: 64,
  fields: 68,
  publicSymbols: 76,
  aliases: 84,
} as const

/** Positions past this do not fit an entry of `fields`. */
const lastFieldPosition = 255

/** What tree-sitter calls a node it could not make sense of. */
export const errorSymbol = 65535

/** Its offsets count bytes of UTF-16: shifted by this, units. */
const unitShift = 1
