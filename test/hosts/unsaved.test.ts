/** The work tree with the texts of an editor: the same two trees as if each text had been saved. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { defaultConfig } from '../../src/config/schema.ts'
import type { CollectedChange, UnsavedFile } from '../../src/hosts/contract.ts'
import { keepWorkTree } from '../../src/hosts/local/keep-work-tree.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { changesOf, collect } from './collecting.ts'

/** Asked again, it has read the work tree before. */
function keep(folder: string) {
  const { signal } = new AbortController()
  const workTree = keepWorkTree({ folder, borrowFrom: [] }, signal)
  onTestFinished(() => workTree.close())
  return {
    workTree,
    async collect(...unsaved: readonly UnsavedFile[]): Promise<CollectedChange> {
      const change = await workTree.source(unsaved).collect(defaultConfig.limits, signal)
      onTestFinished(() => change.close())
      return change
    },
  }
}

test('what an editor holds is what saving it would make, and nothing is saved', async () => {
  const repo = createRepo()
  repo.commit({
    '.gitattributes': '*.txt text eol=crlf\n',
    '.gitignore': '*.log\n',
    'a.txt': 'a\n',
    'b.md': 'b\n',
    'c.md': 'c\n',
  })
  repo.write({ 'b.md': 'on disk\n', 'c.md': 'on disk\n', 'd.md': 'd\n' })
  symlinkSync('b.md', join(repo.path, 'link.md'))
  repo.git('add', 'link.md')
  const texts = {
    'a.txt': 'a\r\nmore\r\n',
    'c.md': 'c\n',
    'd.md': 'unsaved\n',
    'new/e.md': 'e\n',
    'debug.log': 'ignored\n',
    'link.md': 'behind a link\n',
  }
  const unsaved = Object.entries(texts).map(([path, text]) => ({ path, text }))
  const change = await keep(repo.path).collect(...unsaved)
  expect(await changesOf(change)).toEqual(['M a.txt', 'M b.md', 'A d.md', 'A link.md', 'A new/e.md'])
  expect((await change.head.read('a.txt'))?.text).toBe('a\nmore\n')
  expect((await change.head.read('d.md'))?.text).toBe('unsaved\n')
  expect(readFileSync(join(repo.path, 'd.md'), 'utf8')).toBe('d\n')
  const { 'link.md': _, ...written } = texts
  repo.write(written)
  const saved = await collect(repo.path, { kind: 'uncommitted' })
  expect(change.request.head.tree).toBe(saved.request.head.tree)
})

test('a text is stored as git stores the file, whatever the attributes of its path say', async () => {
  const repo = createRepo()
  const rows = {
    'plain.md': '$Id: 12ab $\n',
    'ident.id': 'a $Id: 12ab $\n',
    'deep/er/ident.id': '$Id: 34cd $\nmore\n',
    'wide.u16': 'wide\r\ntext\r\n',
    'unset.not': 'a\nb\n',
    'ends.txt': 'a\nb\n',
    'returns.txt': 'a\r\nb\r\n',
    'returns.md': 'a\r\nb\r\n',
    'a.b/c.md': 'c\n',
    'a/b.md': 'b\n',
    'a-b.md': 'b\n',
    'é.md': 'é\n',
  }
  repo.commit({
    '.gitattributes': '*.id ident\n*.not -ident\n*.txt text\n*.u16 text working-tree-encoding=UTF-16LE\n',
    ...Object.fromEntries(Object.keys(rows).map((path) => [path, path.endsWith('.u16') ? '' : 'before\n'])),
  })
  const { collect: collectKept } = keep(repo.path)
  const change = await collectKept(...Object.entries(rows).map(([path, text]) => ({ path, text })))
  repo.write(rows)
  writeFileSync(join(repo.path, 'wide.u16'), Buffer.from(rows['wide.u16'], 'utf16le'))
  const saved = await collect(repo.path, { kind: 'uncommitted' })
  expect(change.request.head.tree).toBe(saved.request.head.tree)
})

test('texts that are what was committed are no change', async () => {
  const repo = createRepo()
  repo.commit({ 'a.md': 'a\n' })
  repo.write({ 'a.md': 'on disk\n' })
  const change = await keep(repo.path).collect({ path: 'a.md', text: 'a\n' })
  expect(change.request.head).toEqual(change.request.base)
  expect(await changesOf(change)).toEqual([])
})

test('each text counts anew, and what is on disk when it is said to have changed', async () => {
  const repo = createRepo()
  repo.commit({ 'a.md': 'a\n', 'b.md': 'b\n' })
  const { workTree, collect: collectWith } = keep(repo.path)
  const first = await collectWith({ path: 'a.md', text: 'one\n' })
  repo.write({ 'b.md': 'on disk\n' })
  const second = await collectWith({ path: 'a.md', text: 'two\n' })
  expect(await changesOf(second)).toEqual(['M a.md'])
  expect((await second.head.read('a.md'))?.text).toBe('two\n')
  workTree.forget()
  const third = await collectWith()
  expect(await changesOf(third)).toEqual(['M b.md'])
  // Those that are open still read what they were.
  expect((await first.head.read('a.md'))?.text).toBe('one\n')
  repo.commit({})
  workTree.forget()
  expect(await changesOf(await collectWith())).toEqual([])
})

test('what a change knows from the one before is what it would have found itself', async () => {
  const repo = createRepo()
  repo.commit({ 'a/one.ts': 'one', 'a/two.ts': 'two', 'b.ts': 'one two' })
  repo.write({ 'c.ts': 'three' })
  const { collect: collectWith } = keep(repo.path)
  const steps: UnsavedFile[][] = [
    [{ path: 'a/one.ts', text: 'three' }],
    [
      { path: 'a/one.ts', text: 'three' },
      { path: 'a/new/four.ts', text: 'one' },
    ],
    [{ path: 'a/two.ts', text: null }],
    [{ path: 'a/one.ts', text: 'four' }],
    [],
  ]
  for (const texts of steps) {
    const kept = await collectWith(...texts)
    const anew = await keep(repo.path).collect(...texts)
    for (const side of ['base', 'head'] as const) {
      expect(await kept[side].list()).toEqual(await anew[side].list())
      const words = ['one', 'two', 'three', 'four']
      expect(await kept[side].filesWithWords(words)).toEqual(await anew[side].filesWithWords(words))
    }
    expect(await changesOf(kept)).toEqual(await changesOf(anew))
  }
})

test('after a work tree that could not be read, the next time is a new one', async () => {
  const repo = createRepo()
  const { collect: collectWith } = keep(repo.path)
  await expect(collectWith()).rejects.toMatchObject({ code: 'nothing-to-review' })
  repo.commit({ 'a.md': 'a\n' })
  expect(await changesOf(await collectWith({ path: 'a.md', text: 'b\n' }))).toEqual(['M a.md'])
})
