/** Index and work tree as trees: what counts as changed, and what is named instead of read. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo, type TestRepo } from '../helpers/git-repo.ts'
import { changesOf, collect, patchText } from './collecting.ts'

function threeFiles(): TestRepo {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' })
  return repo
}

test('staged, unstaged and uncommitted each see their own part', async () => {
  const repo = threeFiles()
  repo.write({ 'a.txt': 'a\nstaged\n' })
  repo.git('add', 'a.txt')
  repo.write({ 'a.txt': 'a\nstaged\nunstaged\n', 'b.txt': null, 'new.txt': 'new\n' })
  const staged = await collect(repo.path, { kind: 'staged' })
  expect(await changesOf(staged)).toEqual(['M a.txt'])
  expect((await staged.head.read('a.txt'))?.text).toBe('a\nstaged\n')
  const unstaged = await collect(repo.path, { kind: 'unstaged' })
  expect(await changesOf(unstaged)).toEqual(['M a.txt', 'D b.txt'])
  expect((await unstaged.base.read('a.txt'))?.text).toBe('a\nstaged\n')
  const uncommitted = await collect(repo.path, { kind: 'uncommitted' })
  expect(await changesOf(uncommitted)).toEqual(['M a.txt', 'D b.txt', 'A new.txt'])
  expect((await uncommitted.head.read('a.txt'))?.text).toBe('a\nstaged\nunstaged\n')
  expect(await uncommitted.head.read('b.txt')).toBeNull()
})

test('the target is left as it was: index, objects and references', async () => {
  const repo = threeFiles()
  repo.write({ 'a.txt': 'changed\n', 'new.txt': 'new\n' })
  const listing = () =>
    execFileSync('find', ['.git', '-type', 'f', '-exec', 'sha256sum', '{}', '+'], {
      cwd: repo.path,
      encoding: 'utf8',
    })
      .split('\n')
      .sort()
  const before = listing()
  for (const kind of ['uncommitted', 'staged', 'unstaged', 'auto'] as const)
    await (await collect(repo.path, { kind })).diff()
  expect(listing()).toEqual(before)
})

test('touched files, and files changed within one second of the index, are judged by content', async () => {
  const repo = threeFiles()
  utimesSync(join(repo.path, 'a.txt'), 1_600_000_000, 1_600_000_000)
  const now = statSync(join(repo.path, '.git/index')).mtimeMs / 1000
  writeFileSync(join(repo.path, 'b.txt'), 'B\n')
  utimesSync(join(repo.path, 'b.txt'), now, now)
  expect(await changesOf(await collect(repo.path, { kind: 'uncommitted' }))).toEqual(['M b.txt'])
})

test('ignored files are left out: .gitignore, info/exclude and the user’s own list', async () => {
  const repo = threeFiles()
  const list = join(repo.path, '.git', 'my-ignores')
  const config = join(repo.path, '.git', 'my-config')
  writeFileSync(list, '*.mine\n')
  writeFileSync(config, `[core]\n excludesFile = ${list}\n`)
  writeFileSync(join(repo.path, '.git/info/exclude'), '*.local\n')
  repo.write({ '.gitignore': '*.log\n', 'x.log': '', 'x.local': '', 'x.mine': '', 'x.txt': '' })
  process.env.GIT_CONFIG_GLOBAL = config
  try {
    const change = await collect(repo.path, { kind: 'uncommitted' })
    expect(await changesOf(change)).toEqual(['A .gitignore', 'A x.txt'])
  } finally {
    delete process.env.GIT_CONFIG_GLOBAL
  }
})

test('line ends that git converts are no change', async () => {
  const repo = createRepo()
  repo.commit({ '.gitattributes': '*.txt text\n', 'a.txt': 'one\ntwo\n', 'b.c': 'one\ntwo\n' })
  repo.write({ 'a.txt': 'one\r\ntwo\r\n' })
  const clean = await collect(repo.path, { kind: 'uncommitted' })
  expect(await changesOf(clean)).toEqual([])
  repo.git('config', 'core.autocrlf', 'true')
  repo.write({ 'b.c': 'one\r\ntwo\r\n' })
  expect(await changesOf(await collect(repo.path, { kind: 'uncommitted' }))).toEqual([])
  repo.git('config', 'core.autocrlf', 'false')
  expect(await changesOf(await collect(repo.path, { kind: 'uncommitted' }))).toEqual(['M b.c'])
})

test('the executable bit counts, unless core.fileMode says that it cannot', async () => {
  const repo = threeFiles()
  chmodSync(join(repo.path, 'a.txt'), 0o755)
  const [file] = (await (await collect(repo.path, { kind: 'uncommitted' })).diff()).files
  expect(file).toMatchObject({ status: 'M', oldMode: '100644', newMode: '100755', added: 0, removed: 0 })
  expect(patchText(file)).toContain('new mode 100755')
  repo.git('config', 'core.fileMode', 'false')
  expect(await changesOf(await collect(repo.path, { kind: 'uncommitted' }))).toEqual([])
})

test('a conflict is shown as it lies in the work tree, and stops --staged', async () => {
  const repo = threeFiles()
  repo.git('checkout', '--quiet', '-b', 'other')
  repo.commit({ 'a.txt': 'theirs\n', 'b.txt': null })
  repo.git('checkout', '--quiet', 'main')
  repo.commit({ 'a.txt': 'ours\n', 'b.txt': 'b\nours\n' })
  expect(() => repo.git('merge', 'other')).toThrow()
  const change = await collect(repo.path, { kind: 'uncommitted' })
  expect(await changesOf(change)).toEqual(['M a.txt'])
  expect((await change.head.read('a.txt'))?.text).toContain('<<<<<<< HEAD')
  const unstaged = await collect(repo.path, { kind: 'unstaged' })
  expect((await unstaged.base.read('a.txt'))?.text).toBe('ours\n')
  await expect(collect(repo.path, { kind: 'staged' })).rejects.toMatchObject({
    code: 'unmerged-index',
    message: 'a.txt, b.txt',
  })
})

test('a file added by intent only is new in the work tree and absent from the index', async () => {
  const repo = threeFiles()
  repo.write({ 'new.txt': 'new\n' })
  repo.git('add', '--intent-to-add', 'new.txt')
  expect(await changesOf(await collect(repo.path, { kind: 'staged' }))).toEqual([])
  expect(await changesOf(await collect(repo.path, { kind: 'unstaged' }))).toEqual(['A new.txt'])
  expect(await changesOf(await collect(repo.path, { kind: 'uncommitted' }))).toEqual(['A new.txt'])
})

test('split and sparse indexes read like any other', async () => {
  const split = threeFiles()
  split.git('update-index', '--split-index')
  split.write({ 'a.txt': 'changed\n' })
  split.git('add', 'a.txt')
  split.write({ 'b.txt': 'changed\n' })
  expect(await changesOf(await collect(split.path, { kind: 'uncommitted' }))).toEqual(['M a.txt', 'M b.txt'])
  const sparse = createRepo()
  sparse.commit({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n', 'out/deep/c.txt': 'c\n', 'top.txt': 't\n' })
  sparse.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in')
  sparse.write({ 'in/a.txt': 'changed\n' })
  const change = await collect(sparse.path, { kind: 'uncommitted' })
  expect(await changesOf(change)).toEqual(['M in/a.txt'])
  expect((await change.head.read('out/deep/c.txt'))?.text).toBe('c\n')
})

test('files take the place of folders, links and files of one another', async () => {
  const repo = createRepo()
  repo.commit({
    'was-file': 'x\n',
    'was-folder/x.txt': 'y\n',
    'was-linked/z.txt': 'z\n',
    'elsewhere/z.txt': 'e\n',
    target: 't\n',
  })
  repo.write({ 'was-file': null, 'was-folder': null, 'was-linked': null })
  repo.write({ 'was-file/inner.txt': 'inner\n', 'was-folder': 'now a file\n' })
  symlinkSync('elsewhere', join(repo.path, 'was-linked'))
  rmSync(join(repo.path, 'target'))
  symlinkSync('was-folder', join(repo.path, 'target'))
  const change = await collect(repo.path, { kind: 'uncommitted' })
  expect(new Set(await changesOf(change))).toEqual(
    new Set([
      'T target',
      'D was-file',
      'A was-file/inner.txt',
      'A was-folder',
      'D was-folder/x.txt',
      'A was-linked',
      'D was-linked/z.txt',
    ]),
  )
  expect((await change.head.entry('target'))?.mode).toBe('120000')
})

test('symbolic links that loop or lead out are links, not what they lead to', async () => {
  const repo = threeFiles()
  symlinkSync('loop', join(repo.path, 'loop'))
  mkdirSync(join(repo.path, 'deep'))
  symlinkSync('..', join(repo.path, 'deep/up'))
  symlinkSync('/etc/passwd', join(repo.path, 'passwd'))
  const change = await collect(repo.path, { kind: 'uncommitted' })
  expect(await changesOf(change)).toEqual(['A deep/up', 'A loop', 'A passwd'])
  expect((await change.head.read('passwd'))?.text).toBe('/etc/passwd')
})

test('what cannot be read is named and keeps its old version', async () => {
  const repo = threeFiles()
  repo.write({ 'big.bin': '' })
  truncateSync(join(repo.path, 'big.bin'), 21_000_000)
  rmSync(join(repo.path, 'a.txt'))
  execFileSync('mkfifo', [join(repo.path, 'a.txt')])
  repo.write({ 'bad.txt': 'no utf-16\n', '.gitattributes': 'bad.txt working-tree-encoding=UTF-16\n' })
  repo.write({ 'b.txt': 'changed\n' })
  execFileSync('git', ['init', '--quiet', join(repo.path, 'nested')])
  repo.write({ 'nested/x.txt': 'x\n' })
  const change = await collect(repo.path, { kind: 'uncommitted' })
  expect(await changesOf(change)).toEqual(['A .gitattributes', 'M b.txt'])
  expect((await change.head.read('a.txt'))?.text).toBe('a\n')
  expect(change.request.unread).toEqual([
    { path: 'a.txt', reason: 'neither a file nor a symbolic link' },
    { path: 'bad.txt', reason: expect.stringMatching(/^git cannot read it: .*UTF-16/) },
    { path: 'big.bin', reason: 'larger than 20000000 bytes' },
    { path: 'nested', reason: 'untracked repository inside this one' },
  ])
})

test('untracked files beyond the cap are named, not read, and of very many the others counted', async () => {
  const repo = threeFiles()
  const write = (count: number) =>
    repo.write(Object.fromEntries(Array.from({ length: count }, (_, at) => [`new/${at}.txt`, 'x\n'])))
  write(30)
  const change = await collect(repo.path, { kind: 'uncommitted' }, { changedFiles: 10 })
  expect((await change.diff()).files).toHaveLength(10)
  expect(change.request.unread).toHaveLength(20)
  expect(change.request.unread[0]?.reason).toBe('beyond the first 10 untracked files')
  expect(change.request.limits).toEqual([])
  write(250)
  const { request } = await collect(repo.path, { kind: 'uncommitted' }, { changedFiles: 10 })
  expect(request.unread).toHaveLength(200)
  expect(request.limits).toEqual(['40 more untracked files not read and not listed'])
})

test('LFS files are compared by pointer, and other filters are named', async () => {
  const repo = createRepo()
  const pointer = (content: string) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${createHash('sha256').update(content).digest('hex')}\nsize ${content.length}\n`
  repo.commit({
    '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n*.enc filter=crypt\n',
    'same.bin': pointer('same content'),
    'other.bin': pointer('old content'),
    'unsmudged.bin': pointer('somewhere else'),
  })
  repo.write({ 'same.bin': 'same content', 'other.bin': 'new content', 'x.enc': 'plain\n' })
  const change = await collect(repo.path, { kind: 'uncommitted' })
  expect(await changesOf(change)).toEqual(['M other.bin', 'A x.enc'])
  expect((await change.head.read('other.bin'))?.text).toBe(pointer('new content'))
  expect(change.request.limits).toEqual([
    'content filters are not run (crypt); such files are compared as stored on disk',
  ])
})

test('a submodule is its recorded commit, or the commit it stands on; nobody looks inside', async () => {
  const inner = createRepo()
  const first = inner.commit({ 'inner.txt': 'one\n' })
  const repo = threeFiles()
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'sub')
  repo.commit({}, 'with submodule')
  repo.write({ 'sub/inner.txt': 'dirty\n', 'sub/new.txt': 'new\n' })
  const dirty = await collect(repo.path, { kind: 'uncommitted' })
  expect(await changesOf(dirty)).toEqual([])
  expect(await dirty.head.entry('sub')).toEqual({ path: 'sub', mode: '160000', blob: first, size: null })
  expect(await dirty.head.read('sub')).toBeNull()
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@b']
  execFileSync('git', ['-C', join(repo.path, 'sub'), ...identity, 'commit', '-qam', 'x', '--no-gpg-sign'])
  const moved = await collect(repo.path, { kind: 'unstaged' })
  const [bump] = (await moved.diff()).files
  expect(bump).toMatchObject({
    path: 'sub',
    status: 'M',
    oldMode: '160000',
    newMode: '160000',
    oldBlob: first,
  })
  expect(patchText(bump)).toContain(`-Subproject commit ${first}`)
  const inside = await collect(join(repo.path, 'sub'), { kind: 'uncommitted' })
  expect(await changesOf(inside)).toEqual(['A new.txt'])
})

test('the index of a running `git commit -a` is taken from the environment', async () => {
  const repo = threeFiles()
  repo.write({ 'a.txt': 'changed\n' })
  const index = join(repo.path, '.git/index')
  writeFileSync(join(repo.path, '.git/next-index-1.lock'), readFileSync(index))
  const alternative = { ...process.env, GIT_INDEX_FILE: '.git/next-index-1.lock' }
  execFileSync('git', ['add', '-u'], { cwd: repo.path, env: alternative })
  process.env.GIT_INDEX_FILE = '.git/next-index-1.lock'
  try {
    expect(await changesOf(await collect(repo.path, { kind: 'staged' }))).toEqual(['M a.txt'])
  } finally {
    delete process.env.GIT_INDEX_FILE
  }
  expect(await changesOf(await collect(repo.path, { kind: 'staged' }))).toEqual([])
})
