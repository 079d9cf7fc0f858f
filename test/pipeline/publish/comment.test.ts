/** What a comment shows without a click fits into ten seconds: what, why in two sentences, the one quote, the fix. */
import { expect, test } from 'vitest'
import type { Finding } from '../../../src/domain/finding.ts'
import { commentBody } from '../../../src/pipeline/publish/sync/bodies.ts'
import { sampleEvidence, sampleFinding, sampleReview } from '../../helpers/sample-review.ts'

const mostShown = 1200

/** Without what is behind a click. */
function shownOf(body: string): string {
  let text = body
  for (;;) {
    const less = text.replace(/<details><summary>((?!<details>)[\s\S])*?<\/details>/, '')
    if (less === text) return text
    text = less
  }
}

function bodyOf(overrides: Partial<Finding>): string {
  const finding = sampleFinding(overrides)
  const evidence = [sampleEvidence(), sampleEvidence({ id: 'E2', text: 'x'.repeat(5000) })]
  const review = sampleReview({ findings: [finding], evidence })
  return commentBody(review, finding, { fence: 'suggestion', link: undefined, room: 60_000 })
}

test('headline, why, quote and fix are seen; evidence, checks and the task for an agent are a click away', () => {
  const body = bodyOf({})
  const shown = shownOf(body)
  expect(shown).toContain('now needs 2 arguments')
  expect(shown).toContain('fails to compile. It was not updated')
  expect(shown).toContain('parse(input)')
  expect(shown).toContain('**Fix:** Pass `strict`')
  expect(shown).toContain('Finding `ffffffff`')
  expect(shown).not.toMatch(/Evidence|confirmed by|agent/)
  expect(body).toContain('Evidence (1) and how it was verified')
  expect(body).toContain('Ask an agent to fix this')
})

const sentence = 'It reads a value that was freed, as `free(a.b)` and `use(a.b)` show. '
const edit = { path: 'src/parse.ts', startLine: 12, endLine: 12, replacement: 'return strict\n'.repeat(300) }

test.each([
  ['a long explanation', { explanation: sentence.repeat(50) }],
  ['one endless sentence', { explanation: 'and then '.repeat(400).trim() }],
  ['one endless word', { explanation: 'x'.repeat(4000) }],
  ['a long fix', { remedy: 'Pass `strict`. '.repeat(60) }],
  ['a long suggestion', { suggestion: edit }],
  ['a long quote', { evidence: [{ evidence: 'E2', quote: 'x'.repeat(5000) }] }],
  ['everything', { explanation: sentence.repeat(50), remedy: sentence.repeat(13), suggestion: edit }],
] as [string, Partial<Finding>][])('%s is cut to what is read, and whole behind a click', (_, overrides) => {
  const body = bodyOf(overrides)
  expect(shownOf(body).length).toBeLessThanOrEqual(mostShown)
  const words = overrides.explanation?.trim().split(/\s+/).at(-1) ?? ''
  expect(body.replaceAll('\\', '')).toContain(words.replaceAll('`', ''))
})
