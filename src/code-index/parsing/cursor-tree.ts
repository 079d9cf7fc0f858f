/** Fills a `FlatTree` through tree-sitter's public cursor: what every quicker way is measured by. */
import type { Tree, TreeCursor } from 'web-tree-sitter'
import type { FlatTree } from '../extraction/flat-tree.ts'
import { errorSymbol } from './memory-layout.ts'
import type { SymbolWords } from './memory-tree.ts'
import type { TreeBuffers } from './tree-buffers.ts'

/** `leaves`, by kind: set when nodes of it never have children, which saves asking each. */
export function readByCursor(
  tree: Tree,
  buffers: TreeBuffers,
  { named, errorKind }: SymbolWords,
  leaves: readonly unknown[],
): FlatTree {
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
      if (!cursor.gotoParent()) {
        cursor.delete()
        const { kinds, fields, starts, ends, parents, afters } = buffers
        return { size, missing, kinds, fields, starts, ends, parents, afters }
      }
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
