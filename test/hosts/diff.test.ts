/** The raw difference: every kind of change, the caps, and what attributes may not do. */
import { createHash } from 'node:crypto'
import { chmodSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo } from '../helpers/git-repo.ts'
import { changesOf, collect, nameOf, patchText } from './collecting.ts'

const lines = (count: number, word = 'line') =>
  Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join('')

test('every kind of change has its status, modes, ids, counts and its own patch', async () => {
  const repo = createRepo()
  repo.commit({
    'binary.png': new Uint8Array([1, 0, 2, 0, 3]),
    'crlf.txt': 'one\r\ntwo\r\n',
    'deleted.txt': 'gone\n',
    'empty.txt': '',
    'filled.txt': '',
    'latin.txt': new Uint8Array([0x63, 0xe9, 0x0a]),
    'mode.sh': 'echo\n',
    'no-end.txt': 'one',
    'renamed.txt': lines(30),
    type: 'a file\n',
  })
  repo.write({
    'added.txt': 'added\n',
    'binary.png': new Uint8Array([1, 0, 2, 0, 4]),
    'crlf.txt': 'one\r\nTWO\r\n',
    'deleted.txt': null,
    'filled.txt': 'filled\n',
    'header.txt': '--- a/x\n+++ b/x\n@@ -1 +1 @@\ndiff --git a/x b/x\n',
    'latin.txt': new Uint8Array([0x63, 0xe8, 0x0a]),
    'moved/renamed.txt': `${lines(30)}more\n`,
    'no-end.txt': 'one\ntwo',
    'renamed.txt': null,
    type: null,
  })
  chmodSync(join(repo.path, 'mode.sh'), 0o755)
  symlinkSync('crlf.txt', join(repo.path, 'type'))
  const { files, overflow } = await (await collect(repo.path, { kind: 'uncommitted' })).diff()
  expect(overflow).toEqual([])
  expect(files.map((file) => `${nameOf(file)} ${file.added} ${file.removed}`)).toEqual([
    'A added.txt 1 0',
    'M binary.png null null',
    'M crlf.txt 1 1',
    'D deleted.txt 0 1',
    'M filled.txt 1 0',
    'A header.txt 4 0',
    'M latin.txt 1 1',
    'M mode.sh 0 0',
    'R renamed.txt → moved/renamed.txt 1 0',
    'M no-end.txt 2 1',
    'T type 1 1',
  ])
  const byPath = new Map(files.map((file) => [file.path, file]))
  for (const file of files) {
    expect(file.omitted).toBeNull()
    expect(patchText(file)).toMatch(new RegExp(`^diff --git a/.* b/${file.path.replace('.', '\\.')}\n`))
  }
  expect(patchText(byPath.get('binary.png'))).toContain('Binary files a/binary.png and b/binary.png differ')
  expect(patchText(byPath.get('crlf.txt'))).toContain('-two\r\n+TWO\r\n')
  expect(patchText(byPath.get('type')).match(/^diff --git /gm)).toHaveLength(2)
  expect(patchText(byPath.get('header.txt'))).toContain('\n+diff --git a/x b/x\n')
  expect(patchText(byPath.get('no-end.txt'))).toContain('\\ No newline at end of file')
  expect(Buffer.from(byPath.get('latin.txt')?.patch ?? []).includes(Buffer.from([0x2b, 0x63, 0xe8]))).toBe(
    true,
  )
  expect(byPath.get('moved/renamed.txt')).toMatchObject({ oldMode: '100644', newMode: '100644' })
  expect(byPath.get('added.txt')).toMatchObject({ oldMode: null, oldBlob: null, newMode: '100644' })
})

test('the patches together are what git itself prints', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': lines(200), 'b/c.txt': lines(50, 'other'), 'd.txt': 'd\n' })
  repo.commit({
    'a.txt': lines(200).replace('line 100', 'LINE'),
    'b/c.txt': null,
    'b/e.txt': lines(49, 'other'),
  })
  const { files } = await (await collect(repo.path, { kind: 'commit', commit: 'HEAD' })).diff()
  const expected = repo.git('diff', '-M', '-C', '--full-index', '--no-color', 'HEAD~1', 'HEAD')
  expect(files.map(patchText).join('').trim()).toBe(expected)
})

test('a change cannot hide its code behind attributes', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'one\n' })
  repo.commit({
    'a.ts': 'two\n',
    '.gitattributes': '*.ts binary\n',
    'src/.gitattributes': '* -diff\n',
    'src/b.ts': 'b\n',
  })
  for (const kind of ['commit', 'uncommitted'] as const) {
    repo.write({
      'a.ts': kind === 'commit' ? 'two\n' : 'three\n',
      'src/b.ts': kind === 'commit' ? 'b\n' : 'c\n',
    })
    const change = await collect(repo.path, kind === 'commit' ? { kind, commit: 'HEAD' } : { kind })
    const { files } = await change.diff()
    const code = files.filter(({ path }) => path.endsWith('.ts'))
    expect(code).toHaveLength(2)
    for (const file of code) expect(patchText(file)).toMatch(/^\+(two|three|b|c)$/m)
  }
})

