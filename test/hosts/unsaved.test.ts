/** The work tree with the texts of an editor: the same two trees as if each text had been saved. */
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo } from '../helpers/git-repo.ts'
import { changesOf, collect } from './collecting.ts'

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
  const change = await collect(repo.path, { kind: 'uncommitted', unsaved })
  expect(await changesOf(change)).toEqual(['M a.txt', 'M b.md', 'A d.md', 'A link.md', 'A new/e.md'])
  expect((await change.head.read('a.txt'))?.text).toBe('a\nmore\n')
  expect((await change.head.read('d.md'))?.text).toBe('unsaved\n')
  expect(readFileSync(join(repo.path, 'd.md'), 'utf8')).toBe('d\n')
  const { 'link.md': _, ...written } = texts
  repo.write(written)
  const saved = await collect(repo.path, { kind: 'uncommitted' })
  expect(change.request.head.tree).toBe(saved.request.head.tree)
})

test('texts that are what was committed are no change', async () => {
  const repo = createRepo()
  repo.commit({ 'a.md': 'a\n' })
  repo.write({ 'a.md': 'on disk\n' })
  const unsaved = [{ path: 'a.md', text: 'a\n' }]
  const change = await collect(repo.path, { kind: 'uncommitted', unsaved })
  expect(change.request.head).toEqual(change.request.base)
  expect(await changesOf(change)).toEqual([])
})
