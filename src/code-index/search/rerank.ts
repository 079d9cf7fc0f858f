/** Puts the best of what was fused in order: by a reranker, or else by what the chunks are. */
import { redactStrings, redactText } from '../../base/secrets/redact.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import { RemoteError } from '../../llm/embedding/endpoint.ts'
import type { Reranker } from '../../llm/rerank/contract.ts'
import { identifiersOf, stemsOf } from '../lexical/terms.ts'
import type { ChunkNote } from './contract.ts'
import type { Fused } from './fuse.ts'
import type { ChunkIndex } from './index/chunk-index.ts'
import { readChunks } from './meaning/chunk-texts.ts'

/** So many are looked at; the others keep their places behind them. */
export const rerankedRows = 40

export type RerankRound = {
  /** Who did it. */
  by: string
  order: readonly Fused[]
  /** Those that were looked at, with the scores they were given. */
  rows: { document: number; score: number }[]
  usage: { calls: number; tokens: number }
  limits: string[]
}

/**
 * Texts leave without the secrets that we know. Says in words what the provider did wrong; rejects with the signal's
 * reason only.
 */
export async function rerank(
  { snapshot, index, reranker }: { snapshot: RepoSnapshot; index: ChunkIndex; reranker: Reranker },
  query: string,
  fused: readonly Fused[],
  most: number,
  signal: AbortSignal,
): Promise<RerankRound | { problem: string }> {
  const looked = fused.slice(0, Math.max(rerankedRows, most))
  const chunks = await readChunks(
    snapshot,
    looked.map(({ document }) => index.note(document)),
  )
  try {
    const documents = redactStrings(chunks)
    const { rows, usage } = await reranker.rerank(redactText(query), documents, most, signal)
    const chosen = rows.flatMap(({ index: at, score }) => {
      const row = looked[at]
      return row ? [{ row, score }] : []
    })
    return { by: reranker.name, ...inFront(chosen, fused), usage, limits: [] }
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    return { problem: `the hits could not be reranked by ${reranker.name}: ${error.message}` }
  }
}

/** The chosen first, in their order, then the others in theirs. */
export function inFront(
  chosen: readonly { row: Fused; score: number }[],
  all: readonly Fused[],
): Pick<RerankRound, 'order' | 'rows'> {
  const taken = new Set(chosen.map(({ row }) => row.document))
  return {
    order: [...chosen.map(({ row }) => row), ...all.filter(({ document }) => !taken.has(document))],
    rows: chosen.map(({ row, score }) => ({ document: row.document, score })),
  }
}

// Puts what was fused in order by what the chunks are, when no model does: a chunk whose name and scope are in the words
// of the query comes first, a test later. The weights were chosen on six repositories and held on eight others.

const weights = { name: 2, scope: 1, path: 3, callable: 1.3, test: 0.7, text: 0.8 } as const

const callables: ReadonlySet<string> = new Set(['function', 'method', 'macro'])

const testPath =
  /(?:^|\/)(?:tests?|__tests__|testdata|specs?|examples?|benchmarks?)\/|[._-](?:test|spec)s?\.|Tests?\.\w+$/i

/** Asks no model, reads no text. Equal scores stay in the order given. */
export function orderByStructure(index: ChunkIndex, query: string, fused: readonly Fused[]): RerankRound {
  const names = identifiersOf(query)
  const asked: Asked = { words: new Set(names.flatMap(stemsOf)), isOneName: names.length === 1 }
  const chosen = fused
    .slice(0, rerankedRows)
    .map((row, at) => ({ row, at, score: row.score * worthOf(index.note(row.document), asked) }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
  return { by: 'structure', ...inFront(chosen, fused), usage: { calls: 0, tokens: 0 }, limits: [] }
}

/** Stems of the query's words. Who writes one name wants that name, wherever it is, and not one like it. */
type Asked = { words: ReadonlySet<string>; isOneName: boolean }

function worthOf({ path, symbol, language }: ChunkNote, { words, isOneName }: Asked): number {
  const inPath = new Set(identifiersOf(path).flatMap(stemsOf))
  // Several words that are all in a path name the file.
  if (words.size > 1 && [...words].every((word) => inPath.has(word))) return weights.path
  const place = !words.has('test') && testPath.test(path) ? weights.test : 1
  if (language === null) return place * (isOneName ? 1 : weights.text)
  if (!symbol) return place
  const shares = [shareIn(symbol.name, words), shareIn(symbol.scope, words)]
  const [name = 0, scope = 0] = shares.map((share) => (isOneName && share < 1 ? 0 : share))
  const worth = 1 + weights.name * name + weights.scope * scope
  return place * worth * (callables.has(symbol.kind) && !isOneName ? weights.callable : 1)
}

/** The share of the name's words that the query has. */
function shareIn(name: string, words: ReadonlySet<string>): number {
  const parts = identifiersOf(name).flatMap(stemsOf)
  if (parts.length === 0) return 0
  return parts.filter((part) => words.has(part)).length / parts.length
}
