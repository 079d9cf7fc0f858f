/** Indexes and trees that git would never write: names that lead out of the work tree or into `.git`. */
import { createHash } from 'node:crypto'
import { readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeObject, writeTree } from '../helpers/git-bombs.ts'
import { createRepo, TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { collect } from './collecting.ts'

/** Replaces a path in the index by one of the same length and mends the checksum at its end. */
function forgeIndex(repo: TestRepo, from: string, to: string): void {
  const file = join(repo.path, '.git/index')
  const bytes = readFileSync(file)
  const body = bytes.subarray(0, -20)
  body.write(to, body.indexOf(from), 'latin1')
  writeFileSync(file, Buffer.concat([body, createHash('sha1').update(body).digest()]))
}

const treeWith = (repo: TestRepo, names: string[], content: string) => {
  const blob = writeObject(repo, 'blob', content)
  return writeTree(
    repo,
    names.map((name) => ['100644', name, blob]),
  )
}

test('an index entry outside of the work tree is named, and its file is not read', async () => {
  const repo = new TestRepo(join(temporaryFolder(), 'repo'))
  repo.write({ '.gitattributes': '* filter=lfs\n', 'xx/secret.txt': 'inside\n', 'z.txt': 'z\n' })
  repo.git('init', '--quiet')
  repo.git('-c', 'filter.lfs.clean=cat', 'add', '-A')
  forgeIndex(repo, 'xx/secret.txt', '../secret.txt')
  repo.write({ '../secret.txt': 'outside\n' })
  utimesSync(join(repo.path, '../secret.txt'), 1, 1)
  repo.write({ 'xx/secret.txt': null })
  const change = await collect(repo.path, { kind: 'uncommitted' })
  const { files } = await change.diff()
  expect(change.request.unread).toEqual([
    { path: '../secret.txt', reason: 'git would not check out a path like this' },
  ])
  const texts = files.map(({ patch }) => Buffer.from(patch ?? []).toString())
  expect(texts.join('')).not.toContain('outside')
  expect(texts.join('')).not.toContain(createHash('sha256').update('outside\n').digest('hex'))
})

test('a link where LFS wants a file stays a link', async () => {
  const repo = createRepo()
  repo.commit({ '.gitattributes': '* filter=lfs\n' })
  symlinkSync('/etc/hostname', join(repo.path, 'link.bin'))
  const change = await collect(repo.path, { kind: 'uncommitted' })
  expect((await change.head.entry('link.bin'))?.mode).toBe('120000')
  expect((await change.head.read('link.bin'))?.text).toBe('/etc/hostname')
})

test('paths into `.git` are shown by name beside the changes that can be compared', async () => {
  const repo = createRepo()
  const names = ['.GIT', '.git', '..', 'a.txt', 'git~1']
  const [one, two] = ['one\n', 'two\n'].map((content) =>
    repo.git('commit-tree', treeWith(repo, names, content), '-m', content),
  )
  const change = await collect(repo.path, { kind: 'range', range: `${one}..${two}` })
  const { files } = await change.diff()
  expect(files.map(({ path, omitted }) => [path, omitted])).toEqual([
    ['..', 'git would not check out a path like this'],
    ['.GIT', 'git would not check out a path like this'],
    ['.git', 'git would not check out a path like this'],
    ['a.txt', null],
    ['git~1', null],
  ])
  expect((await change.head.read('.git'))?.text).toBe('two\n')
})
