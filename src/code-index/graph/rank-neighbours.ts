/** Which neighbours matter most to the seeds, by personalised PageRank, and by which edge each is tied to them. */
import { pageRank } from '../query/page-rank.ts'
import type { CodeGraph, EdgeKind, GraphNode } from './contract.ts'

/** How much of a walk goes along an edge of each kind: with it, and against it. */
const weights: Readonly<Record<EdgeKind, { along: number; against: number }>> = {
  calls: { along: 1, against: 1 },
  tests: { along: 1, against: 0.8 },
  inherits: { along: 1, against: 0.8 },
  type: { along: 0.7, against: 0.4 },
  reads: { along: 0.5, against: 0.5 },
  imports: { along: 0.3, against: 0.3 },
  holds: { along: 0.3, against: 0.5 },
  'changes with': { along: 0.3, against: 0.3 },
}

const reversed: Readonly<Record<EdgeKind, string>> = {
  calls: 'called by',
  tests: 'tested by',
  inherits: 'base of',
  type: 'type used by',
  reads: 'read by',
  imports: 'imported by',
  holds: 'held by',
  'changes with': 'changes with',
}

export type RankedNeighbour = {
  node: GraphNode
  /** Its share of the walk; all shares, the seeds' too, add up to 1. */
  score: number
  /** The strongest edge to what lies nearer to a seed, said from there: `calls`, `called by`, `tested by` … */
  tie: string
  /** The node at the other end of that edge. */
  of: GraphNode
  /** Edges to the nearest seed. */
  steps: number
}

/** Best first, then in the order of the graph. Seeds are left out. */
export function rankNeighbours(graph: CodeGraph): RankedNeighbour[] {
  const { nodes, edges, seeds } = graph
  const ways: Way[][] = nodes.map(() => [])
  for (const { from, to, kind, confidence } of edges) {
    const { along, against } = weights[kind]
    ways[from]?.push({ to, weight: along * confidence, tie: kind === 'type' ? 'uses type' : kind })
    ways[to]?.push({ to: from, weight: against * confidence, tie: reversed[kind] })
  }
  const walkable = ways.map((list) => list.filter(({ weight }) => weight > 0))
  const ranks = pageRank(walkable, new Map(seeds.map((seed) => [seed, 1])))
  const steps = stepsFrom(seeds, walkable)
  const found: RankedNeighbour[] = []
  const ties = tiesOf(walkable, steps)
  for (const [number, node] of nodes.entries()) {
    const tied = ties.get(number)
    const of = tied && nodes[tied.of]
    if (!tied || !of) continue
    found.push({ node, score: round(ranks[number] ?? 0), tie: tied.tie, of, steps: steps[number] ?? 0 })
  }
  return found.sort((a, b) => b.score - a.score)
}

type Way = { to: number; weight: number; tie: string }

/** Per node, its strongest edge from a node that is one step nearer to a seed; the first of equals. */
function tiesOf(ways: readonly (readonly Way[])[], steps: readonly number[]) {
  const ties = new Map<number, { of: number; tie: string; weight: number }>()
  for (const [of, list] of ways.entries())
    for (const { to, weight, tie } of list) {
      if (steps[to] !== (steps[of] ?? 0) + 1) continue
      if (weight > (ties.get(to)?.weight ?? 0)) ties.set(to, { of, tie, weight })
    }
  return ties
}

/** Edges from the nearest seed, by node. */
function stepsFrom(seeds: readonly number[], ways: readonly (readonly { to: number }[])[]): number[] {
  const steps = ways.map(() => Number.POSITIVE_INFINITY)
  let level = [...seeds]
  for (const seed of seeds) steps[seed] = 0
  for (let distance = 1; level.length > 0; distance++) {
    const next: number[] = []
    for (const at of level)
      for (const { to } of ways[at] ?? [])
        if (steps[to] === Number.POSITIVE_INFINITY) {
          steps[to] = distance
          next.push(to)
        }
    level = next
  }
  return steps
}

function round(score: number): number {
  return Math.round(score * 1e6) / 1e6
}
