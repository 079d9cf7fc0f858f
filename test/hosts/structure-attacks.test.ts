/** What a repository can do by its structure alone: bombs, pipes, forged objects, and pointers to other repositories. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { commitTree, writeBomb, writeObject, writeTree } from '../helpers/git-bombs.ts'
import { createRepo, TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { changesOf, collect, patchText } from './collecting.ts'

const commit = { kind: 'commit', commit: 'HEAD' } as const
/** What a bomb goes beyond, however large it is. */
const few = { treeEntries: 20_000 }

/** A repository whose last commit has the tree of the one before, changed by one file, and `extra` in both. */
function aroundBomb(make: (repo: TestRepo) => readonly [string, string, string], inBase: boolean): TestRepo {
  const repo = createRepo()
  const extra = make(repo)
  const file = (text: string) => ['100644', 'a.ts', writeObject(repo, 'blob', text)] as const
  const base = writeTree(repo, [file('export const a = 1\n'), ...(inBase ? [extra] : [])])
  const head = writeTree(repo, [file('export const a = 2\n'), extra])
  const first = commitTree(repo, base)
  repo.git('update-ref', 'refs/heads/main', commitTree(repo, head, first))
  return repo
}

const folders = (repo: TestRepo) =>
  ['40000', 'bomb', writeBomb(repo, ['40000', 'd', writeTree(repo, [])], 1000, 3)] as const
const files = (repo: TestRepo) =>
  ['40000', 'bomb', writeBomb(repo, ['100644', 'f', writeObject(repo, 'blob', 'x\n')], 1000, 3)] as const

const bombs = [
  ['folders without a file', folders],
  ['files', files],
] as const

test.each(bombs)(
  '10⁹ %s in the base: the one change is compared, and listing says why it stops',
  async (_, make) => {
    const change = await collect(aroundBomb(make, true).path, commit, few)
    expect(await changesOf(change)).toEqual(['M a.ts'])
    await expect(change.head.list()).rejects.toMatchObject({
      code: 'tree-too-large',
      message: expect.stringMatching(/^more than \d+ files and folders$/),
    })
  },
)

test.each(bombs)('10⁹ %s that a change adds are refused', async (_, make) => {
  const change = await collect(aroundBomb(make, false).path, commit, few)
  await expect(change.diff()).rejects.toMatchObject({ code: 'tree-too-large' })
})

test('a name of 3 MB and a path of 5,000 bytes are not read as such', async () => {
  const named = aroundBomb(
    (repo) => ['100644', 'n'.repeat(3_000_000), writeObject(repo, 'blob', 'x\n')],
    false,
  )
  const { files: found } = await (await collect(named.path, commit)).diff()
  expect(found.map(({ path, omitted }) => [path.length, omitted])).toEqual([
    [4, null],
    [4097, 'git would not check out a path like this'],
  ])
  const deep = aroundBomb(
    (repo) => [
      '40000',
      'top',
      writeBomb(repo, ['100644', 'long'.repeat(100), writeObject(repo, 'blob', 'x\n')], 1, 12),
    ],
    true,
  )
  await expect((await collect(deep.path, commit)).head.list()).rejects.toThrow(
    'a path has more than 4096 bytes',
  )
})

test('a tree that repeats itself honestly is listed, in git’s order', async () => {
  const repo = createRepo()
  const names = ['z.txt', 'a/b.txt', 'a.txt', 'a-b/c.txt', 'copy/b.txt', 'copy/deep/b.txt', 'ü.txt']
  repo.commit(Object.fromEntries(names.map((name) => [name, 'same\n'])))
  const listed = await (await collect(repo.path, commit)).head.list()
  expect(listed.map(({ path }) => path)).toEqual(
    repo
      .git('ls-tree', '-r', '-z', '--name-only', 'HEAD')
      .split('\0')
      .filter((path) => path !== ''),
  )
  expect(new Set(listed.map(({ size }) => size))).toEqual(new Set([5]))
})

