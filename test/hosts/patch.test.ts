/** Patches: applied to a tree, never to the work tree. */
import { expect, test } from 'vitest'
import { createRepo } from '../helpers/git-repo.ts'
import { changesOf, collect, patchText } from './collecting.ts'

const change = Buffer.from('--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n')

const newFile = (path: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+new\n`

test('a patch is applied to HEAD or to the named base, and the work tree stays', async () => {
  const repo = createRepo()
  const first = repo.commit({ 'a.txt': 'one\ntwo\n' })
  repo.commit({ 'a.txt': 'zero\none\ntwo\nthree\n', 'b.txt': 'b\n' })
  repo.write({ 'a.txt': 'dirty\n' })
  const onHead = await collect(repo.path, { kind: 'patch', patch: change, base: null }).catch(
    (e: unknown) => e,
  )
  expect(onHead).toMatchObject({ code: 'patch-does-not-apply' })
  const onFirst = await collect(repo.path, { kind: 'patch', patch: change, base: first })
  expect(onFirst.request).toMatchObject({
    source: { kind: 'patch', label: `patch on ${first}` },
    base: { commit: first },
    head: { commit: null },
  })
  expect(await changesOf(onFirst)).toEqual(['M a.txt'])
  expect((await onFirst.head.read('a.txt'))?.text).toBe('one\nTWO\n')
  expect((await onFirst.history.recent(5)).commits).toHaveLength(1)
})

test('mail, renames, new, deleted, binary and mode changes of git format-patch come through', async () => {
  const repo = createRepo()
  const text = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('')
  repo.commit({ 'old.txt': text, 'gone.txt': 'gone\n', 'bin.png': new Uint8Array([0, 1, 2]) })
  repo.git('checkout', '--quiet', '-b', 'work')
  repo.commit({ 'old.txt': null, 'new name.txt': `${text}x\n`, 'gone.txt': null, 'ü.txt': 'ü\n' }, 'one')
  repo.commit({ 'bin.png': new Uint8Array([0, 9, 9]), 'ü.txt': 'ü\nmore\n' }, 'two')
  const patch = Buffer.from(repo.git('format-patch', '--stdout', '--binary', 'main..work'))
  repo.git('checkout', '--quiet', 'main')
  const collected = await collect(repo.path, { kind: 'patch', patch, base: null })
  expect(await changesOf(collected)).toEqual([
    'M bin.png',
    'D gone.txt',
    'R old.txt → new name.txt',
    'A ü.txt',
  ])
  expect(collected.request.head.tree).toBe(repo.git('rev-parse', 'work^{tree}'))
})

test('a patch for a repository without a commit makes new files', async () => {
  const patch = Buffer.from(newFile('n.txt'))
  const collected = await collect(createRepo().path, { kind: 'patch', patch, base: null })
  expect(collected.request.base.commit).toBeNull()
  expect(patchText((await collected.diff()).files[0])).toContain('+new')
})

const refused: readonly [what: string, patch: string, code: string, reason: RegExp][] = [
  ['nothing', '', 'patch-empty', /it has no lines/],
  ['prose', 'Dear reader,\nthis is no patch.\n', 'patch-unreadable', /No valid patches|unrecognized input/],
  ['a cut hunk', '--- a/a.txt\n+++ b/a.txt\n@@ -1,9 +1,9 @@\n one\n', 'patch-unreadable', /corrupt patch/],
  ...[
    ['a foreign file', '--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-x\n+y\n', /^x\.c: does not exist/] as const,
    ['foreign lines', '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n', /a\.txt:1/] as const,
    ['a way out', '--- a/../x\n+++ b/../x\n@@ -0,0 +1 @@\n+y\n', /\.\.\/x/] as const,
    ['a new git file', newFile('.git/config'), /\.git\/config/] as const,
    ['a file where a folder is', newFile('folder'), /folder/] as const,
    ['a file below a file', newFile('a.txt/below.txt'), /a\.txt/] as const,
  ].map(([what, patch, reason]): (typeof refused)[number] => [what, patch, 'patch-does-not-apply', reason]),
]

test('what cannot be applied is refused with the reason', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'one\ntwo\n', 'folder/b.txt': 'b\n' })
  for (const [what, text, code, reason] of refused)
    await expect(
      collect(repo.path, { kind: 'patch', patch: Buffer.from(text), base: null }),
      what,
    ).rejects.toMatchObject({ code, message: expect.stringMatching(reason) })
})

test('a patch of a repository beyond the caps is applied, and the rest of the tree stays as it is', async () => {
  const repo = createRepo()
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`many/${at % 5}/f${at}.txt`, `${at}\n`]),
  )
  repo.commit({ ...many, 'a.txt': 'one\ntwo\n', 'only/one.txt': 'one\n' })
  repo.git('checkout', '--quiet', '-b', 'work')
  repo.commit(
    { 'a.txt': 'one\nTWO\n', 'only/one.txt': null, 'many/new/x.txt': 'x\n', 'many/3/f3.txt': null },
    'one',
  )
  const patch = Buffer.from(repo.git('format-patch', '--stdout', 'main..work'))
  repo.git('checkout', '--quiet', 'main')
  const collected = await collect(repo.path, { kind: 'patch', patch, base: null }, { treeEntries: 20 })
  expect(collected.request.head.tree).toBe(repo.git('rev-parse', 'work^{tree}'))
  expect(await changesOf(collected)).toEqual([
    'M a.txt',
    'D many/3/f3.txt',
    'A many/new/x.txt',
    'D only/one.txt',
  ])
})
