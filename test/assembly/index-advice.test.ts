/** The advice to build an index is about what the stored ones lack. */
import { expect, onTestFinished, test } from 'vitest'
import { adviseIndex } from '../../src/assembly/index-advice.ts'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { indexTree } from '../../src/code-index/tree-index/index-tree.ts'
import { snapshotOf } from '../code-index/query/open-repo.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

test('nothing is advised when little of a large tree is new', async () => {
  const cacheFolder = temporaryFolder()
  const facts = createFactStore({ cacheFolder })
  onTestFinished(() => facts.close())
  const large = { 'notes/large.txt': 'a line of words\n'.repeat(400_000) }
  const before = await snapshotOf({ ...large, 'a.ts': 'export const a = 1\n' })
  const after = await snapshotOf({ ...large, 'a.ts': 'export const a = 2\n' })
  const advised = (folder: string | null) => adviseIndex({ head: after, repositoryLabel: 'here' }, folder)

  expect(await advised(cacheFolder)).toEqual({ megabytes: expect.closeTo(6.4, 1), seconds: 3 })
  expect(await advised(null)).toBeNull()
  await indexTree({ snapshot: before, facts, cacheFolder, repository: 'here', keep: true })
  expect(await advised(cacheFolder)).toBeNull()
})
