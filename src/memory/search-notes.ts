/** Finds texts by the words of a query, with the ranking that the search over code uses. Pure. */
import { type Postings, searchWords } from '../code-index/lexical/bm25.ts'
import { termsOf } from '../code-index/lexical/terms.ts'
import type { MemoryNote } from '../domain/memory.ts'
import { scopeWords } from './note-file.ts'

/** Best first; a note without a word of the query is not among them. */
export function searchNotes<Note extends MemoryNote>(
  notes: readonly Note[],
  query: string,
  limit: number,
): Note[] {
  const texts = notes.map((note) =>
    [note.name, note.text, scopeWords(note), note.effect?.rule ?? '', note.origin].join('\n'),
  )
  return searchTexts(texts, query, limit).flatMap((at) => notes[at] ?? [])
}

/** Indexes of the texts that have words of the query, best first. */
export function searchTexts(texts: readonly string[], query: string, limit: number): number[] {
  return searchWords(postingsOf(texts), termsOf(query), limit).map(({ document }) => document)
}

function postingsOf(texts: readonly string[]): Postings {
  const counted = texts.map((text) => {
    const counts = new Map<string, number>()
    for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
    return { counts, length: [...counts.values()].reduce((sum, one) => sum + one, 0) }
  })
  return {
    size: counted.length,
    totalLength: counted.reduce((sum, { length }) => sum + length, 0),
    lengthOf: (document) => counted[document]?.length ?? 0,
    postingsOf(word) {
      const found = counted.flatMap(({ counts }, document) => {
        const times = counts.get(word)
        return times === undefined ? [] : [{ document, times }]
      })
      return { documents: found.map(({ document }) => document), counts: found.map(({ times }) => times) }
    },
  }
}
