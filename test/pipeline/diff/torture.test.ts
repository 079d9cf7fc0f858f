/** A repository with every odd case at once, read as git counts it. */
import { chmodSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo, type Files } from '../../helpers/git-repo.ts'
import { readChange } from './read-change.ts'

const lines = (number: number, word = 'line') =>
  Array.from({ length: number }, (_, i) => `${word} ${i}\n`).join('')

const oddNames = [
  'with space.ts',
  'tab\tname.ts',
  'quote"name.ts',
  'back\\slash.ts',
  'ümläut/naïve.ts',
  '漢字/🦉.ts',
  'new\nline.ts',
  '--help',
  'a b/ c.ts',
  ' ends with space ',
  'x b/x b/x.ts',
  '@@ -1 +1 @@',
]

const before: Files = {
  ...Object.fromEntries(oddNames.map((name) => [name, lines(10)])),
  'plain.ts': lines(40),
  'crlf.ts': lines(10).replaceAll('\n', '\r\n'),
  'loses-crlf.ts': lines(10).replaceAll('\n', '\r\n'),
  'no-newline.ts': 'one\ntwo',
  'gains-newline.ts': 'one\ntwo',
  'loses-newline.ts': 'one\ntwo\n',
  'empty.ts': '',
  'emptied.ts': lines(3),
  'empty-gone.ts': '',
  'gone.ts': lines(10),
  'renamed.ts': lines(30, 'renamed'),
  'renamed-edited.ts': lines(30, 'edited'),
  'copied.ts': lines(30, 'copied'),
  'script.sh': lines(5),
  'binary.dat': Uint8Array.from({ length: 300 }, (_, i) => i % 256),
  'becomes-binary.dat': lines(5),
  'latin.txt': Buffer.from('caf\xe9\nth\xe9\n', 'latin1'),
  'mark.txt': '\ufeffone\ntwo\n',
  'like-headers.txt': lines(10),
  'odd-separators.txt': lines(5),
  'lone-cr.txt': 'a\rb\rc',
  'blank.txt': '\n\n\n\n\n',
  'huge.txt': lines(30_000),
  'long-line.txt': `${'x'.repeat(200_000)}\n`,
  'becomes-link': lines(3),
}

const after: Files = {
  ...Object.fromEntries(oddNames.map((name) => [name, `${lines(10)}mehr ä\n`])),
  'plain.ts': lines(40).replace('line 3\n', '').replace('line 30\n', 'line thirty\nand more\n'),
  'crlf.ts': lines(11).replaceAll('\n', '\r\n').replace('line 2\r\n', 'line 2\n'),
  'loses-crlf.ts': lines(10),
  'no-newline.ts': 'one\nthree',
  'gains-newline.ts': 'one\ntwo\n',
  'loses-newline.ts': 'one\ntwo',
  'empty.ts': 'no longer\n',
  'emptied.ts': '',
  'empty-gone.ts': null,
  'empty-new.ts': '',
  'gone.ts': null,
  'renamed.ts': null,
  'moved/renamed.ts': lines(30, 'renamed'),
  'renamed-edited.ts': null,
  'moved/edited.ts': lines(30, 'edited').replace('edited 7\n', 'edited seven\n'),
  'copied.ts': `${lines(30, 'copied')}original\n`,
  'copy.ts': `${lines(30, 'copied')}copy\n`,
  'binary.dat': Uint8Array.from({ length: 400 }, (_, i) => (i * 7) % 256),
  'becomes-binary.dat': Uint8Array.from({ length: 40 }, (_, i) => i),
  'latin.txt': Buffer.from('caf\xe9\nth\xe9 vert\n', 'latin1'),
  'mark.txt': 'one\ntwo\n',
  'like-headers.txt': `--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n${lines(10)}-- dash\n++ plus\ndiff --git a/x b/x\n\\ No newline at end of file\n`,
  'odd-separators.txt': 'a\u000bb\u000cc\u2028d\u0085e\rf\n',
  'lone-cr.txt': 'a\rb\rd',
  'blank.txt': '\n\n \n\n\n\n',
  'huge.txt': lines(30_000, 'row'),
  'long-line.txt': `${'y'.repeat(200_000)}\n`,
}

