/** Personalised PageRank: how near each node is to the seeds, counting all ways and not only the shortest. */

/** Per node, its edges; edges between the same two nodes add up. Weights are above 0. */
export type Adjacency = readonly (readonly { to: number; weight: number }[])[]

export type PageRankSettings = {
  /** The chance to go on along an edge rather than to start again at a seed. */
  damping: number
  /** A fixed number, so that the same graph gives the same bytes. */
  iterations: number
}

export const defaultPageRank: PageRankSettings = { damping: 0.85, iterations: 40 }

/**
 * One share for each node; they add up to 1, or to 0 without seeds. What arrives at a node without edges starts again
 * at the seeds. Edges to unknown nodes are left out.
 */
export function pageRank(
  graph: Adjacency,
  seeds: ReadonlyMap<number, number>,
  { damping, iterations }: PageRankSettings = defaultPageRank,
): Float64Array {
  const size = graph.length
  const start = new Float64Array(size)
  const total = [...seeds].reduce((sum, [node, weight]) => sum + (node < size ? weight : 0), 0)
  if (total <= 0) return start
  for (const [node, weight] of seeds) if (node < size) start[node] = weight / total
  const edges = graph.map((list) => list.filter(({ to }) => to < size).toSorted((a, b) => a.to - b.to))
  const outgoing = edges.map((list) => list.reduce((sum, { weight }) => sum + weight, 0))

  let ranks = start.slice()
  for (let round = 0; round < iterations; round++) {
    const next = new Float64Array(size)
    let lost = 0
    for (const [node, list] of edges.entries()) {
      const rank = ranks[node] ?? 0
      const sum = outgoing[node] ?? 0
      if (sum === 0) lost += rank
      else for (const { to, weight } of list) next[to] = (next[to] ?? 0) + (rank * weight) / sum
    }
    for (let node = 0; node < size; node++)
      next[node] =
        damping * ((next[node] ?? 0) + lost * (start[node] ?? 0)) + (1 - damping) * (start[node] ?? 0)
    ranks = next
  }
  return ranks
}

// Ranks what an impact reached by how much of a walk from the target, against the calls, passes through it.

/** Keys of two definitions, and how sure the call is. */
export type Edge = { called: string; caller: string; weight: number }

export function rankByEdges(target: string, edges: readonly Edge[]): ReadonlyMap<string, number> {
  const keys = [...new Set([target, ...edges.flatMap(({ called, caller }) => [called, caller])])].sort()
  const numbers = new Map(keys.map((key, number) => [key, number]))
  const graph: { to: number; weight: number }[][] = keys.map(() => [])
  for (const { called, caller, weight } of edges)
    graph[numbers.get(called) ?? 0]?.push({ to: numbers.get(caller) ?? 0, weight })
  const ranks = pageRank(graph satisfies Adjacency, new Map([[numbers.get(target) ?? 0, 1]]))
  return new Map(keys.map((key, number) => [key, Math.round((ranks[number] ?? 0) * 1e6) / 1e6]))
}
