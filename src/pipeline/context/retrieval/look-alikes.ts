/** Similar code: chunks of the near files that share words with the changed lines, or define what those name. */
import { isTestPath } from '../../../base/file-paths.ts'
import type { ChunkWords, IndexStore } from '../../../code-index/contract.ts'
import { languageOf } from '../../../code-index/language-of.ts'
import { type Postings, type Scored, searchWords } from '../../../code-index/lexical/bm25.ts'
import { termsOf } from '../../../code-index/lexical/terms.ts'
import { fuse } from '../../../code-index/search/fuse.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { Passage } from './contract.ts'

const mostHits = 40
/** Of them, those that define nothing the change names: readers of reviews call most of these noise. */
const mostByWords = 4
const longestPassage = 60

/** How much each of the two lists weighs: who writes a name out most often means what is called so. */
const weights = { words: 1, names: 2 } as const
/** A test, or text that is no code, says less than code with the same words. */
const worth = { test: 0.7, text: 0.8 } as const

type Document = {
  path: string
  chunk: ChunkWords
  /** Words of the path count as words of each of its chunks. */
  ofPath: ReadonlyMap<string, number>
}

/** The best first, equal ones by path and line. `paths` of the head; how often a word is in them decides what it tells. */
export async function lookAlikes(
  head: RepoSnapshot,
  store: IndexStore,
  paths: readonly string[],
  words: readonly string[],
): Promise<Passage[]> {
  if (words.length === 0 || paths.length === 0) return []
  const chosen = new Set(paths)
  const files = (await head.list()).filter(({ path }) => chosen.has(path))
  const readings = await store.readings(files, head)
  const documents = files.flatMap(({ path }): Document[] => {
    const ofPath = countsOf(termsOf(path))
    return (readings.get(path)?.chunks ?? []).map((chunk) => ({ path, chunk, ofPath }))
  })
  const terms = words.flatMap(termsOf)
  const named = namedRows(documents, new Set(words))
  const names = new Map(named.map(({ document, name }) => [document, name]))
  const lists = [
    { name: 'words', weight: weights.words, rows: searchWords(postingsOver(documents), terms, mostHits * 2) },
    { name: 'names', weight: weights.names, rows: named },
  ]
  let byWords = 0
  return fuse(lists)
    .flatMap(({ document, score }) => {
      const found = documents[document]
      return found ? [{ found, document, score: score * worthOf(found.path) }] : []
    })
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .filter(({ document }) => names.has(document) || ++byWords <= mostByWords)
    .slice(0, mostHits)
    .map(({ found: { path, chunk }, document }) => {
      const name = names.get(document)
      return {
        path,
        startLine: chunk.startLine,
        endLine: Math.min(chunk.endLine, chunk.startLine + longestPassage - 1),
        title: name === undefined ? 'has words of the change' : `defines ${name}, a name in the change`,
      }
    })
}

function countsOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

function postingsOver(documents: readonly Document[]): Postings {
  const lengths = documents.map(({ chunk, ofPath }) =>
    [...ofPath.values()].reduce((sum, count) => sum + count, chunk.length),
  )
  return {
    size: documents.length,
    totalLength: lengths.reduce((sum, length) => sum + length, 0),
    lengthOf: (document) => lengths[document] ?? 0,
    postingsOf(word) {
      const found: { documents: number[]; counts: number[] } = { documents: [], counts: [] }
      for (const [document, { chunk, ofPath }] of documents.entries()) {
        const count = (chunk.terms.get(word) ?? 0) + (ofPath.get(word) ?? 0)
        if (count === 0) continue
        found.documents.push(document)
        found.counts.push(count)
      }
      return found
    },
  }
}

/** Chunks that are a definition of one of the names, then those that merely hold one. */
function namedRows(
  documents: readonly Document[],
  names: ReadonlySet<string>,
): (Scored & { name: string })[] {
  const rows = documents.flatMap(({ chunk }, document) => {
    const own = chunk.symbol?.name
    if (own !== undefined && names.has(own)) return [{ document, score: 2, name: own }]
    const held = chunk.defines.find((name) => names.has(name))
    return held === undefined ? [] : [{ document, score: 1, name: held }]
  })
  return rows.sort((a, b) => b.score - a.score || a.document - b.document).slice(0, mostHits)
}

function worthOf(path: string): number {
  if (languageOf(path) === null) return worth.text
  return isTestPath(path) ? worth.test : 1
}
