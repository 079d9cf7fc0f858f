/**
 * Picks how trees are read: from memory once that has given the same as the cursor for the first trees of a grammar,
 * else through the cursor. The choice changes nothing but the time it takes.
 */
import type { Tree, TreeCursor } from 'web-tree-sitter'
import { type FlatTree, TreeBuffers } from '../extraction/flat-tree.ts'
import { errorSymbol, MemoryTrees, type ParserMemory, type SymbolWords } from './memory-tree.ts'

/** Nodes that have to agree before memory is believed: the cursor takes twice as long as the parser did. */
const sampleNodes = 1_000

const buffers = new TreeBuffers()

export class TreeReader {
  private readonly words: SymbolWords
  private readonly leaves: readonly unknown[]
  private fromMemory: MemoryTrees | null
  private compared = 0

  /** `memory`: the parser's; null when it cannot be looked at. `leaves`: kinds of nodes without children. */
  constructor(memory: ParserMemory | null, words: SymbolWords, leaves: readonly unknown[]) {
    this.words = words
    this.leaves = leaves
    this.fromMemory = memory && new MemoryTrees(memory, buffers)
  }

  /** True when trees are read from memory, which the first ones have to justify. */
  get isQuick(): boolean {
    return this.fromMemory !== null && this.compared >= sampleNodes
  }

  /** The tree is valid until the next one is read, by any reader. */
  read(tree: Tree): FlatTree {
    const quick = this.quickly(tree)
    if (quick && (this.compared >= sampleNodes || this.agrees(tree, quick))) return quick
    return readByCursor(tree, buffers, this.words, this.leaves)
  }

  /** Compares the beginning of the tree, and notes what came of it. */
  private agrees(tree: Tree, quick: FlatTree): boolean {
    const begun = readByCursor(tree, new TreeBuffers(), this.words, this.leaves, sampleNodes)
    const isSame = begun.size < sampleNodes ? isSameTree(quick, begun) : beginsWith(quick, begun)
    if (isSame) this.compared += begun.size
    else this.fromMemory = null
    return isSame
  }

  private quickly(tree: Tree): FlatTree | null {
    // The address is not part of the public type.
    const address: unknown = Reflect.get(tree, 0)
    if (!this.fromMemory || typeof address !== 'number') return null
    try {
      return this.fromMemory.read(address, this.words, this.leaves)
    } catch {
      this.fromMemory = null
      return null
    }
  }
}

/** The same nodes at the same places. */
export function isSameTree(one: FlatTree, other: FlatTree): boolean {
  return one.size === other.size && one.missing.length === other.missing.length && beginsWith(one, other)
}

/** `begun` may have been cut off: the nodes that were open then do not know yet where they end. */
function beginsWith(whole: FlatTree, begun: FlatTree): boolean {
  if (begun.size > whole.size || begun.missing.some((at, index) => at !== whole.missing[index])) return false
  for (let at = 0; at < begun.size; at++) {
    if (columns.some((column) => whole[column][at] !== begun[column][at])) return false
    if (begun.afters[at] !== stillOpen && whole.afters[at] !== begun.afters[at]) return false
  }
  return true
}

const columns = ['kinds', 'fields', 'starts', 'ends', 'parents'] as const
/** No node is behind itself, so that 0 is no end. */
const stillOpen = 0

// Fills a `FlatTree` through tree-sitter's public cursor: what every quicker way is measured by.

/**
 * `leaves`, by kind: set when nodes of it never have children, which saves asking each. After `most` nodes it ends, and
 * those that are open then keep the `afters` that fresh buffers have.
 */
export function readByCursor(
  tree: Tree,
  buffers: TreeBuffers,
  { named, errorKind }: SymbolWords,
  leaves: readonly unknown[],
  most = Number.POSITIVE_INFINITY,
): FlatTree {
  const cursor = tree.walk()
  const missing: number[] = []
  const watchMissing = tree.rootNode.hasError
  /** The parents of the open nodes; every open node is a parent itself. */
  const parentAt: number[] = []
  let parent = -1
  let size = 0
  const done = (): FlatTree => {
    cursor.delete()
    const { kinds, fields, starts, ends, parents, afters } = buffers
    return { size, missing, kinds, fields, starts, ends, parents, afters }
  }
  for (;;) {
    if (size >= most) return done()
    if (watchMissing && cursor.nodeIsMissing) missing.push(cursor.startIndex)
    const symbol = cursor.nodeTypeId
    let self = -1
    if (symbol === errorSymbol || named[symbol] === 1) {
      if (size === buffers.kinds.length) buffers.grow()
      self = size++
      buffers.kinds[self] = symbol === errorSymbol ? errorKind : symbol
      place(cursor, buffers, self, parent)
    }
    // Bare tokens have no named children.
    if (self >= 0 && !leaves[symbol] && cursor.gotoFirstChild()) {
      parentAt.push(parent)
      parent = self
      continue
    }
    if (self >= 0) buffers.afters[self] = size
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) return done()
      buffers.afters[parent] = size
      parent = parentAt.pop() ?? -1
    }
  }
}

function place(cursor: TreeCursor, buffers: TreeBuffers, self: number, parent: number): void {
  buffers.fields[self] = cursor.currentFieldId
  buffers.starts[self] = cursor.startIndex
  buffers.ends[self] = cursor.endIndex
  buffers.parents[self] = parent
}
