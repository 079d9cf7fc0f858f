/** Answers one query: lists by words, names, paths and meaning, fused, and the best of them put in order. */
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { Embedder } from '../../llm/embedding/contract.ts'
import type { Reranker } from '../../llm/rerank/contract.ts'
import { termsOf } from '../lexical/terms.ts'
import type { Hit, SearchAnswer, StageRow } from './contract.ts'
import { type Fused, fuse } from './fuse.ts'
import type { ChunkIndex } from './index/chunk-index.ts'
import type { Compared, Meaning } from './meaning/compare.ts'
import { orderByStructure, type RerankRound, rerank } from './rerank.ts'
import { lexicalLists, type Nearness, nearLists, weigh } from './stage-lists.ts'

/** Rows of each list that count. */
const rowsPerStage = 40

/** One open tree and whom to ask. */
export type Searcher = {
  snapshot: RepoSnapshot
  index: ChunkIndex
  meaning: Meaning | null
  embedder: Embedder | null
  reranker: Reranker | null
  problems: readonly string[]
  signal: AbortSignal
}

/** `isWhole`: nothing went wrong on the way. */
type Ordered = RerankRound & { isWhole: boolean }

const nowhere: Nearness = { graph: new Map(), history: new Map() }

/** Finds, fuses, and puts the best in order. With `nearness` the answer is for one place, and no other query's. */
export async function answerQuery(
  searcher: Searcher,
  query: string,
  limit: number,
  nearness: Nearness | null = null,
): Promise<SearchAnswer> {
  const { snapshot, index, meaning, problems, signal } = searcher
  const rows = Math.max(rowsPerStage, limit)
  const lexical = lexicalLists(index, query, rows)
  const { words, names, paths } = lexical.lists
  const first = [...words, ...names, ...paths].map(({ document }) => document)
  const question = { query, names: lexical.names, limit, rows }
  const compared = meaning && (await meaning.compare(question, first, snapshot.tree, signal))
  const found = [...words, ...names, ...paths, ...(compared?.rows ?? [])]
  const near = nearLists(index, found, nearness ?? nowhere, rows)
  const fused = fuse(weigh(lexical, { meaning: compared?.rows ?? [], ...near }))
  const hit = nearness ? null : (compared?.hit ?? null)
  const ordered = hit ? null : await inOrder(searcher, query, fused, limit)
  const order = hit?.order ?? ordered?.order ?? fused
  // What a reranker failed at is not to be given again.
  if (ordered?.isWhole && !nearness) compared?.remember(order.slice(0, rows))
  const hits = await hitsOf(snapshot, index, order.slice(0, limit), query)
  const toRows = (list: readonly Pick<Fused, 'document' | 'score'>[]): StageRow[] =>
    list.map(({ document, score }) => {
      const { path, startLine } = index.note(document)
      return { path, startLine, score: round(score) }
    })
  return {
    query,
    mode: modeOf(searcher, compared),
    hits,
    stages: {
      words: toRows(words),
      names: toRows(names),
      paths: toRows(paths),
      meaning: toRows(compared?.rows ?? []),
      graph: toRows(near.graph),
      history: toRows(near.history),
    },
    fused: toRows(fused.slice(0, rows)),
    reranked: ordered && { by: ordered.by, rows: toRows(ordered.rows), ...ordered.usage },
    meaning: noteOf(searcher, compared, hit),
    nearby: null,
    searched: { files: index.fileCount, chunks: index.size },
    limits: [...index.limits, ...problems, ...(compared?.limits ?? []), ...(ordered?.limits ?? [])],
    emptiness:
      hits.length > 0
        ? null
        : { isEvidence: false, why: 'no text, name or path has a word of it; other words may say the same' },
  }
}

/** By the reranker; by structure when there is none, or when it fails. */
async function inOrder(
  { snapshot, index, reranker, signal }: Searcher,
  query: string,
  fused: readonly Fused[],
  limit: number,
): Promise<Ordered> {
  if (!reranker) return { ...orderByStructure(index, query, fused), isWhole: true }
  const asked = await rerank({ snapshot, index, reranker }, query, fused, limit, signal)
  if ('rows' in asked) return { ...asked, isWhole: true }
  return { ...orderByStructure(index, query, fused), limits: [asked.problem], isWhole: false }
}

function modeOf({ embedder, problems }: Searcher, compared: Compared | null): string {
  if (!embedder && problems.length > 0) return 'lexical and structural: what is configured could not be used'
  if (!embedder) return 'lexical and structural: no embedder is configured, so meaning is not compared'
  if (compared && compared.rows.length > 0) return `lexical, structural, and meaning by ${nameOf(embedder)}`
  return 'lexical and structural: the embedder could not be used'
}

function noteOf(
  { embedder, meaning }: Searcher,
  compared: Compared | null,
  hit: Compared['hit'],
): SearchAnswer['meaning'] {
  if (!embedder || !meaning || !compared) return null
  const { usage } = compared
  const reused = hit && { query: hit.query, cosine: round(hit.cosine) }
  return {
    embedder: nameOf(embedder),
    ...meaning.coverage,
    ...usage,
    cache: { hits: compared.hits(), reused },
  }
}

function nameOf({ id }: Embedder): string {
  return `${id.provider}/${id.model}`
}

// Chunks as they are shown: where they are, and the line that says most of the query.

const longestLine = 200

async function hitsOf(
  snapshot: RepoSnapshot,
  index: ChunkIndex,
  fused: readonly Fused[],
  query: string,
): Promise<Hit[]> {
  const tokens = new Set(termsOf(query))
  const shown = fused.map(({ document, score, ranks }) => ({ chunk: index.note(document), score, ranks }))
  const texts = await snapshot.readMany(shown.map(({ chunk }) => chunk.path))
  return shown.map(({ chunk, score, ranks }) => {
    const { path, startLine, endLine } = chunk
    const lines =
      texts
        .get(path)
        ?.text.split('\n')
        .slice(startLine - 1, endLine) ?? []
    const at = bestLine(lines, tokens)
    const text = (lines[at] ?? '').trim().slice(0, longestLine)
    return { ...chunk, score: round(score), ranks, line: startLine + at, text }
  })
}

/** Six places are more than order needs, and print alike everywhere. */
export function round(score: number): number {
  return Math.round(score * 1e6) / 1e6
}

/** The first of the lines with most different words of the query. */
function bestLine(lines: readonly string[], tokens: ReadonlySet<string>): number {
  let best = { at: 0, count: 0 }
  for (const [at, line] of lines.entries()) {
    const count = new Set(termsOf(line.slice(0, 1_000)).filter((token) => tokens.has(token))).size
    if (count > best.count) best = { at, count }
  }
  return best.at
}