test('a repository of odd cases is read as git counts it', async () => {
  const repo = createRepo()
  repo.git('config', 'core.autocrlf', 'false')
  symlinkSync('plain.ts', join(repo.path, 'link'))
  repo.commit(before)
  chmodSync(join(repo.path, 'script.sh'), 0o755)
  for (const name of ['becomes-link', 'link']) {
    unlinkSync(join(repo.path, name))
    symlinkSync('gone.ts', join(repo.path, name))
  }
  repo.commit(after)
  const { files, agreement } = await readChange(repo)
  expect(agreement.faults).toEqual([])
  const file = (path: string) => files.find((one) => one.path === path)

  for (const name of oddNames) expect(file(name), name).toMatchObject({ added: 1, removed: 0, omitted: null })
  expect(file('moved/renamed.ts')).toMatchObject({
    ...{ status: 'renamed', oldPath: 'renamed.ts', similarity: 100, hunks: [] },
  })
  expect(file('moved/edited.ts')).toMatchObject({ status: 'renamed', added: 1, removed: 1 })
  expect(file('copy.ts')).toMatchObject({ status: 'copied', oldPath: 'copied.ts', added: 1 })
  expect(file('gone.ts')).toMatchObject({ status: 'deleted', newBlob: null, removed: 10 })
  expect(file('empty-new.ts')).toMatchObject({ kind: 'text', oldPath: 'empty-gone.ts', hunks: [] })
  expect(file('emptied.ts')).toMatchObject({ kind: 'text', removed: 3, added: 0 })
  expect(file('script.sh')).toMatchObject({ oldMode: '100644', newMode: '100755', hunks: [] })
  expect(file('binary.dat')).toMatchObject({ kind: 'binary', hunks: [] })
  expect(file('becomes-binary.dat')).toMatchObject({ kind: 'binary', hunks: [] })
  expect(file('latin.txt')).toMatchObject({ kind: 'text', lossyText: true, added: 1 })
  expect(file('link')).toMatchObject({ kind: 'symlink', status: 'modified', added: 1, removed: 1 })
  expect(file('becomes-link')).toMatchObject({ kind: 'symlink', status: 'type-changed', language: null })
  expect(file('no-newline.ts')?.hunks[0]?.lines.at(-1)).toMatchObject({ text: 'three', noNewline: true })
  const open = (path: string) => file(path)?.hunks[0]?.lines.filter((line) => line.noNewline)
  expect(open('gains-newline.ts')).toMatchObject([{ kind: 'removed', text: 'two' }])
  expect(open('loses-newline.ts')).toMatchObject([{ kind: 'added', text: 'two' }])
  const second = file('crlf.ts')?.hunks.flatMap((hunk) => hunk.lines.filter((line) => line.new === 2))
  expect(second).toMatchObject([{ text: 'line 1\r' }])
  expect(file('loses-crlf.ts')).toMatchObject({ added: 10, removed: 10 })
  expect(file('odd-separators.txt')?.added).toBe(1)
  expect(file('lone-cr.txt')).toMatchObject({ added: 1, removed: 1 })
  expect(file('mark.txt')?.hunks[0]?.lines[0]).toMatchObject({ kind: 'removed', text: '\ufeffone' })
  expect(file('huge.txt')).toMatchObject({ added: 30_000, removed: 30_000, omitted: null })
})

test('an empty file comes and goes', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': lines(3) })
  repo.commit({ 'empty.ts': '' })
  const come = await readChange(repo)
  expect(come.files).toMatchObject([{ status: 'added', kind: 'text', hunks: [], omitted: null }])
  repo.commit({ 'empty.ts': null })
  const gone = await readChange(repo)
  expect(gone.files).toMatchObject([{ status: 'deleted', kind: 'text', hunks: [], omitted: null }])
})

test('a submodule that comes, moves on and gives way to a file has commits, not lines', async () => {
  const repo = createRepo()
  const [one, two] = ['1'.repeat(40), '2'.repeat(40)]
  repo.git('update-index', '--add', '--cacheinfo', `160000,${one},lib`)
  repo.git('commit', '--quiet', '-m', 'add')
  const added = await readChange(repo)
  expect(added.files).toMatchObject([{ path: 'lib', kind: 'submodule', status: 'added', newBlob: one }])
  repo.git('update-index', '--cacheinfo', `160000,${two},lib`)
  repo.git('commit', '--quiet', '-m', 'bump')
  const bumped = await readChange(repo)
  expect(bumped.files).toMatchObject([{ kind: 'submodule', oldBlob: one, newBlob: two, language: null }])
  repo.commit({ lib: 'a file\n' })
  const replaced = await readChange(repo)
  expect(replaced.files).toMatchObject([{ path: 'lib', kind: 'submodule', status: 'type-changed' }])
  expect(replaced.agreement.faults).toEqual([])
})
