/** Ten objects that name 10^8 paths (https://kate.io/blog/git-bomb/), and other trees that are too much. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { cpuMilliseconds } from '../helpers/cpu-time.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { collect } from './collecting.ts'

/** A tree of `depth` levels with ten entries each, all the same. */
function bomb(path: string, leaf: string, depth: number): string {
  const git = (args: string[], input: string) =>
    execFileSync('git', args, { cwd: path, input, encoding: 'utf8' }).trim()
  let entry = `100644 blob ${git(['hash-object', '-w', '--stdin'], leaf)}`
  for (let level = 0; level < depth; level++) {
    const input = Array.from({ length: 10 }, (_, i) => `${entry}\td${i}\n`).join('')
    entry = `040000 tree ${git(['mktree'], input)}`
  }
  return entry.split(' ')[2] ?? ''
}

test('a git bomb ends at the caps, quickly, and single files are still readable', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  const tree = bomb(repo.path, 'boom\n', 8)
  const commit = repo.git('commit-tree', tree, '-p', 'HEAD', '-m', 'bomb')
  repo.git('update-ref', 'refs/heads/bomb', commit)
  const limits = { treeEntries: 20_000 }
  const started = cpuMilliseconds()
  const change = await collect(repo.path, { kind: 'commit', commit: 'bomb' }, limits)
  const tooLarge = { code: 'tree-too-large' }
  await expect(change.head.list()).rejects.toMatchObject(tooLarge)
  await expect(change.head.filesWithWords(['boom'])).rejects.toMatchObject(tooLarge)
  await expect(change.diff()).rejects.toMatchObject(tooLarge)
  expect((await change.head.read('d1/d2/d3/d4/d5/d6/d7/d8'))?.text).toBe('boom\n')
  expect((await change.base.list()).map(({ path }) => path)).toEqual(['a.txt'])
  const deep = 'd1/d2/d3/d4/d5/d6/d7/d8'
  const patch = Buffer.from(`--- a/${deep}\n+++ b/${deep}\n@@ -1 +1 @@\n-boom\n+bang\n`)
  const patched = await collect(repo.path, { kind: 'patch', patch, base: 'bomb' }, limits)
  expect((await patched.diff()).files.map(({ path }) => path)).toEqual([deep])
  expect(cpuMilliseconds() - started).toBeLessThan(20_000)
})

test('a small change inside a bomb is still compared', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  const [one, two] = ['one\n', 'two\n'].map((text) => {
    const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
      cwd: repo.path,
      input: text,
      encoding: 'utf8',
    })
    const input = `040000 tree ${bomb(repo.path, 'boom\n', 8)}\tbomb\n100644 blob ${blob.trim()}\tsmall.txt\n`
    const tree = execFileSync('git', ['mktree'], { cwd: repo.path, input, encoding: 'utf8' }).trim()
    return repo.git('commit-tree', tree, '-m', text)
  })
  const change = await collect(repo.path, { kind: 'range', range: `${one}..${two}` })
  expect((await change.diff()).files.map(({ path, added, removed }) => [path, added, removed])).toEqual([
    ['small.txt', 1, 1],
  ])
})

test('a history of bombs is cut, not endless', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  const commit = repo.git('commit-tree', bomb(repo.path, 'boom\n', 8), '-p', 'HEAD', '-m', 'bomb')
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
