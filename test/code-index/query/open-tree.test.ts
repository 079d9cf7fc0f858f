/** Words by the stored index are the words by a pass over all texts; files that it does not have are read. */
import { expect, test } from 'vitest'
import { withIndexedWords } from '../../../src/code-index/query/open-tree.ts'
import { indexTree } from '../../../src/code-index/tree-index/index-tree.ts'
import { openStoredTrees } from '../../../src/code-index/tree-index/stored-trees.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { watched } from '../../helpers/head-of.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'
import { snapshotOf } from './open-repo.ts'

const files = {
  'src/a.ts': 'export const alpha = 1\nexport const $beta = "naïve alpha_two"\n',
  'src/b.py': 'def alpha():\n    return 日本\n',
  'notes.txt': 'alpha and gamma\n',
  'image.bin': 'alpha\0gamma',
}
const words = ['alpha', '$beta', 'naïve', '日本', 'gamma', 'alpha_two', 'absent', 'Alpha']

test('the same answers, with a pass and without one', async () => {
  const cacheFolder = temporaryFolder()
  const place = { cacheFolder, repository: 'here', keep: true }
  const { snapshot, calls } = watched(await snapshotOf(files))
  const plain = [...(await snapshot.filesWithWords(words))].sort()

  const before = withIndexedWords(snapshot, openStoredTrees(cacheFolder, 'here'))
  expect([...(await before.filesWithWords(words))].sort()).toEqual(plain)
  expect(calls('filesWithWords')).toBe(2)

  await indexTree({ snapshot, facts: sharedFacts(), ...place })
  const after = withIndexedWords(snapshot, openStoredTrees(cacheFolder, 'here'))
  expect([...(await after.filesWithWords(words))].sort()).toEqual(plain)
  expect(calls('filesWithWords')).toBe(2)
  expect((await after.read('notes.txt'))?.text).toBe('alpha and gamma\n')
})

test('a word too long to be filed is looked for in the texts', async () => {
  const cacheFolder = temporaryFolder()
  const long = 'x'.repeat(300)
  const { snapshot, calls } = watched(await snapshotOf({ ...files, 'long.txt': `${long}\n` }))
  const place = { cacheFolder, repository: 'here', keep: true }
  await indexTree({ snapshot, facts: sharedFacts(), ...place })
  const found = await withIndexedWords(snapshot, openStoredTrees(cacheFolder, 'here')).filesWithWords([
    long,
    'gamma',
  ])
  expect([...found.keys()].sort()).toEqual(['gamma', long])
  expect(calls('filesWithWords')).toBe(1)
})

test('no folder or another repository: one pass; of a near tree only what is new is read; the same answers', async () => {
  const cacheFolder = temporaryFolder()
  const first = await snapshotOf(files)
  await indexTree({ snapshot: first, facts: sharedFacts(), cacheFolder, repository: 'here', keep: true })
  const added = { 'src/b.py': 'def delta():\n    return alpha\n', 'a-new.ts': 'export const alpha = two\n' }
  const { 'notes.txt': _, ...kept } = files
  const grown = watched(await snapshotOf({ ...kept, ...added }))
  const plain = [...(await grown.snapshot.filesWithWords([...words, 'delta']))].sort()
  for (const [folder, repository, passes] of [
    [null, 'here', 2],
    [cacheFolder, 'there', 3],
    [cacheFolder, 'here', 3],
  ] as const) {
    const indexed = withIndexedWords(grown.snapshot, openStoredTrees(folder, repository))
    expect([...(await indexed.filesWithWords([...words, 'delta']))].sort()).toEqual(plain)
    expect(await indexed.list()).toEqual(await grown.snapshot.list())
    expect(grown.calls('filesWithWords')).toBe(passes)
  }
})
