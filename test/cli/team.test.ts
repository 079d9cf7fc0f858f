/** `sightline experts` and `sightline related` on a small repository with two authors. */
import { expect, test } from 'vitest'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'

const five = 'one\ntwo\nthree\nfour\nfive\n'

function team(): TestRepo {
  const repo = createRepo()
  repo.commit({ 'src/a.txt': five, 'src/b.txt': 'b\n' }, 'feat: five lines (#3)')
  repo.write({ 'src/a.txt': five.replace('four', 'FOUR') })
  repo.git('add', '-A')
  repo.git(
    '-c',
    'user.name=Bob Stone',
    'commit',
    '--quiet',
    '--author=Bob Stone <bob@example.com>',
    '-m',
    'fix: four\n\nCloses #9',
  )
  return repo
}

const states = new WeakMap<TestRepo, string>()

async function run(repo: TestRepo, ...args: string[]) {
  const state = states.get(repo) ?? temporaryFolder()
  states.set(repo, state)
  const env = { XDG_CACHE_HOME: temporaryFolder(), XDG_STATE_HOME: state }
  return await sightline(args, { cwd: repo.path, env })
}

test('experts of lines are those who wrote them; of a folder, those who changed it', async () => {
  const repo = team()
  const lines = await run(repo, 'experts', 'src/a.txt:4')
  expect(lines).toMatchObject({ code: 0 })
  expect(lines.stdout.split('\n')[0]).toMatch(
    /^Bob Stone {2}1 commit, 1 line today, last on \d{4}-\d\d-\d\d$/,
  )
  expect(lines.stdout).toMatch(
    /\nLast changes of these lines:\n {2}[0-9a-f]{10} {2}\S+ {2}Bob Stone: fix: four {2}\(#9\)\n\n/,
  )
  const folder = await run(repo, 'experts', './src/', '--json')
  const { experts } = JSON.parse(folder.stdout) as { experts: { name: string; commits: number }[] }
  expect(experts.map(({ name, commits }) => `${name} ${commits}`).sort()).toEqual(['Ada 1', 'Bob Stone 1'])
})

test.each([
  ['src/absent.txt', 'no commit changed `src/absent.txt`'],
  ['src/a.txt:90-95', 'has no lines 90 to 95'],
  ['src/a.txt:5-2', 'the last is not before the first'],
  ['../secret', 'is not a path from the root'],
])('experts %s says what is wrong', async (operand, words) => {
  const { code, stderr } = await run(team(), 'experts', operand)
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})

test('related names the change request, its ticket, and the branch that changes the same file', async () => {
  const repo = team()
  repo.git('checkout', '--quiet', '-b', 'feature')
  repo.commit({ 'src/a.txt': five.replace('four', '4') }, 'feature')
  repo.git('checkout', '--quiet', 'main')
  repo.write({ 'src/a.txt': five.replace('four', 'vier') })
  const { code, stdout } = await run(repo, 'related')
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /Bob Stone: fix: four {2}\(wrote lines that this change replaces; #9\) {2}\[src\/a\.txt\]/,
  )
  expect(stdout).toMatch(/#3 {2}\S+ {2}Ada: feat: five lines \(#3\) {2}\(1 fix within a month\)/)
  expect(stdout).toMatch(
    /Open branches that change the same files:\n {2}feature {2}\S+ {2}Ada {2}\(same lines: src\/a\.txt:4\) {2}\[src\/a\.txt\]/,
  )
  expect(stdout).toContain('Reviews of changes in the same files:\n  none')
  expect(await run(repo, 'review', '--commit', 'HEAD')).toMatchObject({ code: 0 })
  expect((await run(repo, 'related')).stdout).toMatch(
    /Reviews of changes in the same files:\n {2}[0-9a-f]{12} {2}\S+ {2}Bob Stone: fix: four\n/,
  )
  expect(stdout).toContain('Findings of earlier reviews:\n  none')
})

test('related names whom to ask for a review: who reviewed the files before, and not the author of the change', async () => {
  const repo = team()
  repo.commit({ 'src/b.txt': 'B\n' }, 'feat: B\n\nReviewed-by: Eve Lake <eve@example.com>')
  repo.git('checkout', '--quiet', '-b', 'feature')
  repo.commit({ 'src/a.txt': five.replace('one', 'eins'), 'src/b.txt': 'bee\n' }, 'feature')
  const { stdout } = await run(repo, 'related', '--base', 'main')
  expect(stdout).toMatch(
    /^People to ask for a review:\n {2}Eve Lake {2}1 review, last on \S+\n {2}Bob Stone {2}1 commit, last on \S+\n\n/,
  )
})
