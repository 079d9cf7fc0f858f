/** Names that need quoting, look like options, differ in case only, or are no UTF-8. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo, TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { collect, patchText } from './collecting.ts'

const odd = [
  '--help',
  '-rf',
  ':(glob)x',
  ':!x',
  'File.txt',
  'a b.txt',
  'back\\slash.txt',
  'diff --git a b',
  'dir/-',
  'dir/*',
  'file.txt',
  'line\nbreak.txt',
  'quote".txt',
  'tab\there.txt',
  'trailing ',
  'ünïcode-日本.txt',
  '😀.txt',
]

function files(content: string): Record<string, string> {
  return Object.fromEntries(odd.map((path) => [path, `${path}\n${content}\n`]))
}

test('odd paths come through the diff, the lists and the reads', async () => {
  const repo = createRepo()
  repo.commit(files('one'))
  repo.write(files('two'))
  const change = await collect(repo.path, { kind: 'uncommitted' })
  const { files: changed } = await change.diff()
  expect(changed.map(({ path }) => path).sort()).toEqual([...odd].sort())
  for (const file of changed) {
    expect(file).toMatchObject({ status: 'M', added: 1, removed: 1, omitted: null })
    expect(patchText(file)).toContain('-one\n+two\n')
    expect((await change.head.read(file.path))?.text).toBe(`${file.path}\ntwo\n`)
    expect((await change.base.entry(file.path))?.blob).toBe(file.oldBlob)
  }
  expect((await change.head.list()).map(({ path }) => path).sort()).toEqual([...odd].sort())
  expect((await change.head.filesWithWords(['two'])).get('two')).toHaveLength(odd.length)
})

test('odd renames, copies and reduced comparisons keep their names', async () => {
  const repo = createRepo()
  const text = Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join('')
  repo.commit({ 'old "name"\n': text, 'kept\t.txt': text.replaceAll('line', 'other') })
  repo.commit({
    'old "name"\n': null,
    '-new "name"': `${text}more\n`,
    'kept\t.txt': `${text.replaceAll('line', 'other')}x\n`,
    'copy 日本': text.replaceAll('line', 'other'),
  })
  const { files: changed } = await (await collect(repo.path, { kind: 'commit', commit: 'HEAD' })).diff()
  expect(changed.map(({ status, oldPath, path }) => [status, oldPath, path])).toEqual([
    ['R', 'old "name"\n', '-new "name"'],
    ['C', 'kept\t.txt', 'copy 日本'],
    ['M', null, 'kept\t.txt'],
  ])
  const cut = await collect(repo.path, { kind: 'commit', commit: 'HEAD' }, { changedFiles: 3 })
  const reduced = await cut.diff()
  expect(reduced.overflow).toEqual(['old "name"\n'])
  expect(reduced.files.map(({ path }) => path)).toEqual(['-new "name"', 'copy 日本', 'kept\t.txt'])
})

test('a repository may lie in a folder of any name', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'one\n' })
  repo.commit({ 'a.txt': 'two\n' })
  for (const name of [
    'with space',
    'new\nline',
    'quote"d',
    '# hash',
    '日本',
    'back\\slash',
    '-dash',
    'end ',
  ]) {
    const moved = new TestRepo(join(temporaryFolder(), name))
    renameSync(repo.path, moved.path)
    moved.write({ 'b.txt': 'b\n' })
    const change = await collect(moved.path, { kind: 'uncommitted' })
    expect(
      (await change.diff()).files.map(({ path }) => path),
      name,
    ).toEqual(['b.txt'])
    expect((await change.base.read('a.txt'))?.text).toBe('two\n')
    mkdirSync(repo.path, { recursive: true })
    renameSync(moved.path, repo.path)
  }
})

test('a path that is no UTF-8 is listed with a replacement character', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  const blob = repo.git('hash-object', '-w', 'a.txt')
  const input = Buffer.concat([
    Buffer.from(`100644 blob ${blob}\t`),
    Buffer.from([0x62, 0xe9]),
    Buffer.from('\0'),
  ])
  const tree = execFileSync('git', ['mktree', '-z'], { cwd: repo.path, input, encoding: 'utf8' }).trim()
  const commit = repo.git('commit-tree', tree, '-p', 'HEAD', '-m', 'latin-1 name')
  const change = await collect(repo.path, { kind: 'commit', commit })
  expect((await change.head.list()).map(({ path }) => path)).toEqual(['b\ufffd'])
  expect((await change.head.read('b\ufffd'))?.text).toBe('a\n')
  expect((await change.diff()).files.map(({ status, path }) => [status, path])).toEqual([['R', 'b\ufffd']])
})
