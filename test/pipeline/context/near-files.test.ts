/** Which files are looked into: the nearest, the same with an index, with part of one and without, within the budgets. */
import { expect, test } from 'vitest'
import { withIndexedWords } from '../../../src/code-index/query/open-tree.ts'
import { openWorld } from '../../../src/code-index/resolve/world.ts'
import { indexTree } from '../../../src/code-index/tree-index/index-tree.ts'
import { openStoredTrees } from '../../../src/code-index/tree-index/stored-trees.ts'
import type { RepoSnapshot } from '../../../src/domain/snapshot.ts'
import { changedWords, readChangedFiles } from '../../../src/pipeline/context/retrieval/changed-places.ts'
import { findNearFiles } from '../../../src/pipeline/context/retrieval/near-files.ts'
import { seedDefinitions } from '../../../src/pipeline/context/retrieval/passage-lists.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { readChange, type Texts } from '../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

const rate = (by: number) => `export function rate(amount: number): number {\n  return amount * ${by}\n}\n`

/** Many that only have the word, some that import it, and one that lies beside it. */
const files: Texts = {
  'src/money/rate.ts': rate(2),
  'src/money/beside.ts': "import { rate } from './rate.ts'\n\nexport const two = rate(2)\n",
  ...Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`lib/word${at}.ts`, `const rate${at} = 1\n// rate ${at}\n`]),
  ),
  ...Object.fromEntries(
    Array.from({ length: 5 }, (_, at) => [
      `web/page${at}.ts`,
      `import { rate } from '../src/money/rate.ts'\n\nexport const page${at} = rate(${at})\n`,
    ]),
  ),
  'assets/rate.bin.ts': `const rate = '${'x'.repeat(300_000)}'\n`,
}

const changed = () => readChange(files, { 'src/money/rate.ts': rate(3) })

async function near(head: RepoSnapshot, set: Awaited<ReturnType<typeof changed>>['set']) {
  const read = await readChangedFiles(await openWorld(head, sharedFacts(), []), set)
  const paths = read.map(({ file }) => file.path)
  const question = { head, changed: paths, seeds: seedDefinitions(read), words: changedWords(read) }
  const { users, alike, isWhole } = await findNearFiles(question)
  return { users, alike, whole: ['rate', 'amount', 'two'].map(isWhole) }
}

test('what imports the changed file or lies beside it comes first, and a definition has its share', async () => {
  const { change, set } = await changed()
  const { users, alike, whole } = await near(change.head, set)
  expect(users.slice(0, 7)).toEqual([
    'src/money/rate.ts',
    'src/money/beside.ts',
    ...Array.from({ length: 5 }, (_, at) => `web/page${at}.ts`),
  ])
  expect(users.length).toBeLessThan(70)
  expect(users).not.toContain('assets/rate.bin.ts')
  expect(alike.slice(0, 2)).toEqual(['src/money/rate.ts', 'src/money/beside.ts'])
  // Not all that mention `rate` were chosen; nobody else mentions `amount`; `two` was not asked about.
  expect(whole).toEqual([false, true, false])
})

test('an index, part of one, and none choose the same files', async () => {
  const { change, set } = await changed()
  const cacheFolder = temporaryFolder()
  const place = { cacheFolder, repository: 'shop', keep: true }
  const without = await near(change.head, set)
  const cold = await near(withIndexedWords(change.head, openStoredTrees(cacheFolder, 'shop')), set)
  await indexTree({ ...place, snapshot: change.base, facts: sharedFacts() })
  const partly = await near(withIndexedWords(change.head, openStoredTrees(cacheFolder, 'shop')), set)
  await indexTree({ ...place, snapshot: change.head, facts: sharedFacts() })
  const indexed = await near(withIndexedWords(change.head, openStoredTrees(cacheFolder, 'shop')), set)
  expect([cold, partly, indexed]).toEqual([without, without, without])
})
