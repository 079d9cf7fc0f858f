/** The store: what is remembered, what a bad file costs, and that nothing depends on the order of work. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { IndexStore } from '../../src/code-index/contract.ts'
import { createFactStore, type FactStoreOptions } from '../../src/code-index/fact-store.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { fixture, source } from './read-facts.ts'

function openStore(options: Partial<FactStoreOptions> = {}): IndexStore {
  const store = createFactStore({ cacheFolder: null, ...options })
  onTestFinished(() => store.close())
  return store
}

const samples = () =>
  ['sample.ts', 'sample.py', 'sample.go', 'sample.rs', 'Sample.java'].map((name) =>
    source(name, fixture(name)),
  )

describe('facts', () => {
  test('unknown languages are left out, equal blobs are read once, paths keep their own entry', async () => {
    const store = sharedFacts()
    const facts = await store.facts([
      source('a.py', 'x = 1\n'),
      source('b.py', 'x = 1\n'),
      source('README.md', '# words'),
    ])
    expect([...facts.keys()]).toEqual(['a.py', 'b.py'])
    expect(facts.get('a.py')).toBe(facts.get('b.py'))
    expect(store.failures).toEqual([])
  })

  test('the same whatever the order and the company of the files', async () => {
    const files = samples()
    const together = await openStore().facts(files)
    const reversed = await openStore({ limits: { children: 1 } }).facts(files.toReversed())
    const alone = sharedFacts()
    for (const file of files) {
      const single = (await alone.facts([file])).get(file.path)
      expect(single).toEqual(together.get(file.path))
      expect(JSON.stringify(reversed.get(file.path))).toBe(JSON.stringify(together.get(file.path)))
    }
  })

  test('several callers at once all get theirs', async () => {
    const store = sharedFacts()
    // Read by nobody before.
    const files = samples().map(({ path, text }) => source(path, `${text}\n\n`))
    const answers = await Promise.all(files.map((file) => store.facts([file])))
    expect(answers.map((answer) => answer.size)).toEqual([1, 1, 1, 1, 1])
  })

  test('after close the store starts anew', async () => {
    const store = openStore()
    await store.facts([source('a.go', 'package a\n')])
    await store.close()
    const facts = await store.facts([source('b.go', 'package b\n')])
    expect(facts.get('b.go')?.packageName).toBe('b')
  })

  test('an abort ends the work with its reason', async () => {
    const controller = new AbortController()
    const store = openStore({ signal: controller.signal })
    await store.facts([source('warm.ts', 'let a')])
    const reading = store.facts([source('long.ts', 'const a = [1, 2, 3]\n'.repeat(20_000))])
    await new Promise((resolve) => setTimeout(resolve, 20))
    controller.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
  })
})

test('of the versions of a text that is being written only the latest are kept, and none for the next run', async () => {
  const cacheFolder = temporaryFolder()
  const { signal } = new AbortController()
  const [store, next] = [openStore({ cacheFolder }), openStore({ cacheFolder })]
  const versions = Array.from({ length: 30 }, (_, at) => source('a.ts', `export const version = ${at}\n`))
  for (const version of versions) await store.readDrafts([version], signal)
  const forgotten = store.unread(versions)
  expect(forgotten.length).toBeGreaterThanOrEqual(20)
  expect(forgotten).toEqual(versions.slice(0, forgotten.length))
  expect(next.unread(versions)).toEqual(versions)
  // As many as are written at the same time are kept.
  await store.readDrafts(versions, signal)
  expect(store.unread(versions)).toEqual([])
  await store.facts(versions.slice(0, 1))
  await expect(store.readDrafts(versions, AbortSignal.abort(new Error('typed on')))).rejects.toThrow(
    'typed on',
  )
})

test('a cache folder that cannot be used is no reason to fail', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  const store = openStore({ cacheFolder: join(folder, 'file', 'deeper') })
  expect((await store.facts([source('a.py', 'def f(): pass\n')])).size).toBe(1)
})

test('of a store that is lent each reader hears of its own failures, and closing one leaves the others open', async () => {
  const bad = source('src/a.ts', `lent${'('.repeat(100_000)}`)
  const good = source('src/a.ts', 'export const a = 1 // lent\n')
  const [first, second, third] = [sharedFacts(), sharedFacts(), sharedFacts()]

  expect((await first.facts([bad])).size).toBe(0)
  expect(first.failures.map(({ path }) => path)).toEqual(['src/a.ts'])
  await first.close()

  expect((await second.facts([good])).get('src/a.ts')?.symbols.map(({ name }) => name)).toEqual(['a'])
  expect(second.failures).toEqual([])
  // What is known to fail is not parsed again, and told again.
  expect((await third.facts([bad])).size).toBe(0)
  expect(third.failures).toHaveLength(1)
})
