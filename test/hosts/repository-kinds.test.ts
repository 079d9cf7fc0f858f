/** Bare, shallow, partial, linked, SHA-256 and damaged repositories. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo, TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { changesOf, collect, patchText, useAll } from './collecting.ts'

function threeCommits(...initArgs: string[]): TestRepo {
  const repo = createRepo(...initArgs)
  repo.commit({ 'a.txt': 'one\n', 'b.txt': 'b\n', 'src/c.txt': 'c\n' }, 'first')
  repo.commit({ 'a.txt': 'one\ntwo\n' }, 'second')
  repo.commit({ 'a.txt': 'one\ntwo\nthree\n', 'src/c.txt': 'c\nd\n' }, 'third')
  return repo
}

function cloneOf(repo: TestRepo, ...args: string[]): TestRepo {
  const path = join(temporaryFolder(), 'clone')
  execFileSync('git', ['clone', '--quiet', ...args, `file://${repo.path}`, path], { stdio: 'pipe' })
  return new TestRepo(path)
}

test('a bare repository has commits and ranges, and no work tree', async () => {
  const bare = cloneOf(threeCommits(), '--bare')
  const change = await collect(bare.path, { kind: 'auto' })
  expect(change.request).toMatchObject({ source: { kind: 'commit' }, title: 'third' })
  expect(change.repositoryLabel).toBe(bare.path)
  expect(await changesOf(change)).toEqual(['M a.txt', 'M src/c.txt'])
  await useAll(change)
  for (const kind of ['uncommitted', 'staged', 'unstaged'] as const)
    await expect(collect(bare.path, { kind })).rejects.toMatchObject({ code: 'usage' })
})

test('a shallow clone is reviewed as far as it goes, and says where it ends', async () => {
  const shallow = cloneOf(threeCommits(), '--depth=2')
  const change = await collect(shallow.path, { kind: 'auto' })
  expect(change.request.limits).toEqual([
    'shallow clone, history is incomplete: run `git fetch --unshallow` to fetch it',
  ])
  expect(await changesOf(change)).toEqual(['M a.txt', 'M src/c.txt'])
  // The boundary commit would seem to have added every file, so it is no history.
  expect(await change.history.recent(10)).toEqual({ commits: [], complete: false })
  await expect(collect(shallow.path, { kind: 'commit', commit: 'HEAD~1' })).rejects.toMatchObject({
    code: 'no-merge-base',
    message: expect.stringContaining('shallow'),
  })
})

test('without a merge base in a shallow clone the error says why', async () => {
  const repo = threeCommits()
  repo.git('checkout', '--quiet', '-b', 'feature', 'HEAD~2')
  repo.commit({ 'new.txt': 'new\n' })
  const shallow = cloneOf(repo, '--depth=1', '--no-single-branch')
  await expect(collect(shallow.path, { kind: 'base', base: 'origin/main' })).rejects.toMatchObject({
    code: 'no-merge-base',
    message: expect.stringContaining('this clone is shallow'),
  })
})

test('in a partial clone the files that are not here are named, and the others are compared', async () => {
  const repo = threeCommits()
  repo.git('config', 'uploadpack.allowFilter', 'true')
  const partial = cloneOf(repo, '--filter=blob:none')
  const change = await collect(partial.path, { kind: 'range', range: 'HEAD~1..HEAD' })
  const { files } = await change.diff()
  // The checkout has brought the newest versions; what stood there before is missing and is not fetched.
  expect(files.map(({ path, omitted }) => [path, omitted])).toEqual([
    ['a.txt', 'object missing (partial clone)'],
    ['src/c.txt', 'object missing (partial clone)'],
  ])
  expect(await change.base.read('a.txt')).toBeNull()
  expect((await change.base.list()).find(({ path }) => path === 'a.txt')?.size).toBeNull()
  expect((await change.base.entry('a.txt'))?.size).toBeNull()
  expect((await change.head.read('a.txt'))?.text).toBe('one\ntwo\nthree\n')
  expect(await change.base.filesWithWords(['two', 'b'])).toEqual(
    new Map([
      ['two', []],
      ['b', ['b.txt']],
    ]),
  )
  expect((await change.history.recent(10)).commits.map(({ subject }) => subject)).toEqual(['second', 'first'])
  partial.write({ 'a.txt': 'changed\n', 'b.txt': null, 'moved.txt': 'b\n' })
  const dirty = await collect(partial.path, { kind: 'uncommitted' })
  expect(await changesOf(dirty)).toEqual(['M a.txt', 'R b.txt → moved.txt'])
  expect(patchText((await dirty.diff()).files[0])).toContain('+changed')
})

test('a partial clone without trees cannot be compared, and says what is missing', async () => {
  const repo = threeCommits()
  repo.git('config', 'uploadpack.allowFilter', 'true')
  const treeless = cloneOf(repo, '--filter=tree:0')
  const change = await collect(treeless.path, { kind: 'range', range: 'HEAD~1..HEAD' })
  await expect(change.diff()).rejects.toMatchObject({ code: 'object-missing' })
  await expect(change.base.list()).rejects.toMatchObject({ code: 'object-missing' })
  expect(await change.base.read('a.txt')).toBeNull()
})

test('an unread blob that only moved is a rename', async () => {
  const repo = createRepo()
  repo.commit({ 'old.txt': 'some text\n', 'other.txt': 'x\n' })
  repo.commit({ 'old.txt': null, 'new.txt': 'some text\n', 'other.txt': 'y\n' })
  const blob = repo.git('rev-parse', 'HEAD:new.txt')
  rmSync(join(repo.path, '.git/objects', blob.slice(0, 2), blob.slice(2)))
  const { files } = await (await collect(repo.path, { kind: 'commit', commit: 'HEAD' })).diff()
  expect(files[0]).toMatchObject({
    status: 'R',
    oldPath: 'old.txt',
    path: 'new.txt',
    similarity: 100,
    patch: null,
  })
  expect(patchText(files[1])).toContain('+y')
})

test('a linked work tree has its own HEAD and index', async () => {
  const repo = threeCommits()
  const linked = new TestRepo(join(temporaryFolder(), 'linked'))
  repo.git('worktree', 'add', '--quiet', '-b', 'other', linked.path, 'HEAD~1')
  linked.write({ 'b.txt': 'changed\n' })
  linked.git('add', 'b.txt')
  linked.write({ 'new.txt': 'new\n' })
  mkdirSync(join(linked.path, 'deep/er'), { recursive: true })
  const change = await collect(join(linked.path, 'deep/er'), { kind: 'auto' })
  expect(change.request.base.commit).toBe(repo.git('rev-parse', 'main~1'))
  expect(await changesOf(change)).toEqual(['M b.txt', 'A new.txt'])
  expect(await changesOf(await collect(linked.path, { kind: 'staged' }))).toEqual(['M b.txt'])
  const main = await collect(repo.path, { kind: 'auto' })
  expect(main.request.title).toBe('third')
})

test('a SHA-256 repository works from every side', async () => {
  const repo = threeCommits('--object-format=sha256')
  const change = await collect(repo.path, { kind: 'range', range: 'HEAD~2..HEAD' })
  expect(change.request.objectFormat).toBe('sha256')
  expect(change.request.head.commit).toMatch(/^[0-9a-f]{64}$/)
  expect(await changesOf(change)).toEqual(['M a.txt', 'M src/c.txt'])
  await useAll(change)
  expect((await change.head.read('src/c.txt'))?.text).toBe('c\nd\n')
  repo.write({ 'a.txt': null, 'new.txt': 'new\n' })
  expect(await changesOf(await collect(repo.path, { kind: 'auto' }))).toEqual(['D a.txt', 'A new.txt'])
  const root = await collect(repo.path, { kind: 'commit', commit: 'HEAD~2' })
  expect(await changesOf(root)).toEqual(['A a.txt', 'A b.txt', 'A src/c.txt'])
})

test('packed references, alternates of alternates and a detached HEAD are followed', async () => {
  const repo = threeCommits()
  repo.git('gc', '--quiet')
  repo.git('pack-refs', '--all')
  // By its path: git borrows nothing from a repository that is named by an address.
  const borrower = (from: TestRepo): TestRepo => {
    const path = join(temporaryFolder(), 'clone')
    execFileSync('git', ['clone', '--quiet', '--shared', from.path, path], { stdio: 'pipe' })
    return new TestRepo(path)
  }
  const shared = borrower(repo)
  const twice = borrower(shared)
  twice.git('checkout', '--quiet', '--detach', 'HEAD~1')
  const selector = { kind: 'range', range: 'HEAD..origin/main' } as const
  // Each of the three lies elsewhere: only the operator can say that they belong together.
  await expect(collect(twice.path, selector, {}, [shared.path])).rejects.toMatchObject({
    code: 'repository-unsafe',
    message: expect.stringContaining('borrows objects from elsewhere'),
  })
  const change = await collect(twice.path, selector, {}, [repo.path, shared.path])
  expect(await changesOf(change)).toEqual(['M a.txt', 'M src/c.txt'])
})

test(
  'a reftable repository is refused by an older git, with the way out',
  needs('git before 2.45'),
  async () => {
    const repo = threeCommits()
    mkdirSync(join(repo.path, '.git/reftable'))
    await expect(collect(repo.path, { kind: 'auto' })).rejects.toMatchObject({
      code: 'git-missing',
      message: expect.stringContaining('git refs migrate'),
    })
  },
)

test(
  'a reftable repository and its linked work trees are read by a newer git',
  needs('git 2.45'),
  async () => {
    const repo = threeCommits('--ref-format=reftable')
    repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD~2')
    repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main')
    const linked = new TestRepo(join(temporaryFolder(), 'linked'))
    repo.git('worktree', 'add', '--quiet', '--detach', linked.path, 'HEAD~1')
    const main = await collect(repo.path, { kind: 'auto' })
    expect(main.request).toMatchObject({ source: { label: 'branch main against origin/main' } })
    expect(await changesOf(main)).toEqual(['M a.txt', 'M src/c.txt'])
    const other = await collect(linked.path, { kind: 'commit', commit: 'HEAD' })
    expect(other.request.title).toBe('second')
  },
)

test('a damaged blob is a missing one, and a folder that is no repository is named', async () => {
  const repo = threeCommits()
  const blob = repo.git('rev-parse', 'HEAD:b.txt')
  const file = join(repo.path, '.git/objects', blob.slice(0, 2), blob.slice(2))
  rmSync(file)
  writeFileSync(file, 'this is no zlib stream')
  const change = await collect(repo.path, { kind: 'range', range: 'HEAD~2..HEAD' })
  expect([...(await change.head.readMany(['a.txt', 'b.txt', 'src/c.txt'])).keys()]).toEqual([
    'a.txt',
    'src/c.txt',
  ])
  expect(await change.head.filesWithWords(['b', 'd'])).toEqual(
    new Map([
      ['b', []],
      ['d', ['src/c.txt']],
    ]),
  )
  await expect(collect(temporaryFolder(), { kind: 'auto' })).rejects.toMatchObject({
    code: 'not-a-repository',
  })
  await expect(collect('/no/such/place', { kind: 'auto' })).rejects.toMatchObject({
    code: 'not-a-repository',
  })
})

test('closing removes what was made on disk, and so does failing', async () => {
  const repo = threeCommits()
  const folder = temporaryFolder()
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    const change = await collect(repo.path, { kind: 'auto' })
    expect(readdirSync(folder)).toHaveLength(1)
    await useAll(change)
    await change.close()
    await expect(collect(repo.path, { kind: 'base', base: 'nowhere' })).rejects.toMatchObject({
      code: 'unknown-ref',
    })
    expect(readdirSync(folder)).toEqual([])
  } finally {
    process.env.TMPDIR = before ?? ''
    if (before === undefined) delete process.env.TMPDIR
  }
})
