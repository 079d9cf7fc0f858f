/** The lists of a query that need no model: by words, names and paths, and by nearness; and how much each list weighs. */
import type { HistoryCommit } from '../../domain/snapshot.ts'
import { type FileGraph, rankFiles } from '../graph/file-graph.ts'
import { bestRows, type Scored, searchWords } from '../lexical/bm25.ts'
import { identifiersOf, partsOf, stemsOf, termsOf } from '../lexical/terms.ts'
import { readHistorySignals } from '../related/signals.ts'
import type { StageName } from './contract.ts'
import type { WeightedList } from './fuse.ts'
import { type ChunkIndex, documentsOf } from './index/chunk-index.ts'

/** A path says less than a name or a text does; who writes a name out wants what is called so. Nearness only lifts. */
const weights: Readonly<Record<StageName, number>> = {
  words: 1,
  names: 1,
  paths: 0.5,
  meaning: 1,
  graph: 0.5,
  history: 0.5,
}
const namedWeight = 2

export type LexicalLists = {
  lists: Readonly<Record<'words' | 'names' | 'paths', readonly Scored[]>>
  /** Names that are written out in the query, in order. */
  names: readonly string[]
}

export function lexicalLists(index: ChunkIndex, text: string, rows: number): LexicalLists {
  const query = readQuery(text, (word) => index.rarity(word))
  return {
    lists: {
      words: searchWords(index, termsOf(text), rows),
      names: matchNames(index, query, rows),
      paths: matchPaths(index, query, rows),
    },
    names: [...query.exact].sort(),
  }
}

export function weigh(
  { lists }: LexicalLists,
  more: Readonly<Record<'meaning' | 'graph' | 'history', readonly Scored[]>>,
): WeightedList[] {
  const isNamed = (lists.names[0]?.score ?? 0) >= sameName
  return [
    { name: 'words', weight: weights.words, rows: lists.words },
    { name: 'names', weight: isNamed ? namedWeight : weights.names, rows: lists.names },
    { name: 'paths', weight: weights.paths, rows: lists.paths },
    ...(['meaning', 'graph', 'history'] as const).map((name) => ({
      name,
      weight: weights[name],
      rows: more[name],
    })),
  ]
}

// Chunks whose definitions are called like the query, and files whose paths have its words.

/** What is asked, in the forms in which names are compared. */
type Query = {
  /** Identifiers as they are written, and without regard to case. */
  exact: ReadonlySet<string>
  whole: ReadonlySet<string>
  /** Stems of their words. */
  parts: ReadonlySet<string>
  /** How much a word tells, above 0. */
  weightOf: (part: string) => number
}

/** From this score on it is the same name, but for its case at most. */
const sameName = 1.8

/** Less in common than this is chance. */
const leastName = 0.34
const leastPath = 0.3

function readQuery(text: string, rarity: (word: string) => number): Query {
  const names = identifiersOf(text)
  const parts = new Set(names.flatMap(stemsOf).filter(({ length }) => length > 1))
  // One word among several is a word; alone, or made of several, it is a name.
  const isName = (name: string): boolean => names.length === 1 || partsOf(name).length > 1
  const exact = new Set(names.filter(isName))
  return { exact, whole: new Set([...exact].map((name) => name.toLowerCase())), parts, weightOf: rarity }
}

/**
 * 3 for a name as it is written, 2 when only its case differs, else up to 1 by what the words in common tell. What a
 * chunk is counts in full, what it merely holds a little less. Best first, then in order of chunks.
 */
function matchNames(index: ChunkIndex, query: Query, limit: number): Scored[] {
  const words = new Set([...query.whole, ...query.parts])
  const scores = new Float64Array(index.size)
  for (const part of index.parts) {
    const { names, nameWords } = part.segment
    const places = new Set([...words].flatMap((word) => [...nameWords.listOf(word)]))
    for (const place of places) {
      const score = nameScore(names.text(place), query)
      for (const mark of score > 0 ? names.numbers(place) : []) {
        const own = (mark & 1) === 1 ? score : score * 0.9
        for (const document of own < leastName ? [] : documentsOf(part, mark >> 1))
          scores[document] = Math.max(scores[document] ?? 0, own)
      }
    }
  }
  return bestRows(scores, limit)
}

/** How much of the query the path tells; a word in a folder's name counts two thirds. One row for a file. */
function matchPaths(index: ChunkIndex, query: Query, limit: number): Scored[] {
  const all = sum(query.parts, query.weightOf)
  const found = new Map<number, number>()
  for (const part of query.parts) {
    const weight = query.weightOf(part)
    for (const mark of index.paths.parts.listOf(part)) {
      const worth = (mark & 1) === 1 ? weight : (weight * 2) / 3
      found.set(mark >> 1, (found.get(mark >> 1) ?? 0) + worth)
    }
  }
  const scores = new Float64Array(index.size)
  for (const [file, worth] of found) {
    const { from, to } = index.documentsOfFile(file)
    if (to > from && worth / all >= leastPath) scores[from] = worth / all
  }
  return bestRows(scores, limit)
}

function nameScore(name: string, { exact, whole, parts, weightOf }: Query): number {
  // The title of a test is prose: its words count as text.
  if (/\s/.test(name)) return 0
  if (exact.has(name)) return 3
  if (whole.has(name.toLowerCase())) return 2
  const own = new Set(stemsOf(name).filter(({ length }) => length > 1))
  const common = sum(own, (part) => (parts.has(part) ? weightOf(part) : 0))
  return common === 0 ? 0 : (2 * common) / (sum(own, weightOf) + sum(parts, weightOf))
}

function sum(parts: ReadonlySet<string>, worth: (part: string) => number): number {
  let total = 0
  for (const part of parts) total += worth(part)
  return total
}

// What is near given files: by the graph of imports, and by changing together. These lists add nothing new; they lift
// what the others found in such files.

/** Strength by path. */
export type Nearness = Readonly<Record<'graph' | 'history', ReadonlyMap<string, number>>>

const rankedFiles = 2_000

/** `commits` newest first. Files that are not in the tree are passed over. */
export function readNearness(
  paths: readonly string[],
  graph: FileGraph,
  commits: readonly HistoryCommit[],
): Nearness {
  const seeds = new Map(paths.map((path) => [path, 1]))
  return {
    graph: new Map(rankFiles(graph, seeds, rankedFiles).map(({ path, score }) => [path, score])),
    history: readHistorySignals(commits, paths).direct,
  }
}

/** Of the documents that were found, those in near files, nearest first; all of one file share their rank. */
export function nearLists(
  index: ChunkIndex,
  found: readonly Scored[],
  nearness: Nearness,
  rows: number,
): Record<'graph' | 'history', Scored[]> {
  const documents = [...new Set(found.map(({ document }) => document))].sort((a, b) => a - b)
  const by = (scores: ReadonlyMap<string, number>): Scored[] =>
    documents
      .map((document) => ({ document, score: scores.get(index.note(document).path) ?? 0 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.document - b.document)
      .slice(0, rows)
  return { graph: by(nearness.graph), history: by(nearness.history) }
}
