/** Objects through one long-lived process: order, size limits, damage, and trees against git's own comparison. */

import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { maxCommitBytes, parseCommit, readCommit } from '../../../src/base/git/commit-object.ts'
import { compareTrees, listTree, repeatsAllowed, timesStored } from '../../../src/base/git/list-tree.ts'
import { ObjectReader } from '../../../src/base/git/object-reader.ts'
import { streamGit } from '../../../src/base/git/run.ts'
import { openShadow } from '../../../src/base/git/shadow.ts'
import { isSafePath, maxNameBytes, readFolder, TreeWalker } from '../../../src/base/git/tree-walk.ts'
import { writeBomb, writeTree } from '../../helpers/git-bombs.ts'
import { createRepo, type TestRepo } from '../../helpers/git-repo.ts'
import { needs } from '../../helpers/needs/needs.ts'

async function objectsOf(repo: TestRepo) {
  const shadow = await openShadow(repo.path)
  onTestFinished(() => shadow.close())
  return shadow.objects
}

function object(repo: TestRepo, type: string, input: string | Uint8Array): string {
  const args = ['hash-object', '-w', '--literally', '-t', type, '--stdin']
  return execFileSync('git', args, { cwd: repo.path, input, encoding: 'utf8' }).trim()
}

test('answers come to the right questions, whatever their size and order', async () => {
  const repo = createRepo()
  const sizes = [0, 1, 10, 65_535, 65_536, 65_537, 300_000]
  const ids = sizes.map((size) => object(repo, 'blob', Buffer.alloc(size, 'x\n')))
  const objects = await objectsOf(repo)
  const absent = 'f'.repeat(40)
  const asked = Array.from({ length: 700 }, (_, i) => (i % 8 === 7 ? absent : (ids[i % 8] ?? absent)))
  const seen: (number | null)[] = []
  await objects.readEach(asked, 100_000, (content, index) => {
    expect(content?.id ?? absent).toBe(asked[index])
    if (content?.bytes) expect(content.bytes.equals(Buffer.alloc(content.size, 'x\n'))).toBe(true)
    else expect(content === null || content.size > 100_000).toBe(true)
    seen.push(content?.size ?? null)
  })
  expect(seen).toEqual(asked.map((id) => sizes[ids.indexOf(id)] ?? null))
  expect((await objects.infoMany([...ids, absent])).size).toBe(sizes.length)
  expect(await objects.info('')).toBeNull()
  expect(await objects.info('HEAD\nHEAD')).toBeNull()
})

test('processes that nobody asks end, and the next question starts others', async () => {
  const repo = createRepo()
  const id = object(repo, 'blob', 'text\n')
  const shadow = await openShadow(repo.path)
  onTestFinished(() => shadow.close())
  const objects = new ObjectReader(shadow.place, undefined, 10)
  onTestFinished(() => objects.close())
  for (let round = 0; round < 2; round++) {
    expect((await objects.read(id, 100))?.bytes?.toString()).toBe('text\n')
    expect(await objects.read('f'.repeat(40), 100)).toBeNull()
    await expect.poll(() => objects.pids).toEqual([])
  }
})

test('damaged objects are missing ones, and the others are still read', async () => {
  const repo = createRepo()
  const ids = Array.from({ length: 20 }, (_, i) => object(repo, 'blob', `content ${i}\n`))
  for (const id of ids.filter((_, i) => i % 5 === 2)) {
    const file = join(repo.path, '.git/objects', id.slice(0, 2), id.slice(2))
    rmSync(file)
    writeFileSync(file, 'damaged')
  }
  const objects = await objectsOf(repo)
  const contents = await Promise.all(ids.map((id) => objects.read(id, 1000)))
  expect(contents.map((content) => content?.bytes?.toString() ?? null)).toEqual(
    ids.map((_, i) => (i % 5 === 2 ? null : `content ${i}\n`)),
  )
})

test('what only says that it is large makes git end, fifty times and no more', async () => {
  const repo = createRepo()
  const id = object(repo, 'blob', 'x\n')
  const file = join(repo.path, '.git/objects', id.slice(0, 2), id.slice(2))
  rmSync(file)
  // Its header can be read, and then it ends.
  writeFileSync(file, deflateSync(`blob 2\0x`).subarray(0, -5))
  const objects = await objectsOf(repo)
  for (let time = 0; time < 50; time++) expect(await objects.read(id, 1000)).toBeNull()
  await expect(objects.read(id, 1000)).rejects.toMatchObject({
    code: 'git-failed',
    message: 'git cat-file ended 50 times',
  })
})

