/** What is compared with what, for every selector, and what it is called. */
import { expect, test } from 'vitest'
import { UserError } from '../../src/base/errors.ts'
import { ReviewRequest } from '../../src/domain/review-request.ts'
import type { ChangeSelector } from '../../src/hosts/contract.ts'
import { createRepo, type TestRepo } from '../helpers/git-repo.ts'
import { changesOf, collect } from './collecting.ts'

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** main: one, two. feature, from one: three, four. */
function forked(): TestRepo & { ids: Record<'one' | 'two' | 'three' | 'four', string> } {
  const repo = createRepo()
  const one = repo.commit({ 'a.txt': 'one\n' }, 'one')
  repo.git('checkout', '--quiet', '-b', 'feature')
  const three = repo.commit({ 'c.txt': 'three\n' }, 'three')
  const four = repo.commit({ 'c.txt': 'three\nfour\n' }, 'four\n\nbecause')
  repo.git('checkout', '--quiet', 'main')
  const two = repo.commit({ 'b.txt': 'two\n' }, 'two')
  repo.git('checkout', '--quiet', 'feature')
  return Object.assign(repo, { ids: { one, two, three, four } })
}

test('auto takes uncommitted changes first', async () => {
  const repo = forked()
  repo.write({ 'c.txt': 'changed\n', 'new.txt': 'new\n' })
  const change = await collect(repo.path, { kind: 'auto' })
  expect(change.request.source).toEqual({ kind: 'uncommitted', label: 'uncommitted changes' })
  expect(change.request.base.commit).toBe(repo.ids.four)
  expect(change.request.head.commit).toBeNull()
  expect(await changesOf(change)).toEqual(['M c.txt', 'A new.txt'])
  expect(ReviewRequest.parse(change.request)).toEqual(change.request)
})

test('auto takes the branch against the default branch when nothing is uncommitted', async () => {
  const repo = forked()
  const { request, ...change } = await collect(repo.path, { kind: 'auto' })
  expect(request.source).toEqual({ kind: 'branch', label: 'branch feature against main' })
  expect(request.base.commit).toBe(repo.ids.one)
  expect(request.head.commit).toBe(repo.ids.four)
  expect(request.title).toBe('feature')
  expect(request.body).toBe('- three\n- four')
  expect(request.author).toBe('Ada <ada@example.com>')
  const { commits } = await change.history.recent(10)
  expect(commits.map(({ subject }) => subject)).toEqual(['one'])
})

test('auto on the default branch takes the last commit, or what is not pushed', async () => {
  const repo = forked()
  repo.git('checkout', '--quiet', 'main')
  const last = await collect(repo.path, { kind: 'auto' })
  expect(last.request.source).toEqual({
    kind: 'commit',
    label: `last commit ${repo.ids.two.slice(0, 7)}`,
  })
  repo.git('update-ref', 'refs/remotes/origin/main', repo.ids.one)
  repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main')
  const unpushed = await collect(repo.path, { kind: 'auto' })
  expect(unpushed.request.source.label).toBe('branch main against origin/main')
  expect(unpushed.request.title).toBe('two')
})

test('auto knows the usual names of a default branch', async () => {
  const repo = forked()
  for (const [before, name] of [
    ['main', 'master'],
    ['master', 'trunk'],
    ['trunk', 'develop'],
  ] as const) {
    repo.git('branch', '--quiet', '-m', before, name)
    const { request } = await collect(repo.path, { kind: 'auto' })
    expect(request.source.label).toBe(`branch feature against ${name}`)
  }
})

test('auto follows origin/HEAD, and works on a detached HEAD', async () => {
  const repo = forked()
  repo.git('update-ref', 'refs/remotes/origin/next', repo.ids.three)
  repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/next')
  repo.git('checkout', '--quiet', '--detach')
  const { request } = await collect(repo.path, { kind: 'auto' })
  expect(request.source.label).toBe(`HEAD (${repo.ids.four.slice(0, 7)}) against origin/next`)
  expect(request).toMatchObject({ title: 'four', body: 'because', base: { commit: repo.ids.three } })
})

test('a base is compared from the merge base, with the work tree when that is dirty', async () => {
  const repo = forked()
  const clean = await collect(repo.path, { kind: 'base', base: 'main' })
  expect(clean.request).toMatchObject({
    source: { kind: 'branch', label: 'branch feature against main' },
    base: { commit: repo.ids.one },
    head: { commit: repo.ids.four },
  })
  repo.write({ 'a.txt': 'dirty\n' })
  const dirty = await collect(repo.path, { kind: 'base', base: 'main' })
  expect(dirty.request.source.label).toBe('feature with uncommitted changes against main')
  expect(dirty.request).toMatchObject({ base: { commit: repo.ids.one }, head: { commit: null } })
  expect(await changesOf(dirty)).toEqual(['M a.txt', 'A c.txt'])
})

test('a range of two dots compares the ends, one of three dots starts at the merge base', async () => {
  const repo = forked()
  const two = await collect(repo.path, { kind: 'range', range: 'main..feature' })
  expect(two.request).toMatchObject({ base: { commit: repo.ids.two }, head: { commit: repo.ids.four } })
  expect(await changesOf(two)).toEqual(['D b.txt', 'A c.txt'])
  const three = await collect(repo.path, { kind: 'range', range: 'main...feature' })
  expect(three.request.source).toEqual({ kind: 'range', label: 'range main...feature' })
  expect(await changesOf(three)).toEqual(['A c.txt'])
  const open = await collect(repo.path, { kind: 'range', range: 'main..' })
  expect(open.request.head.commit).toBe(repo.ids.four)
})

