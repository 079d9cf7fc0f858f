/** The co-change plane on real histories. */
import { expect, test } from 'vitest'
import { coChangePlane } from '../../../../src/pipeline/planes/co-change/plane.ts'
import { createRepo, type TestRepo } from '../../../helpers/git-repo.ts'
import { outcomesOf, reviewCommit } from '../review-commit.ts'

/** Changes `paths` together in `times` commits, after whatever there is. */
function changeTogether(repo: TestRepo, times: number, paths: readonly string[], word = 'change'): void {
  for (let round = 1; round <= times; round++)
    repo.commit(
      Object.fromEntries(paths.map((path) => [path, `${word} of the common line ${round}\n`])),
      `${word} ${round}`,
    )
}

test('names the file that always changed with this one, with the counts and the commits', async () => {
  const repo = createRepo()
  changeTogether(repo, 9, ['src/schema.ts', 'web/client.ts'])
  repo.commit({ 'src/schema.ts': 'field added\n' }, 'Add a field')

  const review = await reviewCommit(coChangePlane, repo.path)

  expect(outcomesOf(review)).toEqual(['src/schema.ts:1 co-change/missing-partner'])
  const [finding] = review.findings
  expect(finding?.severity).toBe('low')
  expect(finding?.title).toBe('`client.ts` usually changes with `schema.ts`, and did not now')
  expect(finding?.claims).toEqual([
    { kind: 'changes-together', path: 'src/schema.ts', partner: 'web/client.ts', together: 9, total: 9 },
  ])
  expect(finding?.verifiedBy.join()).toContain('counting over the history again')
  const lines = review.evidence[0]?.text.split('\n') ?? []
  expect(lines[0]).toBe('9 of 9 commits that changed src/schema.ts changed web/client.ts too')
  expect(lines[1]).toMatch(/^[0-9a-f]{10} change 9$/)
  expect(lines.at(-1)).toBe('and 4 earlier ones')
})

test('follows a file that this change renames', async () => {
  const repo = createRepo()
  changeTogether(
    repo,
    9,
    ['src/schema.ts', 'web/client.ts'],
    'a line that is long enough for git to see the rename\nchange',
  )
  repo.commit(
    {
      'src/schema.ts': null,
      'src/model.ts': 'a line that is long enough for git to see the rename\nanother\n',
    },
    'Rename',
  )
  const review = await reviewCommit(coChangePlane, repo.path)
  expect(review.verdicts.map(({ candidate }) => candidate.claims[0])).toMatchObject([
    { path: 'src/model.ts', partner: 'web/client.ts', together: 9, total: 9 },
  ])
  expect(review.findings).toHaveLength(1)
})

test('says more when the tie is old and firm, and names three partners at most', async () => {
  const repo = createRepo()
  changeTogether(repo, 21, ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts'])
  repo.commit({ 'a.ts': 'now alone\n' })
  const review = await reviewCommit(coChangePlane, repo.path)
  expect(review.findings.map(({ severity, title }) => [severity, title.split(' ')[0]])).toEqual([
    ['medium', '`b.ts`'],
    ['medium', '`c.ts`'],
    ['medium', '`d.ts`'],
  ])
})

test.each([
  ['the partner changed too', ['a.ts', 'b.js'], ['a.ts', 'b.js'], 9],
  ['too few commits to tell', ['a.ts', 'b.js'], ['a.ts'], 7],
  ['the partner is a change log', ['a.ts', 'CHANGELOG.md'], ['a.ts'], 9],
  ['the partner is a manifest', ['a.ts', 'package.json'], ['a.ts'], 9],
  ['the partner is a lock file', ['a.ts', 'Cargo.lock'], ['a.ts'], 9],
  ['the partner is a test: that is for the tests plane', ['a.ts', 'a.test.js'], ['a.ts'], 9],
  ['nothing went that the partner has', ['a.ts', 'b.js'], [], 9],
  ['only the test changed', ['a.ts', 'a.test.js'], ['a.test.js'], 9],
] as const)('is silent when %s', async (_, together, now, times) => {
  const repo = createRepo()
  changeTogether(repo, times, together)
  repo.commit(
    now.length > 0
      ? Object.fromEntries(now.map((path) => [path, 'now\n']))
      : { 'a.ts': `change of the common line ${times}\nmore\n` },
  )
  expect((await reviewCommit(coChangePlane, repo.path)).verdicts).toEqual([])
})

test('is silent when the partner is gone', async () => {
  const repo = createRepo()
  changeTogether(repo, 9, ['a.ts', 'b.js'])
  repo.commit({ 'b.js': null })
  repo.commit({ 'a.ts': 'now\n' })
  expect((await reviewCommit(coChangePlane, repo.path)).verdicts).toEqual([])
})

test('is silent when the partner stayed behind lately, or changes with everything', async () => {
  const lately = createRepo()
  changeTogether(lately, 19, ['a.ts', 'b.js'])
  lately.commit({ 'a.ts': 'alone\n' })
  lately.commit({ 'a.ts': 'now\n' })
  expect((await reviewCommit(coChangePlane, lately.path)).verdicts).toEqual([])

  const everything = createRepo()
  changeTogether(everything, 9, ['a.ts', 'routes.js'])
  changeTogether(everything, 9, ['c.ts', 'routes.js'], 'other')
  everything.commit({ 'a.ts': 'now\n' })
  expect((await reviewCommit(coChangePlane, everything.path)).verdicts).toEqual([])
})

test('is silent when the partner went ahead and this change catches up', async () => {
  const repo = createRepo()
  changeTogether(repo, 12, ['api.proto', 'api.ts'])
  repo.commit({ 'api.proto': 'ahead\n' })
  repo.commit({ 'api.ts': 'catches up\n' })
  expect((await reviewCommit(coChangePlane, repo.path)).verdicts).toEqual([])
})

test('twin implementations need a longer common history than a source and what is made of it', async () => {
  const twins = createRepo()
  changeTogether(twins, 12, ['http/one.ts', 'http/two.ts'])
  twins.commit({ 'http/one.ts': 'now\n' })
  expect((await reviewCommit(coChangePlane, twins.path)).verdicts).toEqual([])

  const made = createRepo()
  changeTogether(made, 12, ['api/one.proto', 'api/one.ts'])
  made.commit({ 'api/one.proto': 'now\n' })
  expect(outcomesOf(await reviewCommit(coChangePlane, made.path))).toEqual([
    'api/one.proto:1 co-change/missing-partner',
  ])
})

test('sweeping commits tie nothing together', async () => {
  const repo = createRepo()
  const many = Array.from({ length: 31 }, (_, index) => `file-${index}.ts`)
  changeTogether(repo, 9, many)
  repo.commit({ 'file-1.ts': 'now\n' })
  expect((await reviewCommit(coChangePlane, repo.path)).verdicts).toEqual([])
})

test('hidden characters in names and subjects are made visible', async () => {
  const repo = createRepo()
  const odd = 'web/b\u202e.ts'
  for (let round = 1; round <= 9; round++)
    repo.commit(
      { 'src/a.ts': `a line of both ${round}\n`, [odd]: `a line of both ${round}\n` },
      `subject\u200b ${round}`,
    )
  repo.commit({ 'src/a.ts': 'now\n' })
  const review = await reviewCommit(coChangePlane, repo.path)
  expect(review.findings).toHaveLength(1)
  expect(review.findings[0]?.title).toContain('⟦U+202E⟧')
  expect(review.evidence[0]?.text).toContain('subject⟦U+200B⟧')
})