test('a git that somebody else ends is started again, and what it was asked is not missing', async () => {
  const repo = createRepo()
  const id = object(repo, 'blob', 'text\n')
  const objects = await objectsOf(repo)
  for (let round = 0; round < 3; round++) {
    const reading = objects.read(id, 100)
    await Promise.resolve()
    for (const pid of objects.pids) process.kill(pid, 'SIGKILL')
    expect((await reading)?.bytes?.toString()).toBe('text\n')
  }
})

test('whether a text is binary is what git says: by a zero byte among the first 8000', async () => {
  const repo = createRepo()
  const withZeroAt = (at: number) => {
    const bytes = Buffer.alloc(200_000, 'x\n')
    bytes[at] = 0
    return object(repo, 'blob', bytes)
  }
  const binary = [0, 7999].map(withZeroAt)
  const text = [8000, 8001, 70_000, 199_999].map(withZeroAt)
  const objects = await objectsOf(repo)
  const found = await objects.checkContents([...binary, ...text])
  expect(found.binary).toEqual(new Set(binary))
  expect(found.forged).toEqual(new Set())
  expect((await objects.read(text[0] ?? '', 200_000))?.bytes).toHaveLength(200_000)
  expect((await objects.read(text[0] ?? '', 199_999))?.bytes).toBeNull()
})

