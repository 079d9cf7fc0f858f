/** Which files stand near some others in the graph of imports? */
import type { FileGraph } from './file-graph.ts'
import { pageRank } from './page-rank.ts'

export type RankedFile = { path: string; score: number }

/** Best first, equal ones in path order; files that no way leads to are left out. Seeds are among them. */
export function rankFiles(
  { paths, edges }: FileGraph,
  seeds: ReadonlyMap<string, number>,
  limit: number,
): RankedFile[] {
  const numbered = new Map<number, number>()
  for (const [number, path] of paths.entries()) {
    const weight = seeds.get(path)
    if (weight !== undefined && weight > 0) numbered.set(number, weight)
  }
  const ranks = pageRank(edges, numbered)
  return paths
    .map((path, number) => ({ path, score: ranks[number] ?? 0, number }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, limit)
    .map(({ path, score }) => ({ path, score }))
}
