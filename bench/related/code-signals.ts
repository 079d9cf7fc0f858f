/** What the code of the tree itself says: files near the seed in the graph of imports, and files with its words. */
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { rankFiles, readFileGraph } from '../../src/code-index/graph/file-graph.ts'
import type { SignalScores } from '../../src/code-index/related/signals.ts'
import { openWorld } from '../../src/code-index/resolve/world.ts'
import { openCodeSearch } from '../../src/code-index/search/search.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import type { RelatedSignal } from './fuse-signals.ts'

const queryNames = 40

export async function readCodeSignals(
  repository: string,
  commit: string,
  seed: string,
  cacheFolder: string | null,
): Promise<Partial<Record<RelatedSignal, SignalScores>>> {
  const selector = { kind: 'commit', commit } as const
  const change = await collectLocal({ folder: repository, selector, limits: defaultConfig.limits })
  const store = createFactStore({ cacheFolder })
  try {
    const { head } = change
    const world = await openWorld(head, store, [])
    const paths = (await head.list()).map(({ path }) => path)
    const graph = rankFiles(await readFileGraph(world, paths), new Map([[seed, 1]]), 100)
    const search = await openCodeSearch(head, store, { cacheFolder })
    const facts = await world.facts(seed)
    const names = (facts?.symbols ?? [])
      .map(({ name }) => name)
      .filter((name) => name.length > 2 && !/\s/.test(name))
    const query = [...new Set(names)].slice(0, queryNames).join(' ')
    const { stages } = query === '' ? { stages: { words: [] } } : await search.search(query, 10)
    const words = new Map<string, number>()
    for (const { path, score } of stages.words) words.set(path, Math.max(score, words.get(path) ?? 0))
    return { graph: new Map(graph.map(({ path, score }) => [path, score])), words }
  } finally {
    await Promise.all([store.close(), change.close()])
  }
}
