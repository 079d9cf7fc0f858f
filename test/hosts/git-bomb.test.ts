/** Ten objects that name 10^8 paths (https://kate.io/blog/git-bomb/), and other trees that are too much. */
import { expect, test } from 'vitest'
import { cpuMilliseconds } from '../helpers/cpu-time.ts'
import { commitTree, writeBomb, writeObject } from '../helpers/git-bombs.ts'
import { createRepo, type TestRepo } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { collect } from './collecting.ts'

/** Eight levels of folders with ten entries each, all the same. */
const bomb = (repo: TestRepo) => writeBomb(repo, ['100644', 'd', writeObject(repo, 'blob', 'boom\n')], 10, 8)
const deep = Array.from({ length: 8 }, (_, level) => `d${level + 1001}`).join('/')

test('a git bomb ends at the caps, quickly, and single files are still readable', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  repo.git('update-ref', 'refs/heads/bomb', commitTree(repo, bomb(repo), 'HEAD'))
  const limits = { treeEntries: 20_000 }
  const started = cpuMilliseconds()
  const change = await collect(repo.path, { kind: 'commit', commit: 'bomb' }, limits)
  const tooLarge = { code: 'tree-too-large' }
  await expect(change.head.list()).rejects.toMatchObject(tooLarge)
  await expect(change.head.filesWithWords(['boom'])).rejects.toMatchObject(tooLarge)
  await expect(change.diff()).rejects.toMatchObject(tooLarge)
  expect((await change.head.read(deep))?.text).toBe('boom\n')
  expect((await change.base.list()).map(({ path }) => path)).toEqual(['a.txt'])
  const patch = Buffer.from(`--- a/${deep}\n+++ b/${deep}\n@@ -1 +1 @@\n-boom\n+bang\n`)
  const patched = await collect(repo.path, { kind: 'patch', patch, base: 'bomb' }, limits)
  expect((await patched.diff()).files.map(({ path }) => path)).toEqual([deep])
  expect(cpuMilliseconds() - started).toBeLessThan(20_000)
})

test('a history of bombs is cut, not endless', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  const commit = commitTree(repo, bomb(repo), 'HEAD')
  const child = repo.git('commit-tree', 'HEAD^{tree}', '-p', commit, '-m', 'child')
  repo.git('update-ref', 'refs/heads/main', child)
  repo.git('reset', '--quiet', '--hard')
  const change = await collect(repo.path, { kind: 'uncommitted' })
  const { commits, complete } = await change.history.recent(10)
  expect(complete).toBe(false)
  expect(commits.length).toBeLessThan(3)
})

test('of large texts some are compared, the smaller ones first, and all other files', async () => {
  const repo = createRepo()
  repo.commit({ 'z.ts': 'export const z = 1\n' })
  const line = `${'x'.repeat(999)}\n`
  repo.commit({ 'a.txt': line.repeat(18_000), 'b.txt': line.repeat(17_000), 'z.ts': 'export const z = 2\n' })
  const { files } = await (await collect(repo.path, { kind: 'commit', commit: 'HEAD' })).diff()
  expect(files.map(({ path, patch, omitted }) => [path, patch !== null, omitted])).toEqual([
    ['a.txt', false, 'the large files of this change are too much to be compared'],
    ['b.txt', false, expect.stringContaining('its diff is larger than')],
    ['z.ts', true, null],
  ])
})

test('a large text that git cannot hold hides no other file', needs('Linux'), async () => {
  const repo = createRepo()
  repo.commit({ 'z.ts': 'export const z = 1\n' })
  repo.commit({ 'a.txt': '\n'.repeat(19_000_000), 'z.ts': 'export const z = 2\n' })
  const { files } = await (await collect(repo.path, { kind: 'commit', commit: 'HEAD' })).diff()
  expect(files.map(({ path, patch, omitted }) => [path, patch !== null, omitted])).toEqual([
    ['a.txt', false, expect.stringContaining('could not be compared: git diff-tree needed more than')],
    ['z.ts', true, null],
  ])
})
