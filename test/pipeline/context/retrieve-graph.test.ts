/** The graph retrieval asks after the time as it goes: it ends its lists where they are, and says so. */
import { expect, test } from 'vitest'
import { createFactStore } from '../../../src/code-index/fact-store.ts'
import { defaultConfig } from '../../../src/config/schema.ts'
import { passageLists, timeRanOut } from '../../../src/pipeline/context/retrieval/contract.ts'
import { retrieveGraph } from '../../../src/pipeline/context/retrieval/retrieve-graph.ts'
import { readChangeSet } from '../../../src/pipeline/diff/read-change-set.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { watched } from '../../helpers/head-of.ts'
import { readChange } from '../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'
import { shopChange } from './frozen.ts'

async function retrieve(isOutOfTime: () => boolean) {
  const change = shopChange()
  const set = await readChangeSet(await change.diff(), { ...defaultConfig.paths, base: change.base })
  const { lists, cuts } = await retrieveGraph({
    change: set,
    base: change.base,
    head: change.head,
    facts: sharedFacts(),
    isOutOfTime,
  })
  return { cuts, filled: passageLists.filter((list) => lists[list].length > 0) }
}

test('with time enough nothing is cut', async () => {
  const { cuts, filled } = await retrieve(() => false)
  expect(cuts).toEqual([])
  expect(filled).toEqual(expect.arrayContaining(['used', 'callers', 'tests', 'look-alikes']))
})

test('without any time what needs resolving is left, and it is told', async () => {
  const { cuts, filled } = await retrieve(() => true)
  expect(cuts).toContain(timeRanOut)
  for (const list of ['used', 'callers', 'tests', 'neighbours', 'look-alikes'])
    expect(filled).not.toContain(list)
})

test('what is kept of a file is enough where only its names are asked for, and finds the same', async () => {
  const sides = (by: number) =>
    `package shop;\n\nclass Total {\n  int of(int n) {\n    return new Price().of(n) * ${by};\n  }\n}\n`
  const base = {
    'shop/Price.java': 'package shop;\n\nclass Price {\n  int of(int n) {\n    return n;\n  }\n}\n',
    'shop/Total.java': sides(1),
    ...Object.fromEntries(
      ['A', 'B', 'C'].map((name) => [`shop/${name}.java`, `package shop;\n\nclass ${name} {}\n`]),
    ),
  }
  const { change, set } = await readChange(base, { 'shop/Total.java': sides(2) })
  const cacheFolder = temporaryFolder()
  const runs: { read: string[]; lists: unknown }[] = []
  for (let run = 0; run < 2; run++) {
    const facts = createFactStore({ cacheFolder })
    const { snapshot: head, read } = watched(change.head)
    const { lists } = await retrieveGraph({
      change: set,
      base: change.base,
      head,
      facts,
      isOutOfTime: () => false,
    })
    runs.push({ read, lists })
    await facts.close()
  }
  const [cold, warm] = runs
  expect(cold?.read).toEqual(expect.arrayContaining(['shop/A.java', 'shop/Total.java']))
  expect(warm?.read).not.toContain('shop/A.java')
  expect(warm?.lists).toEqual(cold?.lists)
})
