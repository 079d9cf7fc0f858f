/** A tree whose paths and texts hold a token: every way to read it shows neither, and finds what it showed. */
import { expect, test } from 'vitest'
import { BlobMasks, maskSnapshot, ShownPaths } from '../../../src/hosts/masked/mask-snapshot.ts'
import { createRepo } from '../../helpers/git-repo.ts'
import { collect } from '../collecting.ts'

const token = `${'ghp_'}${'q8Zr4TnV1xKp7LmB3wYc9HsD2fGj6RtE5uNa'}`
const shown = 'keys/ghp_….ts'

test('paths and texts are masked whichever way they are read, and names that were shown are found', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'one\n', [`keys/${token}.ts`]: `const quokka = '${token}'\n`, 'keys/b.ts': 'two\n' })
  repo.commit({ 'a.ts': 'quokka\n', 'keys/b.ts': 'three\n', [`keys/${token}x.ts`]: 'new\n' })
  repo.git('rm', '-q', `keys/${token}.ts`)
  repo.commit({})
  const { base, head } = await collect(repo.path, { kind: 'range', range: 'HEAD~2..HEAD' })
  const pathsOf = (entries: readonly { path: string }[] | null | undefined) =>
    entries?.map(({ path }) => path)
  expect(pathsOf(await base.list())).toEqual(['a.ts', 'keys/b.ts', shown])
  expect(await base.list()).toBe(await base.list())
  expect(pathsOf(await base.listBelow?.('keys'))).toEqual(['keys/b.ts', shown])
  expect(await base.entry(shown)).toMatchObject({ path: shown, mode: '100644' })
  expect(await base.entry('gone')).toBeNull()
  expect(await base.read('gone')).toBeNull()
  expect((await base.read(shown))?.text).toBe("const quokka = 'ghp_…'\n")
  const files = await base.readMany(['a.ts', 'gone', shown])
  expect([...files].map(([path, { text }]) => [path, text])).toEqual([
    ['a.ts', 'one\n'],
    [shown, "const quokka = 'ghp_…'\n"],
  ])
  expect(await base.filesWithWords(['quokka', 'two'])).toEqual(
    new Map([
      ['quokka', [shown]],
      ['two', ['keys/b.ts']],
    ]),
  )
  const among = await base.filesWithWordsAmong?.(['quokka', 'two'], [shown])
  expect(among?.get('quokka')).toEqual([shown])
  expect(among?.get('two') ?? []).toEqual([])
  expect(await base.largeFilesWithWords?.(['quokka'])).toEqual([])
  const changes = await head.changesSince?.(base.tree, 100)
  const gone = changes?.find(({ after }) => after === null)
  expect(gone?.before?.path).toBe(gone?.path)
  const fresh = changes?.find(({ before }) => before === null)
  expect(fresh?.after?.path).toBe(fresh?.path)
  expect(pathsOf(changes)?.filter((path) => path.startsWith('keys/ghp_…'))).toHaveLength(2)
  expect(await head.changesSince?.(base.tree, 1)).toBeNull()
  expect(JSON.stringify([await head.list(), changes])).not.toContain(token.slice(4))
})

test('what one change found out holds for the next: contents by blob, paths that are clean by name', () => {
  const masks = new BlobMasks()
  const file = { blob: 'b1', text: `a ${token}`, lossy: false }
  expect(masks.masked(file)).toEqual({ ...file, text: 'a ghp_…' })
  const known = masks.secretsOf(file)
  masks.secretsOf({ ...file, blob: 'b0' })
  expect(masks.secretsOf({ ...file, text: '' })).toBe(known)
  const plain = { blob: 'b2', text: 'plain', lossy: true }
  expect(masks.masked(plain)).toBe(plain)
  for (let count = 0; count < 2_000; count++) masks.secretsOf({ blob: `c${count}`, text: '', lossy: false })
  // Forgotten, and found again.
  expect(masks.masked(file).text).toBe('a ghp_…')

  const clean = new Set<string>()
  const paths = new ShownPaths(clean)
  const all = (list: readonly string[]) =>
    paths.shownAll(
      list,
      (path) => path,
      (_, path) => path,
    )
  const harmless = ['a.ts', 'b.ts']
  expect(all(harmless)).toBe(harmless)
  expect([...clean]).toEqual(harmless)
  expect(all(['a.ts', `${token}/a`, 'c.ts'])).toEqual(['a.ts', 'ghp_…/a', 'c.ts'])
  expect([...clean]).toEqual([...harmless, 'c.ts'])
})

test('no two paths are shown alike, and each is real again', () => {
  const paths = new ShownPaths()
  const real = ['', 'x', 'y', 'z'].map((end) => `${token}${end}`)
  const names = real.map((path) => paths.shown(path))
  expect(names).toEqual(['ghp_…', 'ghp_…~2', 'ghp_…~3', 'ghp_…~4'])
  expect(names.map((name) => paths.real(name))).toEqual(real)
  expect(real.map((path) => paths.shown(path))).toEqual(names)
  expect([paths.shown('a.ts'), paths.real('a.ts')]).toEqual(['a.ts', 'a.ts'])
})

test('a name that is written as a masked one is shown takes the place of none', () => {
  const written = 'keys/ghp_….ts'
  for (const order of [
    [written, `keys/${token}.ts`],
    [`keys/${token}.ts`, written],
  ]) {
    const paths = new ShownPaths()
    // Listed by themselves, as two folders are.
    const names = order.flatMap((path) =>
      paths.shownAll(
        [path],
        (one) => one,
        (_, name) => name,
      ),
    )
    expect(names).toEqual(['keys/ghp_….ts', 'keys/ghp_….ts~2'])
    expect(names.map((name) => paths.real(name))).toEqual(order)
  }
})

test('a tree that cannot search among paths, or compare with another, is none that can', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'one\n' })
  const { head } = await collect(repo.path, { kind: 'commit', commit: 'HEAD' })
  const { filesWithWordsAmong: _, changesSince: __, largeFilesWithWords: ___, ...bare } = head
  const masked = maskSnapshot(bare, new BlobMasks(), new ShownPaths())
  expect([masked.filesWithWordsAmong, masked.changesSince, masked.largeFilesWithWords]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(masked.tree).toBe(head.tree)
})
