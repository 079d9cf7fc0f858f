/** A process that lives long: the next tree starts from the one that it has at hand. */
import { expect, test } from 'vitest'
import { type RefreshOptions, refreshTree } from '../../../src/code-index/tree-index/refresh.ts'
import { createRepo } from '../../helpers/git-repo.ts'
import { headOf, watched } from '../../helpers/head-of.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

async function refreshed(options: Pick<RefreshOptions, 'snapshot' | 'previous'>) {
  const found = await refreshTree({ facts: sharedFacts(), stored: null, ...options })
  if (!('tree' in found)) throw new Error(found.why)
  return found
}

test('only what differs is read, and a tree far away is listed anew', async () => {
  const repo = createRepo()
  const same = Array.from({ length: 20 }, (_, at) => [`same${at}.py`, `def same${at}(): pass\n`])
  repo.commit({ 'lib.py': 'def work(): pass\n', ...Object.fromEntries(same) })
  const first = await refreshed({ snapshot: await headOf(repo) })
  repo.commit({ 'lib.py': 'def other(): pass\n', 'same3.py': null })
  const head = await headOf(repo)
  const { snapshot, read, calls } = watched(head)
  const second = await refreshed({ snapshot, previous: first.tree })
  expect([second.read, read, calls('list')]).toEqual([1, ['lib.py'], 0])
  const anew = await refreshed({ snapshot: head })
  expect(second.tree.index.entries).toEqual(anew.tree.index.entries)
  for (const word of ['work', 'other', 'same3', 'same4'])
    expect(second.tree.index.find(word)).toEqual(anew.tree.index.find(word))
  expect(await refreshed({ snapshot: head, previous: second.tree })).toMatchObject({ read: 0, reused: 20 })
  repo.git('checkout', '--quiet', '--orphan', 'far')
  repo.git('rm', '-rfq', '.')
  repo.commit({ 'b.py': 'def b(): pass\n' })
  const far = await refreshed({ snapshot: await headOf(repo), previous: second.tree })
  expect([far.tree.index.find('work'), far.tree.index.find('b')?.length]).toEqual([[], 1])
})
