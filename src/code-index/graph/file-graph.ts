/** Which files of a tree import which: every import that resolves to a file, or to a folder of files, is an edge. */
import type { FileFacts } from '../contract.ts'
import { languageOf } from '../language-of.ts'
import { type Adjacency, pageRank } from '../query/page-rank.ts'
import type { Meaning, World } from '../resolve/contract.ts'
import { resolveImport } from '../resolve/resolve.ts'

export type FileGraph = {
  /** In path order; the numbers of nodes are places in this list. */
  paths: readonly string[]
  /** Both ways: an importer leads to what it imports, and back at half the weight. */
  edges: Adjacency
}

const backwards = 0.5

/** Parses every file of a known language among `paths`; files without facts have no edges. */
export async function readFileGraph(world: World, paths: readonly string[]): Promise<FileGraph> {
  const sorted = [...new Set(paths)].filter((path) => languageOf(path) !== null).sort()
  const numbers = new Map(sorted.map((path, number) => [path, number]))
  const edges: { to: number; weight: number }[][] = sorted.map(() => [])
  for (const [path, facts] of await world.factsOf(sorted)) {
    const from = numbers.get(path)
    if (from === undefined) continue
    for (const target of await importedFiles(world, path, facts)) {
      const to = numbers.get(target)
      if (to === undefined || to === from) continue
      edges[from]?.push({ to, weight: 1 })
      edges[to]?.push({ to: from, weight: backwards })
    }
  }
  return { paths: sorted, edges }
}

async function importedFiles(world: World, path: string, facts: FileFacts): Promise<Set<string>> {
  const found = new Set<string>()
  const place = { path, facts, enclosing: null, text: null }
  for (const fact of facts.imports)
    for (const target of filesOf(world, await resolveImport(world, place, fact))) found.add(target)
  return found
}

/** A folder taken as a whole (Go, Java) stands for its files, without their tests. */
function filesOf(world: World, meaning: Meaning): readonly string[] {
  if (meaning.kind === 'defined') return meaning.definitions.map(({ path }) => path)
  if (meaning.kind !== 'module') return []
  const { path } = meaning.module
  if (world.paths.has(path)) return [path]
  return world.paths.filesIn(path).filter((file) => !/_test\.go$/.test(file))
}

// Which files are near some others in that graph.

type RankedFile = { path: string; score: number }

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
