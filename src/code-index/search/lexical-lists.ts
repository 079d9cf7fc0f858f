/** The lists that need no model: by words, by names and by paths. */
import type { Scored } from '../lexical/best-rows.ts'
import { searchWords } from '../lexical/bm25.ts'
import { termsOf } from '../lexical/terms.ts'
import type { StageName } from './contract.ts'
import type { WeightedList } from './fuse.ts'
import type { TreeIndex } from './index/tree-index.ts'
import { matchNames, matchPaths, readQuery, sameName } from './match-names.ts'

/** A path says less than a name or a text does; who writes a name out wants what is called so. */
const weights: Readonly<Record<StageName, number>> = { words: 1, names: 1, paths: 0.5, meaning: 1 }
const namedWeight = 2

export type LexicalLists = {
  lists: Readonly<Record<Exclude<StageName, 'meaning'>, readonly Scored[]>>
  /** Names that are written out in the query, in order. */
  names: readonly string[]
}

export function lexicalLists(index: TreeIndex, text: string, rows: number): LexicalLists {
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

export function weigh({ lists }: LexicalLists, meaning: readonly Scored[]): WeightedList[] {
  const isNamed = (lists.names[0]?.score ?? 0) >= sameName
  return [
    { name: 'words', weight: weights.words, rows: lists.words },
    { name: 'names', weight: isNamed ? namedWeight : weights.names, rows: lists.names },
    { name: 'paths', weight: weights.paths, rows: lists.paths },
    { name: 'meaning', weight: weights.meaning, rows: meaning },
  ]
}