test('closing waits until its processes have ended', async () => {
  const repo = createRepo()
  const shadow = await openShadow(repo.path)
  expect(await shadow.objects.read(object(repo, 'blob', 'x\n'), 100)).not.toBeNull()
  const { pids } = shadow.objects
  expect(pids).toHaveLength(2)
  await shadow.close()
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('closing in the middle of a row of reads ends the row, and nothing else', async () => {
  const repo = createRepo()
  const id = object(repo, 'blob', 'x\n')
  const shadow = await openShadow(repo.path)
  const row = Array.from({ length: 1000 }, () => id)
  let seen = 0
  const reading = shadow.objects.readEach(row, 100, () => {
    if (++seen === 100) void shadow.close()
  })
  await expect(reading).rejects.toThrow('closed')
  expect(seen).toBeLessThan(1000)
  await expect(shadow.objects.infoMany([id, 'HEAD'])).rejects.toThrow('closed')
})

test('a commit is read from its object, in its own encoding, odd ones too', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' }, 'Subject over\ntwo lines\n\nBody\n\nmore')
  const objects = await objectsOf(repo)
  const commit = await readCommit(objects, repo.git('rev-parse', 'HEAD'))
  expect(commit).toMatchObject({
    tree: repo.git('rev-parse', 'HEAD^{tree}'),
    parents: [],
    author: 'Ada <ada@example.com>',
    subject: 'Subject over two lines',
    body: 'Body\n\nmore',
  })
  expect(await readCommit(objects, repo.git('rev-parse', 'HEAD:a.txt'))).toBeNull()
  const latin = Buffer.from('tree x\nauthor J\xe9 <j@x> 1 +0000\nencoding ISO-8859-1\n\n\xfcber', 'latin1')
  expect(parseCommit('id', latin)).toMatchObject({ author: 'Jé <j@x>', subject: 'über', body: '' })
  const unknown = Buffer.from('tree x\nparent y\nparent z\nencoding x-none\n\nül')
  expect(parseCommit('id', unknown)).toMatchObject({ parents: ['y', 'z'], author: '', subject: 'ül' })
  expect(parseCommit('id', Buffer.from(''))).toMatchObject({ tree: '', subject: '' })
  expect(parseCommit('id', Buffer.from('\n\ntree x'))).toMatchObject({ tree: '', subject: 'tree x' })
  const head = `tree ${'0'.repeat(40)}\nauthor A <a@x> 1 +0000\ncommitter A <a@x> 77 +0000\n\n`
  const large = (bytes: number) => object(repo, 'commit', head.padEnd(bytes, 'x'))
  expect(await readCommit(objects, large(maxCommitBytes))).toMatchObject({ time: 77 })
  expect(await readCommit(objects, large(maxCommitBytes + 1))).toBeNull()
  expect(maxCommitBytes).toBe(1_048_576)
})

test('trees are compared as git does it', async () => {
  const repo = createRepo()
  const before = {
    'a.b/x': '1',
    'a/x': '1',
    'a-b': '1',
    'gone/deep/x': '1',
    'swap/x': '1',
    swop: '1',
    'z/same': '1',
  }
  const after = { 'a.b/x': '2', 'a/x': null, 'a/y': '1', 'a-b': '2', gone: null, swap: null, swop: null }
  repo.commit(before)
  repo.write(after)
  repo.commit({ swap: 'now a file', 'swop/x': 'now a folder', 'new/er/x': '1' })
  const git = repo.git('diff-tree', '-r', '--no-renames', '--name-status', 'HEAD~1', 'HEAD').split('\n')
  const objects = await objectsOf(repo)
  const [one, two] = [repo.git('rev-parse', 'HEAD~1^{tree}'), repo.git('rev-parse', 'HEAD^{tree}')]
  const ours = (await compareTrees(objects, one, two, 100)).map(
    (change) => `${change.before ? (change.after ? 'M' : 'D') : 'A'}\t${change.name}`,
  )
  expect(ours).toEqual(git)
  expect(await compareTrees(objects, one, one, 0)).toEqual([])
  await expect(compareTrees(objects, one, two, 5)).rejects.toMatchObject({ code: 'tree-too-large' })
  await expect(compareTrees(objects, one, 'e'.repeat(40), 5)).rejects.toMatchObject({
    code: 'object-missing',
  })
})

test('forged trees with odd modes, cut short, or with forbidden names are read as far as they go', async () => {
  const repo = createRepo()
  const blob = object(repo, 'blob', 'x\n')
  const raw = Buffer.from(blob, 'hex')
  const entry = (text: string) => Buffer.concat([Buffer.from(`${text}\0`), raw])
  const tree = object(
    repo,
    'tree',
    Buffer.concat([
      entry(' no-mode'),
      entry('100\x00644 zero'),
      entry('100664 a'),
      entry('100644 a'),
      entry('100775 b'),
      entry('100644 .git'),
      Buffer.from('100644 cut'),
    ]),
  )
  const walker = new TreeWalker(await objectsOf(repo))
  expect(await walker.find(tree, 'a')).toEqual({ name: 'a', mode: '100644', id: blob })
  expect((await walker.find(tree, 'b'))?.mode).toBe('100755')
  expect((await walker.find(tree, '.git'))?.id).toBe(blob)
  // A name is what stands between the first space and the next zero byte.
  for (const name of ['no-mode', 'zero']) expect((await walker.find(tree, name))?.id).toBe(blob)
  expect(await walker.find(tree, 'cut')).toBeNull()
  expect(await walker.find(blob, 'a')).toBeNull()
  // What would lie in a file is not there, rather than out of reach.
  expect(await walker.find(tree, 'a/x', true)).toBeNull()
  // Each folder is read once.
  expect(walker.stored).toBe(5)
  await expect(walker.find('f'.repeat(40), 'a', true)).rejects.toMatchObject({ code: 'object-missing' })
})

test('a tree that repeats itself ends at a number that follows from what is stored', async () => {
  const repo = createRepo()
  const bomb = writeBomb(repo, ['100644', 'f', object(repo, 'blob', 'x\n')], 1000, 2)
  const objects = await objectsOf(repo)
  const most = repeatsAllowed + timesStored * 2000
  expect(most).toBe(208_000)
  await expect(listTree(objects, bomb, 1e9)).rejects.toMatchObject({
    code: 'tree-too-large',
    message: 'more than 208000 files and folders',
  })
  const nothing = writeTree(repo, [])
  await expect(compareTrees(objects, nothing, bomb, 1e9)).rejects.toMatchObject({
    code: 'tree-too-large',
    message: 'more than 208000 files and folders changed',
  })
})

test.each([0, 1])('a folder of 64 MiB and %d bytes', async (more) => {
  const bytes = Buffer.from(`100644 a\0${'i'.repeat(20)}`)
  const size = 64 * 1024 * 1024 + more
  // As the reader does: what is larger than wanted comes without its bytes.
  const read: ObjectReader['read'] = async (id, most) => ({
    id,
    type: 'tree',
    size,
    bytes: size > most ? null : bytes,
  })
  const folder = await readFolder({ read } as ObjectReader, 'f'.repeat(40))
  expect(folder && [...folder.keys()]).toEqual(more ? null : ['a'])
})

test('limits of trees are the last that fits', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n', 'd/b.txt': 'b\n' })
  const tree = repo.git('rev-parse', 'HEAD^{tree}')
  const objects = await objectsOf(repo)
  expect(await listTree(objects, tree, 3)).toMatchObject([
    { path: 'a.txt', size: 2 },
    { path: 'd/b.txt', size: 2 },
  ])
  await expect(listTree(objects, tree, 2)).rejects.toThrow('more than 2 files and folders')
  const prefix = '/'.repeat(maxNameBytes - 'd/b.txt'.length)
  expect(await listTree(objects, tree, 3, prefix)).toHaveLength(2)
  await expect(listTree(objects, tree, 3, `${prefix}/`)).rejects.toThrow('more than 4096 bytes')
  const nothing = writeTree(repo, [])
  // The two folders themselves, and what is in them.
  expect(await compareTrees(objects, nothing, tree, 4)).toHaveLength(2)
  await expect(compareTrees(objects, nothing, tree, 3)).rejects.toThrow('more than 3 files and folders')
  const flat = repo.git('rev-parse', 'HEAD:d')
  const longest = (bytes: number) => writeTree(repo, [['40000', 'n'.repeat(bytes), flat]])
  expect(await compareTrees(objects, nothing, longest(maxNameBytes), 9)).toHaveLength(1)
  await expect(compareTrees(objects, nothing, longest(maxNameBytes + 1), 9)).rejects.toThrow(
    "a folder's path has more than 4096 bytes",
  )
})

