/** Nobody takes source code out of a review by odd bytes in it. */
import { expect, test } from 'vitest'
import { reviewChange } from '../../src/index.ts'
import { createRepo, type Files } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'

async function reviewOf(files: Files) {
  const repo = createRepo()
  repo.commit({ 'src/a.ts': 'export {}\n', 'src/b.ts': 'export {}\n' })
  repo.commit(files)
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const { review } = await reviewChange({
    folder: repo.path,
    selector,
    cacheFolder: null,
    facts: sharedFacts(),
  })
  return review
}

const bug = 'if (a.kind === a.kind) stop()\n'

test('a zero byte in a comment: the finding beside it is reported', async () => {
  const { findings, coverage } = await reviewOf({ 'src/a.ts': `// stray \0 byte\n${'\n'.repeat(30)}${bug}` })
  expect(findings.map(({ rule, startLine }) => [rule, startLine])).toContainEqual(['js/self-comparison', 32])
  expect(findings.map(({ rule, severity, startLine }) => [rule, severity, startLine])).toContainEqual([
    'hidden-text/zero-byte',
    'high',
    1,
  ])
  expect(coverage.files).toMatchObject([{ path: 'src/a.ts', state: 'reviewed' }])
  expect(coverage.limits).toContain('`src/a.ts`: not valid UTF-8, read with replacement characters')
})

test('a zero byte that was there before, and text in another encoding, are no findings', async () => {
  const repo = createRepo()
  repo.commit({ 'src/a.ts': '// stray \0 byte\n', 'src/b.ts': 'export {}\n' })
  repo.commit({
    'src/a.ts': 'export {} // stray \0 byte\n',
    'src/b.ts': Buffer.from('// caf\xe9\n', 'latin1'),
  })
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const { review } = await reviewChange({
    folder: repo.path,
    selector,
    cacheFolder: null,
    facts: sharedFacts(),
  })
  expect(review.findings.map(({ rule }) => rule)).toEqual([])
})

test('many of them: the file is not reviewed, by no rule, and the review is incomplete', async () => {
  const { coverage } = await reviewOf({ 'src/a.ts': `// ${'\0'.repeat(500)}\n${bug}` })
  expect(coverage).toMatchObject({
    complete: false,
    files: [
      {
        path: 'src/a.ts',
        state: 'not-reviewed',
        reason: 'it has the name of source code and the content of a binary file',
      },
    ],
  })
})