test('an object whose content is another one’s is not believed, and its file is named', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const a = 1\n', 'b.ts': 'export const b = 1\n' })
  repo.commit({ 'a.ts': 'eval(input)\n', 'b.ts': 'export const b = 2\n' })
  const id = repo.git('rev-parse', 'HEAD:a.ts')
  const file = join(repo.path, '.git/objects', id.slice(0, 2), id.slice(2))
  const lie = 'export {}\n'
  rmSync(file)
  writeFileSync(file, deflateSync(`blob ${lie.length}\0${lie}`))
  expect(repo.git('show', 'HEAD:a.ts')).toBe(lie.trim())
  const change = await collect(repo.path, commit)
  const { files: found } = await change.diff()
  expect(found.map(({ path, omitted }) => [path, omitted])).toEqual([
    ['a.ts', 'its object is forged: its content does not match its id'],
    ['b.ts', null],
  ])
  expect(patchText(found[1])).toContain('+export const b = 2')
  expect(await change.head.read('a.ts')).toBeNull()
})

const makePipe = (path: string) => execFileSync('mkfifo', [path])

test('a named pipe in the place of an object is refused at once', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'a\n' })
  const id = repo.git('rev-parse', 'HEAD:a.ts')
  const file = join(repo.path, '.git/objects', id.slice(0, 2), id.slice(2))
  rmSync(file)
  makePipe(file)
  await expect(collect(repo.path, commit)).rejects.toMatchObject({
    code: 'repository-unsafe',
    message: `${join(repo.path, '.git/objects', id.slice(0, 2), id.slice(2))} is not a regular file, and git would wait for it forever`,
  })
})

test.each(['.gitignore', 'src/.gitattributes'])(
  'a named pipe as %s does not hold the review',
  async (name) => {
    const repo = createRepo()
    repo.commit({ 'src/a.ts': 'a\n' })
    repo.write({ 'src/a.ts': 'b\n', 'src/new.ts': 'c\n' })
    // Git opens no other one.
    makePipe(join(repo.path, 'a.pipe'))
    makePipe(join(repo.path, name))
    await expect(collect(repo.path, { kind: 'uncommitted' })).rejects.toMatchObject({
      code: 'repository-unsafe',
      message: `${name} is not a regular file, and git waits for it forever. Remove it`,
    })
  },
)

/** Somebody else's repository on this machine. */
function victim(): TestRepo {
  const repo = createRepo()
  repo.commit({ 'private.ts': 'export const one = 1\n' })
  repo.commit({ 'private.ts': 'export const two = 2\n' })
  return repo
}

const pointers: Record<string, (folder: string, of: TestRepo) => void> = {
  'a `.git` file': (folder, of) => writeFileSync(join(folder, '.git'), `gitdir: ${of.path}/.git\n`),
  'a `.git` link': (folder, of) => symlinkSync(join(of.path, '.git'), join(folder, '.git')),
  'the entry of another work tree': (folder, of) => {
    of.git('worktree', 'add', '--quiet', '--detach', join(temporaryFolder(), 'linked'))
    writeFileSync(join(folder, '.git'), `gitdir: ${of.path}/.git/worktrees/linked\n`)
  },
  '`commondir`': (folder, of) => {
    mkdirSync(join(folder, '.git'))
    copyFileSync(join(of.path, '.git/HEAD'), join(folder, '.git/HEAD'))
    writeFileSync(join(folder, '.git/commondir'), `${of.path}/.git\n`)
  },
  alternates: (folder, of) => {
    ownRepository(folder, of)
    writeFileSync(join(folder, '.git/objects/info/alternates'), `${of.path}/.git/objects\n`)
  },
  'a linked object folder': (folder, of) => {
    ownRepository(folder, of)
    rmSync(join(folder, '.git/objects'), { recursive: true })
    symlinkSync(join(of.path, '.git/objects'), join(folder, '.git/objects'))
  },
  'a linked pack': (folder, of) => {
    of.git('gc', '--quiet')
    ownRepository(folder, of)
    for (const ending of ['pack', 'idx'])
      symlinkSync(packOf(of, ending), join(folder, `.git/objects/pack/pack-1.${ending}`))
  },
}