test('a commit is compared with its first parent, a root commit with nothing', async () => {
  const repo = forked()
  repo.git('merge', '--quiet', '--no-edit', 'main')
  const merge = await collect(repo.path, { kind: 'commit', commit: 'HEAD' })
  expect(merge.request).toMatchObject({ source: { kind: 'commit' }, base: { commit: repo.ids.four } })
  expect(await changesOf(merge)).toEqual(['A b.txt'])
  const root = await collect(repo.path, { kind: 'commit', commit: repo.ids.one.slice(0, 8) })
  expect(root.request.base).toEqual({ commit: null, tree: emptyTree })
  expect(await changesOf(root)).toEqual(['A a.txt'])
  expect(await root.history.recent(10)).toEqual({ commits: [], complete: true })
})

test('a repository without a commit is compared with nothing', async () => {
  const repo = createRepo()
  await expect(collect(repo.path, { kind: 'auto' })).rejects.toMatchObject({ code: 'nothing-to-review' })
  repo.write({ 'a.txt': 'one\n' })
  const change = await collect(repo.path, { kind: 'auto' })
  expect(change.request).toMatchObject({
    source: { kind: 'uncommitted' },
    base: { commit: null, tree: emptyTree },
  })
  expect(await changesOf(change)).toEqual(['A a.txt'])
  expect(await change.base.list()).toEqual([])
  expect(await change.history.recent(10)).toEqual({ commits: [], complete: true })
  repo.git('add', '-A')
  expect(await changesOf(await collect(repo.path, { kind: 'staged' }))).toEqual(['A a.txt'])
  await expect(collect(repo.path, { kind: 'commit', commit: 'HEAD' })).rejects.toMatchObject({
    code: 'unknown-ref',
  })
})

test('an unknown name is an error that knows the nearest ones', async () => {
  const repo = forked()
  const error = await collect(repo.path, { kind: 'base', base: 'featrue' }).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(UserError)
  expect(error).toMatchObject({ code: 'unknown-ref', message: '`featrue`; did you mean `feature`?' })
})

test('a name is never an option, and a range without dots is a wrong command line', async () => {
  const repo = forked()
  const options = ['--upload-pack=x', '-rf', '--help', '--output=/tmp/x', ':/', ' ', '', 'x'.repeat(5000)]
  for (const name of [...options, 'main^{tree}', 'a\nb', 'HEAD\0', 'main:a.txt']) {
    const ways: ChangeSelector[] = [
      { kind: 'commit', commit: name },
      { kind: 'base', base: name },
      ...(name === '' ? [] : [{ kind: 'range', range: `main..${name}` } as const]),
    ]
    for (const way of ways)
      await expect(collect(repo.path, way), JSON.stringify(way)).rejects.toMatchObject({
        code: 'unknown-ref',
      })
  }
  await expect(collect(repo.path, { kind: 'range', range: 'main' })).rejects.toMatchObject({ code: 'usage' })
})

test('sides without common history have no merge base', async () => {
  const repo = forked()
  repo.git('checkout', '--quiet', '--orphan', 'other')
  repo.commit({ 'z.txt': 'z\n' }, 'other root')
  const error = { code: 'no-merge-base' }
  await expect(collect(repo.path, { kind: 'base', base: 'main' })).rejects.toMatchObject(error)
  await expect(collect(repo.path, { kind: 'range', range: 'main...other' })).rejects.toMatchObject(error)
  expect((await collect(repo.path, { kind: 'range', range: 'main..other' })).request.body).toBe('')
})

test('the same commits give the same request and diff in two clones', async () => {
  const repo = forked()
  const clone = createRepo()
  clone.git('fetch', '--quiet', repo.path, 'refs/heads/*:refs/heads/*', '--update-head-ok')
  const [one, two] = await Promise.all(
    [repo, clone].map(async ({ path }) => {
      const change = await collect(path, { kind: 'range', range: 'main...feature' })
      return { request: change.request, diff: await change.diff() }
    }),
  )
  expect(one).toEqual(two)
})

test('a range of ids is called by short ones and the subject of its last commit, without secrets', async () => {
  const repo = forked()
  const range = `${repo.ids.two}..${repo.ids.four}`
  const { request } = await collect(repo.path, { kind: 'range', range })
  const subject = repo.git('log', '-1', '--format=%s', repo.ids.four).trim()
  expect(request.source.label).toBe(
    `range ${repo.ids.two.slice(0, 12)}..${repo.ids.four.slice(0, 12)} (${subject})`,
  )
  const leaked = ['glpat-', 'Zq3vXw8RtB5nMk2LpYc7'].join('')
  const head = repo.commit(
    { 'd.txt': 'd\n' },
    `Use ${leaked} and a subject that is far too long to be shown in a single line`,
  )
  const long = await collect(repo.path, { kind: 'range', range: `main..${head}` })
  expect(long.request.source.label).not.toContain(leaked)
  expect(long.request.source.label).toMatch(/^range main\.\.[0-9a-f]{12} \(Use .{1,46}…\)$/)
})
