/** Chunks whose definitions are called like the query, and files whose paths have its words. */
import { bestRows, type Scored } from '../lexical/best-rows.ts'
import { stemsOf } from '../lexical/terms.ts'
import { identifiersOf, partsOf } from '../lexical/tokens.ts'
import type { ChunkIndex } from './index/chunk-index.ts'
import { documentsOf } from './index/part.ts'

/** What is asked, in the forms in which names are compared. */
export type Query = {
  /** Identifiers as they are written, and without regard to case. */
  exact: ReadonlySet<string>
  whole: ReadonlySet<string>
  /** Stems of their words. */
  parts: ReadonlySet<string>
  /** How much a word tells, above 0. */
  weightOf: (part: string) => number
}

/** From this score on it is the same name, but for its case at most. */
export const sameName = 1.8

/** Less in common than this is chance. */
const leastName = 0.34
const leastPath = 0.3

export function readQuery(text: string, rarity: (word: string) => number): Query {
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
export function matchNames(index: ChunkIndex, query: Query, limit: number): Scored[] {
  const words = new Set([...query.whole, ...query.parts])
  const scores = new Float64Array(index.size)
  for (const part of index.parts) {
    const { names, nameWords } = part.segment
    const places = new Set([...words].flatMap((word) => nameWords.listOf(word)))
    for (const place of places) {
      const score = nameScore(names.stringAt(place), query)
      for (const mark of score > 0 ? names.listAt(place) : []) {
        const own = (mark & 1) === 1 ? score : score * 0.9
        for (const document of own < leastName ? [] : documentsOf(part, mark >> 1))
          scores[document] = Math.max(scores[document] ?? 0, own)
      }
    }
  }
  return bestRows(scores, limit)
}

/** How much of the query the path tells; a word in a folder's name counts two thirds. One row for a file. */
export function matchPaths(index: ChunkIndex, query: Query, limit: number): Scored[] {
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
