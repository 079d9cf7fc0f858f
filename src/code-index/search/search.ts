/** Finds chunks by words, by names and by paths, and fuses the three lists. */
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { FactStore } from '../contract.ts'
import { type FileGraph, readFileGraph } from '../graph/file-graph.ts'
import { rankFiles } from '../graph/rank-files.ts'
import type { Scored } from '../lexical/best-rows.ts'
import { searchWords } from '../lexical/bm25.ts'
import { tokensOf } from '../lexical/tokens.ts'
import { openWorld } from '../resolve/world.ts'
import type { Hit, SearchAnswer, StageName, StageRow } from './contract.ts'
import { type Fused, fuse } from './fuse.ts'
import { openTreeIndex } from './index/open-index.ts'
import type { TreeIndex } from './index/tree-index.ts'
import { matchNames, matchPaths, readQuery, sameName } from './match-names.ts'

export interface CodeSearch {
  /**
   * At most `limit` hits, best first; the same query gives the same answer, byte for byte. `nearby` also asks for the
   * files near them, for which every import of the tree is resolved the first time.
   */
  search(query: string, limit: number, options?: { nearby?: boolean }): Promise<SearchAnswer>
}

export type SearchOptions = {
  /** Where the index is kept between runs; null, and when not given, keeps it in memory. */
  cacheFolder?: string | null
}

const rowsPerStage = 100
const longestQuery = 2_000
const longestLine = 200

/** A path says less than a name or a text does; who writes a name out wants what is called so. */
const weights: Readonly<Record<StageName, number>> = { words: 1, names: 1, paths: 0.5 }
const namedWeight = 2

const mode = 'lexical and structural: no embedder is configured, so meaning is not compared'

/** Reads only what no earlier search has kept. The snapshot and the store stay the caller's. Throws `tree-too-large`. */
export async function openCodeSearch(
  snapshot: RepoSnapshot,
  store: FactStore,
  { cacheFolder = null }: SearchOptions = {},
): Promise<CodeSearch> {
  const index = await openTreeIndex(snapshot, store, { cacheFolder })
  let graph: Promise<FileGraph> | null = null
  const readGraph = async (): Promise<FileGraph> => {
    const paths = (await snapshot.list()).map(({ path }) => path)
    return readFileGraph(await openWorld(snapshot, store, []), paths)
  }
  return {
    async search(query, limit, { nearby = false } = {}) {
      const found = await answer(snapshot, index, query.slice(0, longestQuery), limit)
      if (!nearby) return found
      graph ??= readGraph()
      return { ...found, nearby: nearbyFiles(await graph, found.hits) }
    },
  }
}

function nearbyFiles(graph: FileGraph, hits: readonly Hit[]): StageRow[] {
  const seeds = new Map<string, number>()
  for (const { path, score } of hits) seeds.set(path, (seeds.get(path) ?? 0) + score)
  return rankFiles(graph, seeds, rowsPerStage).map(({ path, score }) => ({
    path,
    startLine: 1,
    score: round(score),
  }))
}

async function answer(
  snapshot: RepoSnapshot,
  index: TreeIndex,
  text: string,
  limit: number,
): Promise<SearchAnswer> {
  const query = readQuery(text, (word) => index.rarity(word))
  const tokens = tokensOf(text)
  const lists: Record<StageName, Scored[]> = {
    words: searchWords(index, tokens, rowsPerStage),
    names: matchNames(index, query, rowsPerStage),
    paths: matchPaths(index, query, rowsPerStage),
  }
  const stageNames = ['words', 'names', 'paths'] as const
  const isNamed = (lists.names[0]?.score ?? 0) >= sameName
  const weightOf = (name: StageName) => (name === 'names' && isNamed ? namedWeight : weights[name])
  const fused = fuse(stageNames.map((name) => ({ name, weight: weightOf(name), rows: lists[name] })))
  const hits = await hitsOf(snapshot, index, fused.slice(0, limit), new Set(tokens))
  const rows = (list: readonly Scored[]): StageRow[] =>
    list.map(({ document, score }) => {
      const { path, startLine } = index.note(document)
      return { path, startLine, score: round(score) }
    })
  return {
    query: text,
    mode,
    hits,
    stages: { words: rows(lists.words), names: rows(lists.names), paths: rows(lists.paths) },
    nearby: null,
    searched: { files: index.fileCount, chunks: index.size },
    limits: [...index.limits],
    emptiness:
      hits.length > 0
        ? null
        : { isEvidence: false, why: 'no text, name or path has a word of it; other words may say the same' },
  }
}

async function hitsOf(
  snapshot: RepoSnapshot,
  index: TreeIndex,
  fused: readonly Fused[],
  tokens: ReadonlySet<string>,
): Promise<Hit[]> {
  const shown = fused.map(({ document, score, ranks }) => ({ chunk: index.note(document), score, ranks }))
  const texts = await snapshot.readMany(shown.map(({ chunk }) => chunk.path))
  return shown.map(({ chunk, score, ranks }) => {
    const { path, language, startLine, endLine, symbol } = chunk
    const lines =
      texts
        .get(path)
        ?.text.split('\n')
        .slice(startLine - 1, endLine) ?? []
    const at = bestLine(lines, tokens)
    return {
      path,
      language,
      startLine,
      endLine,
      symbol,
      score: round(score),
      ranks,
      line: startLine + at,
      text: (lines[at] ?? '').trim().slice(0, longestLine),
    }
  })
}

/** The first of the lines with most different words of the query. */
function bestLine(lines: readonly string[], tokens: ReadonlySet<string>): number {
  let best = { at: 0, count: 0 }
  for (const [at, line] of lines.entries()) {
    const count = new Set(tokensOf(line.slice(0, 1_000)).filter((token) => tokens.has(token))).size
    if (count > best.count) best = { at, count }
  }
  return best.at
}

/** Six places are more than order needs, and print alike everywhere. */
function round(score: number): number {
  return Math.round(score * 1e6) / 1e6
}
