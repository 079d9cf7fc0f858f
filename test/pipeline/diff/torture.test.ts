/**
 * A generated repository with every odd case, and several hundred random edits, read through the real collector and
 * held against git's counts, a second independent count and the blobs. The seed is printed and can be set.
 */
import { chmodSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compareChange, emptyAgreement } from '../../../bench/diff/compare.ts'
import type { ChangeSelector } from '../../../src/hosts/contract.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { readChangeSet } from '../../../src/pipeline/diff/read-change-set.ts'
import { createRepo, type Files, type TestRepo } from '../../helpers/git-repo.ts'

const seed = Number(process.env.SIGHTLINE_SEED ?? Date.now() % 1_000_000)
const limits = { changedFiles: 10_000, fileBytes: 1 << 20, treeEntries: 1_000_000 }

async function read(repo: TestRepo, selector: ChangeSelector = { kind: 'commit', commit: 'HEAD' }) {
  const change = await collectLocal({ folder: repo.path, selector, limits })
  try {
    const raw = await change.diff()
    const { files } = await readChangeSet(raw, { exclude: [], generated: [], tests: [], base: change.base })
    const agreement = emptyAgreement()
    await compareChange(raw, files, change.base, change.head, agreement)
    return { files, agreement }
  } finally {
    await change.close()
  }
}

const lines = (number: number, word = 'line') =>
  Array.from({ length: number }, (_, i) => `${word} ${i}\n`).join('')

const before: Files = {
  'plain.ts': lines(40),
  'with space.ts': lines(10),
  'tab\tname.ts': lines(10),
  'quote"name.ts': lines(10),
  'ümläut/naïve.ts': lines(10),
  'new\nline.ts': lines(10),
  '--help': lines(10),
  'a b/ c.ts': lines(10),
  'crlf.ts': lines(10).replaceAll('\n', '\r\n'),
  'no-newline.ts': 'one\ntwo',
  'gains-newline.ts': 'one\ntwo',
  'empty.ts': '',
  'gone.ts': lines(10),
  'renamed.ts': lines(30, 'renamed'),
  'renamed-edited.ts': lines(30, 'edited'),
  'script.sh': lines(5),
  'binary.dat': Uint8Array.from({ length: 300 }, (_, i) => i % 256),
  'latin.txt': Buffer.from('caf\xe9\nth\xe9\n', 'latin1'),
  'like-headers.txt': lines(10),
  'odd-separators.txt': lines(5),
  'becomes-link': lines(3),
}

const after: Files = {
  'plain.ts': lines(40).replace('line 3\n', '').replace('line 30\n', 'line thirty\nand more\n'),
  'with space.ts': `${lines(10)}more\n`,
  'tab\tname.ts': `${lines(10)}more\n`,
  'quote"name.ts': `${lines(10)}more\n`,
  'ümläut/naïve.ts': `${lines(10)}mehr ä\n`,
  'new\nline.ts': `${lines(10)}more\n`,
  '--help': `${lines(10)}more\n`,
  'a b/ c.ts': `${lines(10)}more\n`,
  'crlf.ts': lines(11).replaceAll('\n', '\r\n').replace('line 2\r\n', 'line 2\n'),
  'no-newline.ts': 'one\nthree',
  'gains-newline.ts': 'one\ntwo\n',
  'empty.ts': 'no longer\n',
  'now-empty.ts': '',
  'gone.ts': null,
  'renamed.ts': null,
  'moved/renamed.ts': lines(30, 'renamed'),
  'renamed-edited.ts': null,
  'moved/edited.ts': lines(30, 'edited').replace('edited 7\n', 'edited seven\n'),
  'binary.dat': Uint8Array.from({ length: 400 }, (_, i) => (i * 7) % 256),
  'latin.txt': Buffer.from('caf\xe9\nth\xe9 vert\n', 'latin1'),
  'like-headers.txt': `--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n${lines(10)}-- dash\n++ plus\ndiff --git a/x b/x\n\\ No newline at end of file\n`,
  'odd-separators.txt': 'a\u000bb\u000cc\u2028d\u0085e\rf\n',
}