test('a long patch is left out with the reason, its neighbours stay', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n', 'big.txt': 'x\n', 'c.txt': 'c\n' })
  repo.commit({ 'a.txt': 'A\n', 'big.txt': lines(100_000), 'c.txt': 'C\n' })
  const change = await collect(repo.path, { kind: 'commit', commit: 'HEAD' })
  const [a, big, c] = (await change.diff()).files
  expect(big).toMatchObject({
    added: 100_000,
    removed: 1,
    patch: null,
    omitted: 'its diff is larger than 1048576 bytes',
  })
  expect([patchText(a), patchText(c)].map((text) => text.includes('@@ -1 +1 @@'))).toEqual([true, true])
  expect(await change.head.read('big.txt')).toBeNull()
})

test('a huge committed file is named, not compared', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n', 'huge.bin': '' })
  repo.write({ 'a.txt': 'A\n' })
  truncateSync(join(repo.path, 'huge.bin'), 50_000_000)
  repo.commit({})
  const change = await collect(repo.path, { kind: 'commit', commit: 'HEAD' })
  const { files } = await change.diff()
  expect(files.map(({ path, omitted }) => [path, omitted])).toEqual([
    ['a.txt', null],
    ['huge.bin', 'larger than 20000000 bytes'],
  ])
  expect(await change.head.read('huge.bin')).toBeNull()
})

test('files beyond the cap are in the overflow by name; of very many 200 are named, and the others counted', async () => {
  const repo = createRepo()
  repo.commit({ 'z.txt': 'z\n' })
  const paths = Array.from({ length: 250 }, (_, i) => `f${String(i).padStart(3, '0')}.txt`)
  repo.commit(Object.fromEntries(paths.map((path) => [path, 'x\n'])))
  const diff = async (changedFiles: number) =>
    (await collect(repo.path, { kind: 'commit', commit: 'HEAD' }, { changedFiles })).diff()
  const most = await diff(220)
  expect(most.files.map(({ path }) => path)).toEqual(paths.slice(0, 220))
  expect(most.files.every(({ patch, added }) => patch !== null && added === 1)).toBe(true)
  expect([most.overflow, most.unlisted]).toEqual([paths.slice(220), undefined])
  const { files, overflow, unlisted } = await diff(20)
  expect([...files.map(({ path }) => path), ...overflow]).toEqual(paths.slice(0, 220))
  const others = paths.slice(220).map((path) => `${path}\0`)
  const sha256 = createHash('sha256').update(others.join('')).digest('hex')
  expect(unlisted).toEqual({ files: 30, sha256 })
})

test('files that were named come before the cap, and others do not count as beyond it', async () => {
  const repo = createRepo()
  repo.commit({ 'z.txt': 'z\n' })
  repo.commit({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c/d.txt': 'd\n', 'c/e.txt': 'e\n', 'c/f.txt': 'f\n' })
  const paths = [join(repo.path, 'c')]
  const change = await collect(repo.path, { kind: 'commit', commit: 'HEAD', paths }, { changedFiles: 2 })
  const { files, overflow } = await change.diff()
  expect(files.map(({ path }) => path)).toEqual(['c/d.txt', 'c/e.txt'])
  expect(overflow).toEqual(['c/f.txt'])
})

test('an empty change is an empty list', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  const change = await collect(repo.path, { kind: 'uncommitted' })
  expect(change.request.head).toEqual(change.request.base)
  expect(await changesOf(change)).toEqual([])
})

test('a zero byte hides no source: it is compared as text, and read', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const a = 1\n', 'image.png': Buffer.from([0, 1, 2, 3]) })
  const odd = `// stray \0 byte\n${'export const a = 2\n'.repeat(20)}`
  repo.commit({ 'a.ts': odd, 'image.png': Buffer.from([0, 3, 2, 1]) })
  const change = await collect(repo.path, { kind: 'commit', commit: 'HEAD' })
  const { files } = await change.diff()
  expect(files.map(({ path, added }) => [path, added])).toEqual([
    ['a.ts', 21],
    ['image.png', null],
  ])
  expect(patchText(files[0])).toContain('+// stray \0 byte\n')
  const read = { text: odd.replace('\0', '\ufffd'), lossy: true }
  expect(await change.head.read('a.ts')).toMatchObject(read)
  expect(await change.head.read('image.png')).toBeNull()
})
