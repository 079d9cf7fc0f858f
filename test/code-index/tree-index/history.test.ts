/** Trees of a real history: what is shared is read once, whatever happens to branches. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findDefinitions, findTargets } from '../../../src/code-index/query/definitions.ts'
import { findReferences } from '../../../src/code-index/query/references.ts'
import { createRepo, type TestRepo } from '../../helpers/git-repo.ts'
import { indexingOf } from './indexing.ts'

function repoWith(count: number): TestRepo {
  const repo = createRepo()
  const files = Array.from({ length: count }, (_, at) => [
    `src/m${at}.py`,
    `from src.m${(at + 1) % count} import f${(at + 1) % count}\n\ndef f${at}():\n    return f${(at + 1) % count}()\n`,
  ])
  repo.commit({ ...Object.fromEntries(files), 'README.md': 'f1 and f2\n' })
  return repo
}

test('a commit reads what is new, the same tree nothing, and answers are those of a pass over the texts', async () => {
  const repo = repoWith(30)
  const indexing = indexingOf(repo)
  const first = await indexing.open()
  expect(first.report).toMatchObject({
    files: 31,
    indexed: 30,
    textOnly: 1,
    reused: 0,
    read: 31,
    segments: 1,
  })
  expect(first.report.symbols).toBe(30)
  repo.commit({
    'src/m3.py': 'def f3():\n    return 0\n',
    'src/new.py': 'from src.m3 import f3\n\nf3()\n',
    'src/m9.py': null,
  })
  const second = await indexing.open()
  expect(second.report).toMatchObject({ files: 31, reused: 29, read: 2, segments: 2 })
  expect((await indexing.open()).report).toMatchObject({ reused: 31, read: 0 })
  for (const { tree, plain } of [first, second])
    for (const name of ['f1', 'f2', 'f3', 'f8', 'f9', 'f10', 'absent']) {
      expect(await findDefinitions(tree, name)).toEqual(await findDefinitions(plain, name))
      const targets = await findTargets(tree, name)
      const same = await findTargets(plain, name)
      expect(targets).toHaveLength(same.length)
      for (const [at, target] of targets.entries()) {
        const other = same[at]
        expect(other && (await findReferences(plain, other))).toEqual(await findReferences(tree, target))
      }
    }
})

test('branches share; a branch that was pushed by force, or is the default now, costs what is new in it', async () => {
  const repo = repoWith(20)
  const indexing = indexingOf(repo)
  await indexing.open('main')
  repo.git('checkout', '--quiet', '-b', 'topic')
  repo.commit({ 'src/topic.py': 'def topic():\n    pass\n' })
  expect((await indexing.open('topic')).report).toMatchObject({ reused: 21, read: 1 })
  repo.git('reset', '--quiet', '--hard', 'main')
  repo.commit({ 'src/topic.py': 'def topic(again):\n    pass\n' })
  repo.git('reflog', 'expire', '--expire=now', '--all')
  repo.git('gc', '--quiet', '--prune=now')
  // The tree of the old push is gone from the repository; that of main is still near.
  expect((await indexing.open('topic')).report).toMatchObject({ reused: 21, read: 1 })
  repo.git('checkout', '--quiet', '--orphan', 'trunk')
  repo.git('rm', '-rfq', 'src')
  repo.commit({ 'lib/other.py': 'def other():\n    pass\n' })
  repo.git('branch', '-D', 'main', 'topic')
  repo.git('symbolic-ref', 'HEAD', 'refs/heads/trunk')
  const { report, tree } = await indexing.open()
  expect(report).toMatchObject({ files: 2, reused: 1, read: 1 })
  expect((await findDefinitions(tree, 'topic')).definitions).toEqual([])
  expect((await findDefinitions(tree, 'other')).definitions).toMatchObject([{ path: 'lib/other.py' }])
})

test('names that differ in case only, links, submodules, two names of one blob', async () => {
  const repo = createRepo()
  const blob = (text: string) => {
    repo.write({ 'tmp.txt': text })
    return repo.git('hash-object', '-w', 'tmp.txt')
  }
  const [lower, upper] = [blob('def one():\n    pass\n'), blob('def two():\n    pass\n')]
  const add = (mode: string, id: string, path: string) =>
    repo.git('update-index', '--add', '--cacheinfo', `${mode},${id},${path}`)
  add('100644', lower, 'a/name.py')
  add('100644', upper, 'a/Name.py')
  add('100755', upper, 'b/copy.py')
  add('100644', upper, 'b/copy.txt')
  add('120000', blob('a/name.py'), 'link.py')
  add('160000', '1'.repeat(40), 'module')
  repo.git('commit', '--quiet', '-m', 'odd')
  const { report, tree } = await indexingOf(repo).open()
  expect(report).toMatchObject({ files: 4, indexed: 3, textOnly: 1, read: 3 })
  const pathsOf = async (name: string) =>
    (await findDefinitions(tree, name)).definitions.map(({ path }) => path)
  expect(await pathsOf('one')).toEqual(['a/name.py'])
  expect(await pathsOf('two')).toEqual(['a/Name.py', 'b/copy.py'])
  expect((await findDefinitions(tree, 'two')).textOnly).toEqual(['b/copy.txt'])
})

test('a link in the place of a file, and back', async () => {
  const repo = repoWith(3)
  const indexing = indexingOf(repo)
  await indexing.open()
  repo.write({ 'src/m1.py': null })
  symlinkSync('m0.py', join(repo.path, 'src/m1.py'))
  repo.commit({})
  const linked = await indexing.open()
  expect(linked.report).toMatchObject({ files: 3, read: 0 })
  expect((await findDefinitions(linked.tree, 'f1')).definitions).toEqual([])
  repo.git('revert', '--no-edit', 'HEAD')
  const back = await indexing.open()
  expect(back.report).toMatchObject({ files: 4, read: 0 })
  expect((await findDefinitions(back.tree, 'f1')).definitions).toHaveLength(1)
})

test('files that cannot be parsed are listed, and questions say so', async () => {
  const repo = createRepo()
  repo.commit({
    'deep.py': `x = ${'['.repeat(50_000)}\nhidden = 1\n`,
    'binary.py': Buffer.from('def a():\0'),
    'fine.py': 'def fine():\n    return hidden\n',
  })
  const { report, tree, plain } = await indexingOf(repo).open()
  expect(report).toMatchObject({ files: 3, indexed: 1, notText: 1, failures: [{ path: 'deep.py' }] })
  const answer = await findDefinitions(tree, 'hidden')
  expect(answer.emptiness).toMatchObject({ isEvidence: false })
  expect(answer).toEqual(await findDefinitions(plain, 'hidden'))
})

test('many small commits: segments stay few, and answers right', async () => {
  const repo = repoWith(10)
  const indexing = indexingOf(repo)
  for (let round = 0; round < 14; round++) {
    repo.commit({ [`src/r${round % 5}.py`]: `def round${round}():\n    return f1()\n` })
    const { report, tree } = await indexing.open()
    expect(report.read).toBe(round === 0 ? 12 : 1)
    expect(report.segments).toBeLessThanOrEqual(8)
    expect((await findDefinitions(tree, `round${round}`)).definitions).toHaveLength(1)
    expect((await findDefinitions(tree, `round${round - 5}`)).definitions).toHaveLength(0)
  }
})
