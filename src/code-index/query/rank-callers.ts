/** Ranks what an impact reached by how much of a walk from the target, against the calls, passes through it. */
import { type Adjacency, pageRank } from '../graph/page-rank.ts'

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