test('a repository of odd cases is read as git counts it', async () => {
  const repo = createRepo()
  repo.git('config', 'core.autocrlf', 'false')
  repo.commit(before)
  chmodSync(join(repo.path, 'script.sh'), 0o755)
  unlinkSync(join(repo.path, 'becomes-link'))
  symlinkSync('plain.ts', join(repo.path, 'becomes-link'))
  repo.commit(after)
  const { files, agreement } = await read(repo)
  expect(agreement.faults).toEqual([])
  const file = (path: string) => files.find((one) => one.path === path)

  expect(file('moved/renamed.ts')).toMatchObject({
    status: 'renamed',
    oldPath: 'renamed.ts',
    similarity: 100,
    hunks: [],
  })
  expect(file('moved/edited.ts')).toMatchObject({ status: 'renamed', added: 1, removed: 1 })
  expect(file('gone.ts')).toMatchObject({ status: 'deleted', newBlob: null, removed: 10 })
  expect(file('now-empty.ts')).toMatchObject({ kind: 'text', added: 0, hunks: [] })
  expect(file('script.sh')).toMatchObject({ oldMode: '100644', newMode: '100755', hunks: [] })
  expect(file('binary.dat')).toMatchObject({ kind: 'binary', hunks: [] })
  expect(file('latin.txt')).toMatchObject({ kind: 'text', lossyText: true, added: 1 })
  expect(file('no-newline.ts')?.hunks[0]?.lines.at(-1)).toMatchObject({ text: 'three', noNewline: true })
  expect(file('gains-newline.ts')?.hunks[0]?.lines.filter((line) => line.noNewline)).toHaveLength(1)
  expect(
    file('crlf.ts')
      ?.hunks.flatMap((hunk) => hunk.lines)
      .find((line) => line.new === 2)?.text,
  ).toBe('line 1\r')
  expect(file('odd-separators.txt')?.added).toBe(1)
  expect(file('new\nline.ts')?.added).toBe(1)
  expect(file('--help')?.added).toBe(1)
})

test('a submodule that moves on has commits, not lines', async () => {
  const repo = createRepo()
  const [one, two] = ['1'.repeat(40), '2'.repeat(40)]
  repo.git('update-index', '--add', '--cacheinfo', `160000,${one},lib`)
  repo.git('commit', '--quiet', '-m', 'add')
  repo.git('update-index', '--cacheinfo', `160000,${two},lib`)
  repo.git('commit', '--quiet', '-m', 'bump')
  const { files } = await read(repo)
  expect(files).toMatchObject([
    { path: 'lib', kind: 'submodule', oldBlob: one, newBlob: two, language: null },
  ])
})

test(`several hundred random edits agree with git (seed ${seed})`, async () => {
  const random = createRandom(seed)
  const repo = createRepo()
  const content = new Map<string, string[]>()
  for (let i = 0; i < 30; i++) content.set(`f${i}.txt`, randomLines(random, 200))
  repo.commit(filesOf(content))
  let hunks = 0
  for (let round = 0; round < 12; round++) {
    for (const text of content.values()) edit(text, random)
    repo.commit(filesOf(content))
    const { agreement } = await read(repo)
    expect(agreement.faults).toEqual([])
    hunks += agreement.hunks
  }
  expect(hunks).toBeGreaterThan(300)
})

function filesOf(content: Map<string, string[]>): Files {
  return Object.fromEntries([...content].map(([path, text]) => [path, text.join('\n')]))
}

function randomLines(random: () => number, number: number): string[] {
  const starts = ['-', '+', ' ', '@@ -1 +1 @@', '\\', '--- ', '+++ ', '', 'diff --git ', 'x']
  return Array.from(
    { length: number },
    () => `${starts[Math.floor(random() * starts.length)]}${Math.floor(random() * 50)}`,
  )
}

function edit(text: string[], random: () => number): void {
  for (let i = 0; i < 3; i++) {
    const at = Math.floor(random() * (text.length + 1))
    text.splice(at, Math.floor(random() * 4), ...randomLines(random, Math.floor(random() * 4)))
  }
}

/** Mulberry32: small, and the same everywhere for one seed. */
function createRandom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
