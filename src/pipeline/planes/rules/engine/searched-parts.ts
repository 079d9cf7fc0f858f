/** The parts of a syntax tree that are searched: all of it, or what covers given places. */
import type { SgNode } from '@ast-grep/wasm'
import { upperBound } from '../../../../base/upper-bound.ts'
import type { Matcher } from '../rule.ts'
import type { AskedText } from './protocol.ts'

/** `isAlone`: without what is below the node, of which other parts hold what is searched. */
export type SearchedPart = {
  node: SgNode
  isAlone: boolean
  /** In the order of the text; the caller frees them. Nodes below a match may match as well. */
  findAll(matcher: Matcher): SgNode[]
}

/**
 * In lines. A smaller node is searched with all below it, since to pick out its children would cost more. Where that makes too many
 * parts, such as at the first line of a long call, the next size is taken.
 */
const smallNodes = [30, 100, 300, 1_000]
/** The engine compiles what it is asked for each part. */
const mostParts = 12

/** Walking a tree is what costs: where somebody writes in a long file, nearly all of it is left out. The caller frees the nodes. */
export function searchedParts(root: SgNode, places: AskedText['places']): SearchedPart[] {
  if (places === null) return [{ node: root, isAlone: false, findAll: (matcher) => root.findAll(matcher) }]
  for (const smallNode of smallNodes) {
    const parts = partsAt(root, places, smallNode)
    if (parts.length <= mostParts) return parts
    for (const { node } of parts) if (node !== root) node.free()
  }
  return [wholePart(root, places)]
}

function partsAt(node: SgNode, places: readonly number[], smallNode: number): SearchedPart[] {
  const { startLine, endLine } = linesOf(node)
  if (endLine - startLine < smallNode) return [wholePart(node, places)]
  const below = node.children().flatMap((child) => {
    if (covers(child, places)) return partsAt(child, places, smallNode)
    child.free()
    return []
  })
  const findAll = (matcher: Matcher) => (node.matches(matcher) ? (node.find(matcher) ?? []) : [])
  return [{ node, isAlone: true, findAll: (matcher) => [findAll(matcher)].flat() }, ...below]
}

function wholePart(node: SgNode, places: readonly number[]): SearchedPart {
  const findAll = (matcher: Matcher) =>
    node.findAll(matcher).filter((found) => {
      const isThere = covers(found, places)
      if (!isThere) found.free()
      return isThere
    })
  return { node, isAlone: false, findAll }
}

function covers(node: SgNode, places: readonly number[]): boolean {
  const { startLine, endLine } = linesOf(node)
  return upperBound(places, 2 * endLine) > upperBound(places, 2 * startLine - 1)
}

/** 1-based, inclusive. */
export function linesOf(node: SgNode): { startLine: number; endLine: number } {
  const { start, end } = node.range()
  // A node that ends with a line feed ends before the next line.
  const isOfNext = end.column === 0 && end.line > start.line
  return { startLine: start.line + 1, endLine: isOfNext ? end.line : end.line + 1 }
}
