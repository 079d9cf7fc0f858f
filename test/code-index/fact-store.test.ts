/** The store: what is remembered, what a bad file costs, and that nothing depends on the order of work. */
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { IndexStore } from '../../src/code-index/contract.ts'
import { createFactStore, type FactStoreOptions, lendFacts } from '../../src/code-index/fact-store.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
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

const packOf = (folder: string) => join(folder, readdirSync(folder)[0] ?? '')

describe('facts', () => {
  test('unknown languages are left out, equal blobs are read once, paths keep their own entry', async () => {
    const store = openStore()
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
    const alone = openStore()
    for (const file of files) {
      const single = (await alone.facts([file])).get(file.path)
      expect(single).toEqual(together.get(file.path))
      expect(JSON.stringify(reversed.get(file.path))).toBe(JSON.stringify(together.get(file.path)))
    }
  })

  test('several callers at once all get theirs', async () => {
    const store = openStore()
    const answers = await Promise.all(samples().map((file) => store.facts([file])))
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

describe('the cache on disk', () => {
  const file = source('a.py', 'def f(): pass\n')
  const other = source('b.py', 'def g(): pass\n')

  async function filled(): Promise<string> {
    const folder = temporaryFolder()
    await openStore({ cacheFolder: folder }).facts([file, other])
    return folder
  }

  /** A store that cannot parse: whatever it answers comes from the cache. */
  const readOnly = (cacheFolder: string) => openStore({ cacheFolder, limits: { startDeadlineMs: 1 } })

  test('a second process reads what the first has written', async () => {
    const facts = await readOnly(await filled()).facts([file, other])
    expect([...facts.values()].map(({ symbols }) => symbols[0]?.name)).toEqual(['f', 'g'])
  })

  test('two stores write the same file and see each other', async () => {
    const folder = temporaryFolder()
    const [one, two] = [openStore({ cacheFolder: folder }), openStore({ cacheFolder: folder })]
    await Promise.all([one.facts([file]), two.facts([other])])
    expect((await readOnly(folder).facts([file, other])).size).toBe(2)
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test('a torn tail is passed over, and what is written after it is found', async () => {
    const folder = await filled()
    const pack = packOf(folder)
    truncateSync(pack, statSync(pack).size - 5)
    expect((await readOnly(folder).facts([file, other])).size).toBe(1)
    await openStore({ cacheFolder: folder }).facts([file, other])
    await openStore({ cacheFolder: folder }).facts([source('c.py', 'def h(): pass\n')])
    const facts = await openStore({ cacheFolder: folder }).facts([file, other])
    expect(facts.size).toBe(2)
  })

  test('a flipped bit anywhere is a miss at most, and the facts stay right', async () => {
    const folder = await filled()
    const pack = packOf(folder)
    const good = readFileSync(pack)
    const expected = JSON.stringify([...(await openStore().facts([file, other])).values()])
    for (let at = 0; at < good.length; at += 37) {
      const bad = Buffer.from(good)
      bad.writeUInt8(bad.readUInt8(at) ^ 0x10, at)
      writeFileSync(pack, bad)
      const store = createFactStore({ cacheFolder: folder, limits: { startDeadlineMs: 1, children: 1 } })
      const found = await store.facts([])
      expect(found.size).toBe(0)
      const facts = await store.facts([file, other])
      for (const value of facts.values()) expect(expected).toContain(JSON.stringify(value))
      await store.close()
    }
  })

  test('rubbish before, between and behind records does no harm', async () => {
    const folder = await filled()
    const pack = packOf(folder)
    const good = readFileSync(pack)
    writeFileSync(pack, Buffer.concat([Buffer.from('SIf1 SIf1 rubbish'), good]))
    appendFileSync(pack, 'SIf1')
    expect((await readOnly(folder).facts([file, other])).size).toBe(2)
  })

  test('files of other versions go when nobody has written them for a month', async () => {
    const folder = await filled()
    const [old, fresh] = ['facts-0-0.0.1.pack', 'facts-0-0.0.2.pack'].map((name) => join(folder, name))
    for (const path of [old ?? '', fresh ?? '']) writeFileSync(path, 'other version')
    utimesSync(old ?? '', 1, 1)
    await openStore({ cacheFolder: folder }).facts([])
    expect(readdirSync(folder)).toHaveLength(2)
    expect(readdirSync(folder)).toContain('facts-0-0.0.2.pack')
  })

  test('a folder that cannot be used is no reason to fail', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    const facts = await openStore({ cacheFolder: join(folder, 'file', 'deeper') }).facts([file])
    expect(facts.size).toBe(1)
  })
})

test('of a store that is lent each reader hears of its own failures, and closing one leaves the others open', async () => {
  const store = openStore()
  const bad = { path: 'src/a.ts', blob: '1'.repeat(40), text: '('.repeat(100_000) }
  const good = { path: 'src/a.ts', blob: '2'.repeat(40), text: 'export const a = 1\n' }
  const [first, second, third] = [lendFacts(store), lendFacts(store), lendFacts(store)]

  expect((await first.facts([bad])).size).toBe(0)
  expect(first.failures.map(({ path }) => path)).toEqual(['src/a.ts'])
  await first.close()

  expect((await second.facts([good])).get('src/a.ts')?.symbols.map(({ name }) => name)).toEqual(['a'])
  expect(second.failures).toEqual([])
  // What is known to fail is not parsed again, and told again.
  expect((await third.facts([bad])).size).toBe(0)
  expect(third.failures).toHaveLength(1)
})
