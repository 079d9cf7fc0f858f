import { expect, test } from 'vitest'
import { hiddenTextPlane } from '../../../../src/pipeline/planes/hidden-text/plane.ts'
import { createRepo } from '../../../helpers/git-repo.ts'
import { outcomesOf, reviewCommit } from '../review-commit.ts'

test('each kind of hidden text is one finding on its first line', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const a = 1\n' })
  repo.commit({
    'a.ts':
      'export const a = 1\nconst is\u200bAdmin = true\nconst b\u200b = 2\n// \u202e backwards\nconst sc\u043epe = 1\n',
    'Grüße.md': 'Grüße, 你好 👨‍👩‍👧\n',
  })
  const review = await reviewCommit(hiddenTextPlane, repo.path)
  expect(outcomesOf(review).sort()).toEqual([
    'a.ts:2 hidden-text/zero-width',
    'a.ts:4 hidden-text/bidi',
    'a.ts:5 hidden-text/look-alike',
  ])
  expect(review.findings.find(({ rule }) => rule.endsWith('bidi'))?.explanation).toContain('⟦U+202E⟧')
})

test('a file name with hidden characters is a finding on the file', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'a\n' })
  repo.commit({ 'pay\u202ets.js': 'export {}\n' })
  const { findings } = await reviewCommit(hiddenTextPlane, repo.path)
  expect(findings.map(({ rule }) => rule)).toEqual(['hidden-text/file-name'])
})

test('what the change removes, and what is not text, is left alone', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'const is\u200bAdmin = true\n', 'b.txt': 'b\n' })
  repo.commit({ 'a.ts': 'const isAdmin = true\n', 'b.txt': Buffer.from('caf\xe9\u0007\n', 'latin1') })
  expect(outcomesOf(await reviewCommit(hiddenTextPlane, repo.path))).toEqual([])
})
