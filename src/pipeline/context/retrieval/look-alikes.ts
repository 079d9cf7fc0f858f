/** Similar code: chunks of the near files that share words with the changed lines. */
import { isTestPath } from '../../../base/file-paths.ts'
import type { ChunkWords, IndexStore } from '../../../code-index/contract.ts'
import { languageOf } from '../../../code-index/language-of.ts'
import { type Postings, searchWords } from '../../../code-index/lexical/bm25.ts'
import { termsOf } from '../../../code-index/lexical/terms.ts'
import { fuse } from '../../../code-index/search/fuse.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { Passage } from './contract.ts'

/** Readers of reviews call most of what merely has the same words noise. */
const mostHits = 4
const mostCompared = 80
const longestPassage = 60

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
  const rows = searchWords(postingsOver(documents), terms, mostCompared)
  return fuse([{ name: 'words', weight: 1, rows }])
    .flatMap(({ document, score }) => {
      const found = documents[document]
      return found ? [{ ...found, document, score: score * worthOf(found.path) }] : []
    })
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .slice(0, mostHits)
    .map(({ path, chunk }) => ({
      path,
      startLine: chunk.startLine,
      endLine: Math.min(chunk.endLine, chunk.startLine + longestPassage - 1),
      title: 'has words of the change',
    }))
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

function worthOf(path: string): number {
  if (languageOf(path) === null) return worth.text
  return isTestPath(path) ? worth.test : 1
}
