/** Fills a `FlatTree` through tree-sitter's public cursor. Buffers are reused: a tree is valid until the next one. */
import type { Tree, TreeCursor } from 'web-tree-sitter'
import type { FlatTree } from '../extraction/flat-tree.ts'
import type { LoadedGrammar } from './grammar.ts'

/** What tree-sitter calls a node it could not make sense of. */
const errorSymbol = 65535

class Buffers {
  kinds = new Uint16Array(1 << 15)
  fields = new Uint16Array(1 << 15)
  starts = new Int32Array(1 << 15)
  ends = new Int32Array(1 << 15)
  parents = new Int32Array(1 << 15)
  afters = new Int32Array(1 << 15)

  grow(): void {
    const size = this.kinds.length * 2
    this.kinds = copyInto(new Uint16Array(size), this.kinds)
    this.fields = copyInto(new Uint16Array(size), this.fields)
    this.starts = copyInto(new Int32Array(size), this.starts)
    this.ends = copyInto(new Int32Array(size), this.ends)
    this.parents = copyInto(new Int32Array(size), this.parents)
    this.afters = copyInto(new Int32Array(size), this.afters)
  }
}

const buffers = new Buffers()

/** `leaves`, by kind: set when nodes of it never have children, which saves asking each. */
export function flatten(tree: Tree, { named, grammar }: LoadedGrammar, leaves: readonly unknown[]): FlatTree {
  const cursor = tree.walk()
  const missing: number[] = []
  const watchMissing = tree.rootNode.hasError
  /** The parents of the open nodes; every open node is a parent itself. */
  const parentAt: number[] = []
  let parent = -1
  let size = 0
  for (;;) {
    if (watchMissing && cursor.nodeIsMissing) missing.push(cursor.startIndex)
    const symbol = cursor.nodeTypeId
    let self = -1
    if (symbol === errorSymbol || named[symbol] === 1) {
      if (size === buffers.kinds.length) buffers.grow()
      self = size++
      buffers.kinds[self] = symbol === errorSymbol ? grammar.kinds.length - 1 : symbol
      place(cursor, self, parent)
    }
    // Bare tokens have no named children.
    if (self >= 0 && !leaves[symbol] && cursor.gotoFirstChild()) {
      parentAt.push(parent)
      parent = self
      continue
    }
    if (self >= 0) buffers.afters[self] = size
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) {
        cursor.delete()
        return { size, missing, ...buffers }
      }
      buffers.afters[parent] = size
      parent = parentAt.pop() ?? -1
    }
  }
}

function place(cursor: TreeCursor, self: number, parent: number): void {
  buffers.fields[self] = cursor.currentFieldId
  buffers.starts[self] = cursor.startIndex
  buffers.ends[self] = cursor.endIndex
  buffers.parents[self] = parent
}

function copyInto<T extends Uint16Array | Int32Array>(target: T, source: T): T {
  target.set(source)
  return target
}
