/** Reading a tree: entries, texts, words. */
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo } from '../helpers/git-repo.ts'
import { collect } from './collecting.ts'

const utf16 = (text: string) => new Uint8Array([0xff, 0xfe, ...Buffer.from(text, 'utf16le')])

async function headOf(files: Record<string, string | Uint8Array>, limits = {}) {
  const repo = createRepo()
  repo.commit(files)
  return (await collect(repo.path, { kind: 'commit', commit: 'HEAD' }, limits)).head
}

test('text is decoded, and what is no text is null', async () => {
  const head = await headOf(
    {
      'plain.txt': 'plain é\n',
      'latin.txt': new Uint8Array([0x63, 0xe9, 0x0a]),
      'mark.txt': '\ufeffmarked\n',
      'wide.txt': utf16('wide é\n'),
      'wide-big.txt': new Uint8Array([0xfe, 0xff, 0x00, 0x41, 0x00, 0x0a]),
      'utf32.txt': new Uint8Array([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]),
      'binary.bin': new Uint8Array([0x41, 0, 0x42]),
      'late-zero.txt': `${'x'.repeat(8000)}\0`,
      'empty.txt': '',
      'big.txt': 'x'.repeat(5001),
      'fits.txt': 'x'.repeat(5000),
    },
    { fileBytes: 9000 },
  )
  const text = async (path: string) => (await head.read(path))?.text ?? null
  expect(await head.read('plain.txt')).toEqual({
    text: 'plain é\n',
    lossy: false,
    blob: (await head.entry('plain.txt'))?.blob,
  })
  expect(await head.read('latin.txt')).toMatchObject({ text: 'c\ufffd\n', lossy: true })
  expect(await text('mark.txt')).toBe('\ufeffmarked\n')
  expect(await text('wide.txt')).toBe('wide é\n')
  expect(await text('wide-big.txt')).toBe('A\n')
  expect(await text('utf32.txt')).toBeNull()
  expect(await text('binary.bin')).toBeNull()
  expect((await text('late-zero.txt'))?.length).toBe(8001)
  expect(await text('empty.txt')).toBe('')
  for (const absent of ['absent.txt', '', '/', '../plain.txt', './plain.txt', 'plain.txt/x', '/plain.txt'])
    expect(await text(absent), absent).toBeNull()
})

test('files above the limit are listed with their size and not read, and say whether they hold a word', async () => {
  const head = await headOf(
    {
      'big.txt': 'word '.repeat(300),
      'big.png': 'word '.repeat(300),
      'big.bin': `${'\0\x01'.repeat(500)} word `.repeat(2),
      'fits.txt': 'word\n',
    },
    { fileBytes: 1024 },
  )
  expect((await head.entry('big.txt'))?.size).toBe(1500)
  expect([...(await head.readMany(['big.txt', 'fits.txt', 'none.txt'])).keys()]).toEqual(['fits.txt'])
  expect((await head.filesWithWords(['word'])).get('word')).toEqual(['fits.txt'])
  expect(await head.largeFilesWithWords?.(['other', 'word'])).toEqual(['big.txt'])
  expect(await head.largeFilesWithWords?.(['other'])).toEqual([])
})

test('a name with a mark is found by its word, and answered under the name', async () => {
  const head = await headOf({
    'a.rb': 'return if door.open?\n',
    'b.js': 'this.#load()\n',
    'c.cs': 'of(@class)\n',
  })
  const found = await head.filesWithWords(['open?', '#load', '@class', 'r#class', 'shut?'])
  expect([...found]).toEqual([
    ['open?', ['a.rb']],
    ['#load', ['b.js']],
    ['@class', ['c.cs']],
    ['r#class', ['c.cs']],
    ['shut?', []],
  ])
})

test('the list is in path order, with modes and sizes, and links are read as their target', async () => {
  const repo = createRepo()
  repo.write({ 'foo/x.txt': 'x', 'foo.txt': 'ab', 'foo-bar': '' })
  symlinkSync('foo.txt', join(repo.path, 'link'))
  repo.commit({})
  const { head } = await collect(repo.path, { kind: 'commit', commit: 'HEAD' })
  const list = await head.list()
  expect(list.map(({ path, mode, size }) => [path, mode, size])).toEqual([
    ['foo-bar', '100644', 0],
    ['foo.txt', '100644', 2],
    ['foo/x.txt', '100644', 1],
    ['link', '120000', 7],
  ])
  for (const entry of list) expect(await head.entry(entry.path)).toEqual(entry)
  expect(await head.entry('foo')).toBeNull()
  expect((await head.read('link'))?.text).toBe('foo.txt')
})

