/** A process that lives long: what did not change is taken over, and answers are those of a tree opened anew. */
import { expect, test } from 'vitest'
import { findTargets } from '../../../src/code-index/query/definitions.ts'
import { LiveTrees } from '../../../src/code-index/query/live-trees.ts'
import { openCodeTree } from '../../../src/code-index/query/open-tree.ts'
import { findReferences } from '../../../src/code-index/query/references.ts'
import { createRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { headOf, watched } from '../../helpers/head-of.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

test('the next tree reads what differs, and a changed file changes what names elsewhere mean', async () => {
  const repo = createRepo()
  const caller = 'from lib import work\n\ndef go():\n    return work()\n'
  repo.commit({
    'lib.py': 'from real import work\n',
    'real.py': 'def work():\n    pass\n',
    'other.py': 'def work():\n    pass\n',
    'go.py': caller,
    ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`same${at}.py`, `def same${at}(): pass\n`])),
  })
  const facts = sharedFacts()
  const trees = new LiveTrees({ facts, cacheFolder: temporaryFolder(), repository: repo.path })
  const first = await trees.open(await headOf(repo))
  await trees.warm(first, { uses: true })
  const usesOf = async (tree: (typeof first)['tree'], place: string) => {
    const [target] = await findTargets(tree, place)
    if (!target) throw new Error(`no ${place}`)
    return findReferences(tree, target)
  }
  expect((await usesOf(first.tree, 'real.py:1')).references.map(({ path }) => path)).toContain('go.py')

  repo.commit({ 'lib.py': 'from other import work\n', 'same3.py': null, 'new.py': caller })
  const head = await headOf(repo)
  const { snapshot, read, calls } = watched(head)
  const second = await trees.open(snapshot)
  expect(second.refreshed).toMatchObject({ read: 1, samePaths: false })
  await trees.warm(second)
  // go.py and new.py are one blob; texts are by path.
  expect([...new Set(read)].sort()).toEqual(['lib.py', 'new.py'])
  expect(calls('list')).toBe(0)
  const anew = await openCodeTree(head, facts)
  for (const place of ['real.py:1', 'other.py:1', 'go.py:3', 'same4.py:1'])
    expect(await usesOf(second.tree, place)).toEqual(await usesOf(anew, place))
  expect((await usesOf(second.tree, 'other.py:1')).references.map(({ path }) => path)).toContain('go.py')
  expect((await usesOf(second.tree, 'real.py:1')).references).toEqual([])
})

test('the same tree again, and a tree far away', async () => {
  const repo = createRepo()
  repo.commit({ 'a.py': 'def a(): pass\n' })
  const facts = sharedFacts()
  const trees = new LiveTrees({ facts, cacheFolder: null, repository: repo.path })
  await trees.open(await headOf(repo))
  const again = await trees.open(await headOf(repo))
  expect(again.refreshed).toMatchObject({ read: 0, reused: 1, samePaths: true })
  repo.git('checkout', '--quiet', '--orphan', 'far')
  repo.git('rm', '-rfq', '.')
  repo.commit({ 'b.py': 'def b(): pass\n' })
  const { tree } = await trees.open(await headOf(repo))
  expect(await findTargets(tree, 'a')).toEqual([])
  expect(await findTargets(tree, 'b')).toHaveLength(1)
})
