/**
 * The graph of code around some definitions and files, read as far as it is needed: callers, callees, types, bases and
 * heirs, imports, tests, members, and files that change together. A whole tree is never resolved for it.
 */
import type { CodeTree } from '../query/contract.ts'
import { type CodeGraph, type GraphEdge, type GraphNode, type Neighbour, nodeKey } from './contract.ts'
import { readInward, readOutward } from './neighbours.ts'

export type NeighbourhoodLimits = {
  /** Steps from a seed; 2 reaches the callers of callers. */
  depth: number
  nodes: number
  /** Neighbours of one node that are followed, in their order; a name used everywhere says little. */
  perNode: number
}

export const defaultNeighbourhood: NeighbourhoodLimits = { depth: 2, nodes: 600, perNode: 60 }

export type NeighbourhoodInput = {
  tree: CodeTree
  seeds: readonly GraphNode[]
  /** Files that change together with a file, as shares of 1; from `readHistorySignals`. */
  changesWith: (path: string) => ReadonlyMap<string, number>
  limits?: Partial<NeighbourhoodLimits>
  /** Asks only seeds, and users of users, who uses them: who else uses what a seed uses is not read. */
  straight?: boolean
  /** Asked between nodes: true ends the reading, and `cut` says so. */
  isOutOfTime?: () => boolean
}

/** Breadth first, in one order. Rejects only for what reading the tree rejects for. */
export async function readNeighbourhood(input: NeighbourhoodInput): Promise<CodeGraph> {
  const { tree, seeds, straight = false, isOutOfTime = () => false } = input
  const limits = { ...defaultNeighbourhood, ...input.limits }
  const collector = new GraphCollector(limits.nodes)
  let level = seeds.flatMap((seed) => collector.enter(seed) ?? [])
  const seedNumbers = [...level]
  const isUser = new Set(level)
  const cut = new Set<string>()
  for (let depth = 1; depth <= limits.depth && level.length > 0; depth++) {
    const next: number[] = []
    for (const number of level) {
      if (isOutOfTime()) {
        cut.add('the time for the graph ran out: farther neighbours are missing')
        break
      }
      const node = collector.nodes[number]
      if (!node) continue
      const asksUsers = !straight || isUser.has(number)
      const found = await neighboursOf(tree, node, input.changesWith, asksUsers)
      if (found.length > limits.perNode)
        cut.add(`only ${limits.perNode} neighbours of each symbol were followed`)
      for (const neighbour of found.slice(0, limits.perNode)) {
        const isNew = !collector.knows(neighbour.node)
        const reached = collector.connect(number, neighbour)
        if (reached === null) cut.add(`more than ${limits.nodes} neighbours: farther ones are missing`)
        else if (isNew) {
          next.push(reached)
          if (asksUsers && neighbour.backwards) isUser.add(reached)
        }
      }
    }
    level = next
  }
  return { nodes: collector.nodes, edges: collector.edges, seeds: seedNumbers, cut: [...cut] }
}

/** The surest first; equal ones stay in the order of path and line. */
async function neighboursOf(
  tree: CodeTree,
  node: GraphNode,
  changesWith: NeighbourhoodInput['changesWith'],
  asksUsers: boolean,
): Promise<Neighbour[]> {
  const partners = node.symbol === null ? [...changesWith(node.path)] : []
  const together = partners.map(([path, share]) => ({
    node: { path, symbol: null, definition: null },
    kind: 'changes with' as const,
    backwards: false,
    confidence: Math.min(1, share),
  }))
  const users = asksUsers ? await readInward(tree, node) : []
  const found = [...(await readOutward(tree, node)), ...users, ...together]
  return found.sort((a, b) => b.confidence - a.confidence)
}

class GraphCollector {
  readonly nodes: GraphNode[] = []
  readonly edges: GraphEdge[] = []
  private readonly numbers = new Map<string, number>()
  private readonly seen = new Set<string>()
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  knows(node: GraphNode): boolean {
    return this.numbers.has(nodeKey(node))
  }

  /** Null when there is no room for it. */
  enter(node: GraphNode): number | null {
    const key = nodeKey(node)
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    if (this.nodes.length >= this.most) return null
    this.numbers.set(key, this.nodes.length)
    return this.nodes.push(node) - 1
  }

  connect(at: number, { node, kind, backwards, confidence }: Neighbour): number | null {
    const other = this.enter(node)
    if (other === null || other === at) return other
    const [from, to] = backwards ? [other, at] : [at, other]
    const key = `${from} ${to} ${kind}`
    if (!this.seen.has(key)) this.edges.push({ from, to, kind, confidence })
    this.seen.add(key)
    return other
  }
}