test('words are whole identifiers, exact in case, in text files of any encoding', async () => {
  const head = await headOf({
    'a.ts': 'const parse = parseAll($scope, größe)\n',
    'b.ts': 'parse',
    'c.ts': 'reparse parse_ parse1 Parse parseé\n',
    'd.ts': 'x.parse()\n',
    'e.php': 'X::$parse\n',
    'wide.txt': utf16('parse\n'),
    'parse.bin': new Uint8Array([...Buffer.from('parse '), 0]),
    'same.ts': 'parse',
    'this.js': 'this.#parse|constructor __proto__\n',
  })
  const words = ['parse', '$scope', 'größe', 'foo-bar', 'parse', 'constructor', '__proto__', '']
  const found = await head.filesWithWords(words)
  expect([...found]).toEqual([
    ['parse', ['a.ts', 'b.ts', 'd.ts', 'e.php', 'same.ts', 'this.js', 'wide.txt']],
    ['$scope', ['a.ts']],
    ['größe', ['a.ts']],
    ['foo-bar', []],
    ['constructor', ['this.js']],
    ['__proto__', ['this.js']],
    ['', []],
  ])
})

test('later questions and the other side get the same answers as a fresh scan', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'one two\n', 'b.txt': 'two three\n' })
  repo.commit({ 'a.txt': 'one four\n', 'c.txt': 'three\n' })
  const words = ['one', 'two', 'three', 'four']
  const fresh = await collect(repo.path, { kind: 'commit', commit: 'HEAD' })
  const [base, head] = await Promise.all([fresh.base.filesWithWords(words), fresh.head.filesWithWords(words)])
  const again = await collect(repo.path, { kind: 'commit', commit: 'HEAD' })
  for (const word of words) {
    expect((await again.head.filesWithWords([word])).get(word)).toEqual(head.get(word))
    expect((await again.base.filesWithWords(['zero', word])).get(word)).toEqual(base.get(word))
  }
  expect(head).toEqual(
    new Map([
      ['one', ['a.txt']],
      ['two', ['b.txt']],
      ['three', ['b.txt', 'c.txt']],
      ['four', ['a.txt']],
    ]),
  )
  expect(base).toEqual(
    new Map([
      ['one', ['a.txt']],
      ['two', ['a.txt', 'b.txt']],
      ['three', ['b.txt']],
      ['four', []],
    ]),
  )
})

test('a base that is listed by what differs from the head is as one that is listed by itself', async () => {
  const repo = createRepo()
  repo.write({ 'a/kept.txt': 'x', 'a/gone.txt': 'y', 'foo.txt': 'ab', 'foo/x.txt': 'x', 'zoë/ä.txt': '1' })
  symlinkSync('foo.txt', join(repo.path, 'becomes-a-file'))
  repo.commit({ 'same.txt': 'z', 'deep/er/one.txt': '1', 'deep/er/two.txt': '22' })
  repo.commit({
    'a/gone.txt': null,
    'becomes-a-file': null,
    'deep/er/one.txt': '1 changed',
    'foo-bar': 'new',
    foo: null,
    zoë: null,
  })
  repo.commit({ 'becomes-a-file': 'now a file', 'deep/er': null, foo: 'once a folder' })
  const range = { kind: 'range', range: 'HEAD~2..HEAD' } as const
  const { base } = await collect(repo.path, range)
  const alone = (await collect(repo.path, { kind: 'commit', commit: 'HEAD~2' })).head
  const listed = await base.list()
  expect(listed.map(({ path }) => path)).toContain('deep/er/two.txt')
  expect(listed).toEqual(await alone.list())
})

test('one folder is listed as it is in the whole list, and a folder that is not here is no empty one', async () => {
  const repo = createRepo()
  repo.commit({ 'a.yaml': '1', 'rules/b.yaml': '22', 'rules/in/c.yaml': '', 'rules-old/d.yaml': '', e: '' })
  const { head } = await collect(repo.path, { kind: 'commit', commit: 'HEAD' })
  const all = await head.list()
  for (const folder of ['rules', 'rules/in', 'a.yaml', 'none', 'rules/none', 'a.yaml/b', ''])
    expect(await head.listBelow?.(folder), folder).toEqual(
      all.filter(({ path }) => path === folder || path.startsWith(`${folder}/`)),
    )
  const tree = repo.git('rev-parse', 'HEAD:rules')
  rmSync(join(repo.path, '.git/objects', tree.slice(0, 2), tree.slice(2)))
  const broken = (await collect(repo.path, { kind: 'commit', commit: 'HEAD' })).head
  await expect(broken.listBelow?.('rules/in')).rejects.toThrow(tree)
  expect(await broken.listBelow?.('rules-old')).toHaveLength(1)
})
