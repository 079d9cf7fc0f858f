/** A clone without all blobs: what is missing is listed, and read when it has come. */
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { findDefinitions } from '../../../src/code-index/query/definitions.ts'
import { createRepo, TestRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { indexingOf } from './indexing.ts'

test('blobs that are not here are listed, and indexed once they are', async () => {
  const origin = createRepo()
  origin.commit({
    'small.py': 'def small(): pass\n',
    'big.py': `def big(): pass\n${'# filler\n'.repeat(400)}`,
    'also-big.txt': 'word '.repeat(600),
  })
  origin.git('config', 'uploadpack.allowFilter', 'true')
  origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true')
  const clone = new TestRepo(temporaryFolder())
  clone.git(
    'clone',
    '--quiet',
    '--no-checkout',
    '--filter=blob:limit=1k',
    pathToFileURL(origin.path).href,
    '.',
  )
  const indexing = indexingOf(clone)
  const first = await indexing.open()
  expect(first.report).toMatchObject({ files: 3, indexed: 1, read: 1, absent: ['also-big.txt', 'big.py'] })
  expect((await findDefinitions(first.tree, 'big')).definitions).toEqual([])
  expect((await indexing.open()).report).toMatchObject({ reused: 1, read: 0 })

  // A later commit on top of what is still missing.
  origin.commit({ 'more.py': 'def more(): pass\n' })
  clone.git('fetch', '--quiet', 'origin')
  const second = await indexing.open('origin/main')
  expect(second.report).toMatchObject({ files: 4, reused: 1, absent: ['also-big.txt', 'big.py'] })

  // Asking git itself for a blob brings it.
  clone.git('cat-file', '-p', 'origin/main:big.py')
  const third = await indexing.open('origin/main')
  expect(third.report).toMatchObject({ indexed: 3, read: 1, absent: ['also-big.txt'] })
  expect((await findDefinitions(third.tree, 'big')).definitions).toMatchObject([{ path: 'big.py' }])
})
