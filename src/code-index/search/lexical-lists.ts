/** The lists that need no model: by words, by names and by paths. */
import type { Scored } from '../lexical/best-rows.ts'
import { searchWords } from '../lexical/bm25.ts'
import { termsOf } from '../lexical/terms.ts'
import type { StageName } from './contract.ts'
import type { WeightedList } from './fuse.ts'
import type { ChunkIndex } from './index/chunk-index.ts'
import { matchNames, matchPaths, readQuery, sameName } from './match-names.ts'

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