function ownRepository(folder: string, of: TestRepo): void {
  const own = new TestRepo(folder)
  own.git('init', '--quiet', '--initial-branch=main')
  mkdirSync(join(folder, '.git/objects/info'), { recursive: true })
  writeFileSync(join(folder, '.git/refs/heads/main'), `${of.git('rev-parse', 'HEAD')}\n`)
}

function packOf(of: TestRepo, ending: string): string {
  const packs = join(of.path, '.git/objects/pack')
  return join(packs, readdirSync(packs).find((one) => one.endsWith(`.${ending}`)) ?? '')
}

test.each(
  Object.keys(pointers).flatMap((name) => [
    [name, 'alone'],
    [name, 'in a repository of one’s own'],
  ]),
)('%s %s that names another repository is refused; the operator may allow it', async (name, where) => {
  const of = victim()
  const folder = where === 'alone' ? temporaryFolder() : join(victim().path, 'vendor')
  mkdirSync(folder, { recursive: true })
  pointers[name]?.(folder, of)
  await expect(collect(folder, commit)).rejects.toMatchObject({ code: 'repository-unsafe' })
  const change = await collect(folder, commit, {}, [of.path])
  expect(await changesOf(change)).toEqual(['M private.ts'])
})

test('object folders that lead on to others are followed as deep as git does, and not in a circle', async () => {
  const repo = victim()
  const objects = join(repo.path, '.git/objects')
  const leadsTo = (from: string, to: string) => {
    mkdirSync(join(from, 'info'), { recursive: true })
    writeFileSync(join(from, 'info/alternates'), `# a remark\n${to}\n`)
  }
  const steps = [objects, ...Array.from({ length: 6 }, (_, at) => join(repo.path, '.git', `more-${at}`))]
  for (const [at, from] of steps.slice(0, 5).entries()) leadsTo(from, steps[at + 1] ?? '')
  mkdirSync(steps[5] ?? '')
  expect(await changesOf(await collect(repo.path, commit))).toEqual(['M private.ts'])
  const refused = { code: 'repository-unsafe', message: expect.stringContaining('borrows objects') }
  leadsTo(steps[5] ?? '', steps[6] ?? '')
  await expect(collect(repo.path, commit)).rejects.toMatchObject(refused)
  leadsTo(objects, '.')
  await expect(collect(repo.path, commit)).rejects.toMatchObject(refused)
  // Git reads a list of any length, so one that is too long for us is none that we know.
  const of = victim()
  const list = `\n${join(of.path, '.git/objects')}\n`
  for (const bytes of [1024 * 1024, 1024 * 1024 + 1]) {
    writeFileSync(join(objects, 'info/alternates'), list.padStart(bytes, '#'))
    await expect(collect(repo.path, commit)).rejects.toMatchObject(refused)
    const allowed = collect(repo.path, commit, {}, [of.path])
    if (bytes > 1024 * 1024) await expect(allowed).rejects.toMatchObject(refused)
    else expect(await changesOf(await allowed)).toEqual(['M private.ts'])
  }
})

test('a submodule, a bare layout and a moved work tree of one’s own are no strangers', async () => {
  const inner = victim()
  const outer = createRepo()
  outer.commit({ 'a.txt': 'a\n' })
  outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'sub')
  expect(await changesOf(await collect(join(outer.path, 'sub'), commit))).toEqual(['M private.ts'])
  const linked = join(temporaryFolder(), 'linked')
  outer.git('worktree', 'add', '--quiet', '--detach', linked)
  expect(await changesOf(await collect(linked, commit))).toEqual(['A a.txt'])
  const layout = temporaryFolder()
  renameSync(join(inner.path, '.git'), join(layout, '.bare'))
  writeFileSync(join(layout, '.git'), 'gitdir: ./.bare\n')
  expect(await changesOf(await collect(layout, commit))).toEqual(['M private.ts'])
})
