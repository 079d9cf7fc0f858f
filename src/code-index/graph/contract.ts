/** The graph of code around some seeds: what its nodes and edges are. */
import type { SymbolSite } from '../query/contract.ts'
import type { Definition } from '../resolve/contract.ts'

/**
 * Said from the first node of the edge: it `calls` the second, names it as a `type`, `reads` it, `inherits` from it,
 * `imports` it, `tests` it, `holds` it (a file or a type its members), or `changes with` it.
 */
export type EdgeKind =
  | 'calls'
  | 'type'
  | 'reads'
  | 'inherits'
  | 'imports'
  | 'tests'
  | 'holds'
  | 'changes with'

/** A definition, or a file as a whole (its top level). */
export type GraphNode = { path: string; symbol: SymbolSite | null; definition: Definition | null }

export type GraphEdge = {
  /** Places in the list of nodes. */
  from: number
  to: number
  kind: EdgeKind
  /** 0 to 1: how sure the edge is; for `changes with` the share of common changes. */
  confidence: number
}

export type CodeGraph = {
  /** Seeds first, then in the order in which they were reached; the same tree and seeds give the same order. */
  nodes: readonly GraphNode[]
  edges: readonly GraphEdge[]
  seeds: readonly number[]
  /** What was not followed, in words; empty when everything within the depth was. */
  cut: string[]
}

/** A node found from another one. `backwards`: the edge leads from the found node to the one it was found from. */
export type Neighbour = { node: GraphNode; kind: EdgeKind; backwards: boolean; confidence: number }

export function nodeKey({ path, symbol }: Pick<GraphNode, 'path' | 'symbol'>): string {
  return symbol === null ? path : `${path}:${symbol.line}:${symbol.scope}.${symbol.name}`
}
