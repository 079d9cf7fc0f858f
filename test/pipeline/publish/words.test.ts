import { expect, test } from 'vitest'
import { evidencePlace, evidenceTitle } from '../../../src/pipeline/publish/words.ts'
import { sampleEvidence } from '../../helpers/sample-review.ts'

test.each([
  [
    'grep::{"case_sensitive":false,"path":"docs","query":"max-age","regex":false,"side":"head"}',
    'grep docs max-age',
  ],
  ['find_references::{"path":"","symbol":"total"}', 'find references total'],
  ['grep::{"query":"cut o', 'grep::{"query":"cut o'],
  ['the function `total` around the finding', 'the function `total` around the finding'],
])('the call of a tool is told in words: %s', (title, words) => {
  expect(evidenceTitle({ title })).toBe(words)
  expect(evidencePlace(sampleEvidence({ title, path: null }))).toBe(words)
})
