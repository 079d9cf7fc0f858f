/** Chunks whose definitions are called like the query, and files whose paths have its words. */
import type { Scored } from '../lexical/bm25.ts'
import { identifiersOf, partsOf } from '../lexical/tokens.ts'
import type { ChunkNote } from './contract.ts'

/** What is asked, in the forms in which names are compared. */
export type Query = {
  /** Identifiers as they are written, and without regard to case. */
  exact: ReadonlySet<string>
  whole: ReadonlySet<string>
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
  const parts = new Set(names.flatMap(partsOf).filter(({ length }) => length > 1))
  // One word among several is a word; alone, or made of several, it is a name.
  const isName = (name: string): boolean => names.length === 1 || partsOf(name).length > 1
  const exact = new Set(names.filter(isName))
  return { exact, whole: new Set([...exact].map((name) => name.toLowerCase())), parts, weightOf: rarity }
}

/**
 * 3 for a name as it is written, 2 when only its case differs, else up to 1 by what the words in common tell. What a
 * chunk is counts in full, what it merely holds a little less. Best first, then in order of chunks.
 */
export function matchNames(chunks: readonly ChunkNote[], query: Query, limit: number): Scored[] {
  const known = new Map<string, number>()
  const scoreOf = (name: string): number => {
    const before = known.get(name)
    if (before !== undefined) return before
    const score = nameScore(name, query)
    known.set(name, score)
    return score
  }
  return best(
    chunks,
    ({ symbol, defines }) => {
      const held = defines.reduce((most, name) => Math.max(most, scoreOf(name)), 0)
      const score = Math.max(symbol ? scoreOf(symbol.name) : 0, held * 0.9)
      return score < leastName ? 0 : score
    },
    limit,
  )
}

/** How much of the query the path tells; a word in a folder's name counts two thirds. One row for a file. */
export function matchPaths(chunks: readonly ChunkNote[], query: Query, limit: number): Scored[] {
  const all = sum(query.parts, query.weightOf)
  let last = ''
  return best(
    chunks,
    ({ path }) => {
      if (path === last || all === 0) return 0
      last = path
      const slash = path.lastIndexOf('/') + 1
      const folder = new Set(identifiersOf(path.slice(0, slash)).flatMap(partsOf))
      const own = new Set(identifiersOf(path.slice(slash)).flatMap(partsOf))
      const found = sum(query.parts, (part) => {
        if (own.has(part)) return query.weightOf(part)
        return folder.has(part) ? (query.weightOf(part) * 2) / 3 : 0
      })
      return found / all < leastPath ? 0 : found / all
    },
    limit,
  )
}

function nameScore(name: string, { exact, whole, parts, weightOf }: Query): number {
  // The title of a test is prose: its words count as text.
  if (/\s/.test(name)) return 0
  if (exact.has(name)) return 3
  if (whole.has(name.toLowerCase())) return 2
  const own = new Set(partsOf(name).filter(({ length }) => length > 1))
  const common = sum(own, (part) => (parts.has(part) ? weightOf(part) : 0))
  return common === 0 ? 0 : (2 * common) / (sum(own, weightOf) + sum(parts, weightOf))
}

function sum(parts: ReadonlySet<string>, worth: (part: string) => number): number {
  let total = 0
  for (const part of parts) total += worth(part)
  return total
}

function best(chunks: readonly ChunkNote[], scoreOf: (chunk: ChunkNote) => number, limit: number): Scored[] {
  const found: Scored[] = []
  for (const [document, chunk] of chunks.entries()) {
    const score = scoreOf(chunk)
    if (score > 0) found.push({ document, score })
  }
  return found.sort((a, b) => b.score - a.score || a.document - b.document).slice(0, limit)
}