test.each(['', '/a', 'a/', 'a//b', '.', '..', 'a/../b', '.git', 'a/.GIT/b'])('%j is no safe path', (path) => {
  expect(isSafePath(path)).toBe(false)
})

test('other paths are safe, a linked .gitmodules is not', () => {
  expect(
    ['a', '.gitignore', 'a/.github/b', '...', '-x', '.gitmodules'].every((path) => isSafePath(path)),
  ).toBe(true)
  expect(isSafePath('sub/.gitmodules', '120000')).toBe(false)
  expect(isSafePath('a'.repeat(4096))).toBe(true)
  expect(isSafePath('a'.repeat(4097))).toBe(false)
})

test('what is larger than wanted is not unpacked: its header says enough', async () => {
  const repo = createRepo()
  const id = object(repo, 'blob', Buffer.alloc(3_000_000, 'x\n'))
  const path = join(repo.path, '.git/objects', id.slice(0, 2), id.slice(2))
  const whole = readFileSync(path)
  // Whoever unpacks it to its end would find that there is none.
  rmSync(path)
  writeFileSync(path, whole.subarray(0, whole.length / 2))
  const objects = await objectsOf(repo)
  expect(await objects.read(id, 2_000_000)).toMatchObject({ size: 3_000_000, bytes: null })
  expect(await objects.read(id, 3_000_000)).toBeNull()
})

test(
  'a command that works and says nothing is ended by the processor time that it takes',
  needs('Linux'),
  async () => {
    const repo = createRepo()
    const folders = writeBomb(repo, ['40000', 'd', writeTree(repo, [])], 1000, 3)
    const place = { gitDir: join(repo.path, '.git'), home: repo.path }
    const listing = streamGit(place, ['ls-tree', '-r', folders], () => undefined, { silentCpuSeconds: 0.15 })
    await expect(listing).rejects.toMatchObject({
      code: 'git-failed',
      message: expect.stringContaining('git ls-tree said nothing for too long'),
    })
    // One that works as long, and speaks meanwhile, is not.
    const files = writeBomb(repo, ['100644', 'f', object(repo, 'blob', 'x\n')], 100, 3)
    const said = await streamGit(place, ['ls-tree', '-r', files], () => undefined, { silentCpuSeconds: 0.1 })
    expect(said).toMatchObject({ code: 0, stopped: false })
  },
)
