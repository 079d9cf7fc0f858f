/** Numbers of evidence: each names one item, also when those before have gaps. */
import { expect, test } from 'vitest'
import { type EvidenceDraft, openEvidenceBook } from '../../src/domain/evidence.ts'

const draft = (text: string): EvidenceDraft => ({
  source: 'file',
  trust: 'foreign',
  title: 'a line',
  path: 'a.ts',
  blob: null,
  side: 'new',
  startLine: 1,
  endLine: 1,
  text,
})

test('what comes in gets the next number, and the same item keeps its number', () => {
  const book = openEvidenceBook([])
  expect(['one', 'two', 'one'].map((text) => book.add(draft(text)))).toEqual(['E1', 'E2', 'E1'])
})

test('numbers of a review, of which only what was cited is kept, are never given to anything else', () => {
  const known = ['E3', 'E7', 'E5'].map((id) => ({ ...draft(`text of ${id}`), id }))
  const book = openEvidenceBook(known)
  expect([book.add(draft('more')), book.add(draft('text of E7')), book.add(draft('still more'))]).toEqual([
    'E8',
    'E7',
    'E9',
  ])
  const ids = book.items.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(book.get('E5')?.text).toBe('text of E5')
})
