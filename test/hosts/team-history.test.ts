/** What a real repository tells of its team. */
import { expect, onTestFinished, test } from 'vitest'
import { openTeamHistory } from '../../src/hosts/local/team-history.ts'
import { createRepo, type TestRepo } from '../helpers/git-repo.ts'

async function open(repo: TestRepo, at = 'HEAD') {
  const history = await openTeamHistory({ folder: repo.path, at })
  onTestFinished(() => history.close())
  return history
}

const subjects: readonly [subject: string, body: string, request: number | null][] = [
  ['Merge pull request #12 from ada/prices', '', 12],
  ['fix: round prices (#34)', '', 34],
  ['Merged in prices (pull request #5)', '', 5],
  ["Merge branch 'prices' into 'main'", 'Round\n\nSee merge request shop/web!77', 77],
  ["Merge pull request 'Round prices' (#8) from prices into main", '', 8],
  ['Pull request #9: Round prices', 'Merge in WEB/shop from prices to main', 9],
  ['Merged PR 21: Round prices', 'Related work items: #7', 21],
  ['fix #34 for good', '', null],
]
const reviewers: readonly [body: string, people: string[]][] = [
  ['Reviewed-by: Ada King <ada@example.com>', ['Ada King <ada@example.com>']],
  [
    'Reviewed-By: Ada <a@example.com>\nAcked-by: Bo <b@example.com>',
    ['Ada <a@example.com>', 'Bo <b@example.com>'],
  ],
  ['Reviewers: Ada <a@example.com>, Bo Li <b@example.com>', ['Ada <a@example.com>', 'Bo Li <b@example.com>']],
  ['Reviewed-by: Ada <a@example.com>\nReviewed-by: Ada <a@example.com>', ['Ada <a@example.com>']],
  ['Reviewed-by: the whole team\nSigned-off-by: Ada <a@example.com>\nwas Reviewed-by: Bo <b@x.y>', []],
  [`Reviewed-by: ${'x'.repeat(3_000)} <a@example.com>`, []],
]

test('messages name the change request, who reviewed it, and tickets, of which it is none itself', async () => {
  const repo = createRepo()
  for (const [at, [subject, body]] of subjects.entries())
    repo.commit({ 'a.txt': `${at}` }, body === '' ? subject : `${subject}\n\n${body}`)
  for (const [at, [body]] of reviewers.entries()) repo.commit({ 'b.txt': `${at}` }, `one\n\n${body}`)
  repo.commit({ 'c.txt': '1' }, 'fix: round (#34)\n\nCloses #30, refs SHOP-7 and UTF-8')
  const commits = (await (await open(repo)).log(20, null))?.commits.toReversed() ?? []
  expect(commits.slice(0, subjects.length)).toMatchObject(
    subjects.map(([subject, , request]) => ({ subject, request, paths: ['a.txt'] })),
  )
  expect(
    commits
      .slice(subjects.length, -1)
      .map((one) => one.reviewers.map(({ name, email }) => `${name} <${email}>`)),
  ).toEqual(reviewers.map(([, people]) => people))
  expect(commits.at(-1)?.mentions).toEqual(['#30', 'SHOP-7'])
})

test('a merge has its parents and no paths', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': '1' }, 'one')
  repo.git('checkout', '--quiet', '-b', 'side')
  const side = repo.commit({ 'b.txt': '1' }, 'side')
  repo.git('checkout', '--quiet', 'main')
  const main = repo.commit({ 'c.txt': '1' }, 'main')
  repo.git('merge', '--quiet', '--no-ff', '-m', 'Merge pull request #1 from side', 'side')
  const log = await (await open(repo)).log(10, null)
  expect(log?.commits[0]).toMatchObject({ parents: [main.trim(), side.trim()], paths: [], request: 1 })
})

test('blame counts the lines of each commit, within the ranges', async () => {
  const repo = createRepo()
  const first = repo.commit({ 'a.txt': 'a\nb\nc\nd\n' }, 'one')
  const second = repo.commit({ 'a.txt': 'a\nB\nc\nd\n' }, 'two')
  const history = await open(repo)
  const lines = Object.fromEntries(
    (await history.blame('a.txt', [])).map(({ commit, lines }) => [commit, lines]),
  )
  expect(lines).toEqual({ [first.trim()]: 3, [second.trim()]: 1 })
  const some = await history.blame('a.txt', [{ start: 2, end: 3 }])
  expect(some.map(({ lines, authorName }) => [authorName, lines])).toEqual([
    ['Ada', 1],
    ['Ada', 1],
  ])
  expect(await history.blame('absent.txt', [])).toEqual([])
  expect(await history.blame('a.txt', [{ start: 90, end: 95 }])).toEqual([])
})

test('branches that are not merged are open, each with what it changes', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': '1' }, 'one')
  repo.git('branch', 'merged')
  repo.git('checkout', '--quiet', '-b', 'feature')
  repo.commit({ 'b.txt': '1' }, 'feature')
  repo.git('checkout', '--quiet', 'main')
  repo.commit({ 'c.txt': '1' }, 'later')
  expect(await (await open(repo)).openBranches(10)).toMatchObject([{ name: 'feature', paths: ['b.txt'] }])
})
