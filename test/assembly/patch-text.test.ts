/** Patches of edits, applied and taken back by the git of this machine. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { patchOf } from '../../src/assembly/patch-text.ts'
import type { Edit } from '../../src/domain/finding.ts'
import { createRepo } from '../helpers/git-repo.ts'

const numbered = (last: number) => Array.from({ length: last }, (_, at) => `line ${at + 1}`)

/** `text` after `git apply`; the patch is taken back too, and must restore it. */
function appliedByGit(path: string, text: string, edits: readonly Edit[]): string {
  const repo = createRepo()
  repo.commit({ [path]: text }, 'first')
  const patch = join(repo.path, '.git/fix.patch')
  writeFileSync(patch, patchOf(path, text, edits))
  repo.git('apply', patch)
  const applied = readFileSync(join(repo.path, path), 'utf8')
  repo.git('apply', '--reverse', patch)
  expect(readFileSync(join(repo.path, path), 'utf8')).toBe(text)
  return applied
}

test('near and distant edits, a deletion, more lines than before, and an odd name', () => {
  const text = `${numbered(40).join('\n')}\n`
  const lines = numbered(40)
  lines.splice(29, 2)
  lines.splice(5, 1, 'six', 'six and a half')
  lines.splice(1, 1, 'two')
  const edits = [
    { startLine: 2, endLine: 2, replacement: 'two' },
    { startLine: 6, endLine: 6, replacement: 'six\nsix and a half' },
    { startLine: 30, endLine: 31, replacement: '' },
  ]
  expect(appliedByGit('a "b"\\c.txt', text, edits)).toBe(`${lines.join('\n')}\n`)
})

test('no line feed at the end, and the last line changed or not', () => {
  const text = numbered(9).join('\n')
  expect(appliedByGit('a.txt', text, [{ startLine: 9, endLine: 9, replacement: 'last' }])).toBe(
    [...numbered(8), 'last'].join('\n'),
  )
  expect(appliedByGit('a.txt', text, [{ startLine: 8, endLine: 8, replacement: 'eight' }])).toBe(
    [...numbered(7), 'eight', 'line 9'].join('\n'),
  )
})

test('lines keep the line ends that they had', () => {
  expect(appliedByGit('a.txt', 'one\r\ntwo\r\n', [{ startLine: 1, endLine: 1, replacement: 'eins' }])).toBe(
    'eins\r\ntwo\r\n',
  )
})
