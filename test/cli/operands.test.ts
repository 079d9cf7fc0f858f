/** What `review` makes of words on its command line: paths limit it. What a name means is tested where it is resolved. */
import { expect, test } from 'vitest'
import { Review } from '../../src/index.ts'
import { createRepo, type TestRepo } from '../helpers/git-repo.ts'
import { type CliOptions, sightline } from '../helpers/sightline.ts'

async function review(repo: TestRepo, operands: string[], options: CliOptions = {}) {
  const args = ['review', '--no-cache', '--no-record', '--depth', 'offline', '--json', ...operands]
  const { stdout, stderr } = await sightline(args, { cwd: repo.path, ...options })
  expect(stdout, stderr).not.toBe('')
  const { request, coverage } = Review.parse(JSON.parse(stdout))
  return {
    label: request.source.label,
    complete: coverage.complete,
    reviewed: coverage.files.filter(({ state }) => state === 'reviewed').map(({ path }) => path),
    left: coverage.files.filter(({ state }) => state === 'excluded').map(({ path }) => path),
  }
}

function threeFiles(): TestRepo {
  const repo = createRepo()
  repo.commit({
    'src/a.ts': 'export const a = 1\n',
    'src/b.ts': 'export const b = 1\n',
    'c.ts': 'export {}\n',
  })
  repo.write({
    'src/a.ts': 'export const a = 2\n',
    'src/b.ts': 'export const b = 2\n',
    'c.ts': 'export { }\n',
  })
  return repo
}

test('a file, a folder and several of them limit the review, and what is left out is named', async () => {
  const repo = threeFiles()
  expect(await review(repo, ['src/a.ts'])).toEqual({
    label: 'uncommitted changes, only src/a.ts',
    complete: true,
    reviewed: ['src/a.ts'],
    left: ['c.ts', 'src/b.ts'],
  })
  expect(await review(repo, ['./src', 'c.ts'])).toMatchObject({
    label: 'uncommitted changes, only c.ts, src',
    reviewed: ['c.ts', 'src/a.ts', 'src/b.ts'],
    left: [],
  })
})

test('`.` is the whole tree at its top, and the folder below it', async () => {
  const repo = threeFiles()
  expect(await review(repo, ['.'])).toMatchObject({ label: 'uncommitted changes', left: [] })
  expect(await review(repo, ['.'], { cwd: `${repo.path}/src` })).toMatchObject({
    label: 'uncommitted changes, only src',
    left: ['c.ts'],
  })
})

test('beside a range or an option a path limits that change', async () => {
  const repo = threeFiles()
  repo.git('add', 'src/a.ts', 'c.ts')
  expect(await review(repo, ['--staged', 'c.ts'])).toMatchObject({
    label: 'staged changes, only c.ts',
    reviewed: ['c.ts'],
    left: ['src/a.ts'],
  })
  repo.commit({})
  expect(await review(repo, ['HEAD~1..HEAD', 'src/b.ts'])).toMatchObject({ reviewed: ['src/b.ts'] })
})

test('a person who named paths reads of these alone', async () => {
  const repo = threeFiles()
  const args = ['review', '--no-cache', '--no-record', '--depth', 'offline', 'src/a.ts']
  const { stdout } = await sightline(args, { cwd: repo.path })
  expect(stdout).toContain('Changes 1 file (modified): 1 line added, 1 removed.')
  expect(stdout).not.toContain('c.ts')
})

test('what was not looked at is said in whole words, however long', async () => {
  const repo = createRepo()
  const path = `${'quite-long-folder/'.repeat(4)}main.lua`
  repo.commit({ [path]: 'return 1\n' })
  repo.write({ [path]: 'return 2\n' })
  const { stdout } = await sightline(['review', '--no-cache', '--no-record', '--depth', 'offline'], {
    cwd: repo.path,
  })
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    `${path}: in a language that is not parsed here, read as text only`,
  )
})
