/** The search index on disk: the same answers as without one, whatever happens to the files. */
import { fork } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { IndexStore } from '../../../src/code-index/contract.ts'
import type { SearchAnswer } from '../../../src/code-index/search/contract.ts'
import { openCodeSearch } from '../../../src/code-index/search/search.ts'
import type { RepoSnapshot } from '../../../src/domain/snapshot.ts'
import { createRepo, type Files, type TestRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { headOf } from '../../helpers/head-of.ts'
import { drawn } from '../../helpers/matrix.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

const queries = ['read price', 'parsePrice', 'cart total', 'notes about prices', 'apply_discount', '']

/** Counts what is read as text. */
function countingStore(): IndexStore & { asked: string[] } {
  const store = sharedFacts()
  onTestFinished(() => store.close())
  const asked: string[] = []
  return {
    asked,
    ...store,
    async readings(...question) {
      const found = await store.readings(...question)
      asked.push(...found.keys())
      return found
    },
    get failures() {
      return store.failures
    },
    close: () => store.close(),
  }
}

async function ask(
  snapshot: RepoSnapshot,
  cacheFolder: string | null,
): Promise<{ answers: SearchAnswer[]; parsed: string[] }> {
  const store = countingStore()
  const search = await openCodeSearch(snapshot, store, { cacheFolder })
  const answers: SearchAnswer[] = []
  for (const query of queries) answers.push(await search.search(query, 10))
  return { answers, parsed: store.asked.sort() }
}

function shop(): Files {
  const more = Object.fromEntries(
    Array.from({ length: 16 }, (_, at) => [
      `src/items/item${at}.py`,
      `class Item${at}:\n    def price(self):\n        return ${at}\n\n    def name(self):\n        return "item"\n`,
    ]),
  )
  return {
    ...more,
    'src/prices.ts':
      '/** Reads a price. */\nexport function parsePrice(text: string): number {\n  return Number(text)\n}\n',
    'src/cart/discount.py': 'def apply_discount(total, percent):\n    return total * (100 - percent) / 100\n',
    'src/cart/copy.py': 'def apply_discount(total, percent):\n    return total * (100 - percent) / 100\n',
    'docs/prices.md': '# Prices\n\nNotes about prices, and about the total of a cart.\n',
    'empty.txt': '',
    'one.bin': new Uint8Array(9),
  }
}

function shopRepo(): TestRepo {
  const repo = createRepo()
  repo.commit(shop())
  return repo
}

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name) && name.endsWith(ending))
    .map((name) => join(folder, name))
    .sort()
}

test('a second process reads no file of the tree, and answers alike', async () => {
  const snapshot = await headOf(shopRepo())
  const cache = temporaryFolder()
  const without = await ask(snapshot, null)
  const first = await ask(snapshot, cache)
  const second = await ask(snapshot, cache)
  expect([first.answers, second.answers]).toEqual([without.answers, without.answers])
  expect(first.parsed).toHaveLength(20)
  expect(second.parsed).toEqual([])
})

test('a push cuts only the blobs that are new; branches share; moves cost nothing', async () => {
  const repo = shopRepo()
  const cache = temporaryFolder()
  await ask(await headOf(repo), cache)
  repo.commit({
    'src/prices.ts': 'export const price = 1\n',
    'docs/prices.md': null,
    'docs/old/prices.md': '# Prices\n\nNotes about prices, and about the total of a cart.\n',
  })
  const pushed = await headOf(repo)
  const after = await ask(pushed, cache)
  expect(after.parsed).toEqual(['src/prices.ts'])
  expect(after.answers).toEqual((await ask(pushed, null)).answers)
  expect((await ask(await headOf(repo, 'HEAD~1'), cache)).parsed).toEqual([])
})

test('many pushes: small segments are merged, and answers stay those of a fresh index', async () => {
  const repo = shopRepo()
  const cache = temporaryFolder()
  for (let push = 0; push < 12; push++) {
    repo.commit({
      [`src/items/item${push}.py`]: `def discount_${push}(total):\n    return total - ${push}\n`,
    })
    await ask(await headOf(repo), cache)
  }
  const snapshot = await headOf(repo)
  const kept = await ask(snapshot, cache)
  expect([kept.parsed, kept.answers]).toEqual([[], (await ask(snapshot, null)).answers])
  const trees = filesIn(cache, '.tree')
  const newest = readFileSync(join(cache, readdirSync(cache)[0] ?? '', 'trees', `${snapshot.tree}.tree`))
  expect(trees.length).toBe(12)
  expect(newest.toString('latin1').match(/[0-9a-f]{32}\.seg/g)?.length ?? 0).toBeLessThan(10)
})

test('torn, flipped, emptied and missing files are made again', async () => {
  const snapshot = await headOf(shopRepo())
  const { answers } = await ask(snapshot, null)
  const harms: ((path: string) => void)[] = [
    (path) => truncateSync(path, 40),
    (path) => truncateSync(path, 0),
    (path) => rmSync(path),
    (path) => {
      const bytes = readFileSync(path)
      const at = Math.floor(bytes.length * 0.7)
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x55, at)
      writeFileSync(path, bytes)
    },
  ]
  for (const ending of ['.seg', '.tree'])
    for (const harm of harms) {
      const cache = temporaryFolder()
      await ask(snapshot, cache)
      for (const path of filesIn(cache, ending)) harm(path)
      const mended = await ask(snapshot, cache)
      expect(mended.answers, ending).toEqual(answers)
      expect(mended.parsed.length > 0, ending).toBe(ending === '.seg')
      expect((await ask(snapshot, cache)).parsed).toEqual([])
    }
})

test('files of a newer version are not read, and its folder is left alone', async () => {
  const snapshot = await headOf(shopRepo())
  const cache = temporaryFolder()
  await ask(snapshot, cache)
  const [ours = ''] = readdirSync(cache)
  const newer = join(cache, 'search-99-1')
  cpSync(join(cache, ours), newer, { recursive: true })
  const files = [...filesIn(cache, '.seg'), ...filesIn(cache, '.tree')]
  for (const path of files) {
    const bytes = readFileSync(path)
    bytes.writeUInt32LE(99, 4)
    writeFileSync(path, bytes)
  }
  const before = filesIn(newer, '').map((path) => readFileSync(path, 'latin1'))
  expect((await ask(snapshot, cache)).parsed).toHaveLength(20)
  expect(filesIn(newer, '').map((path) => readFileSync(path, 'latin1'))).toEqual(before)
})

test('what nobody has used for a month goes, and what a killed process left half written', async () => {
  const repo = shopRepo()
  const cache = temporaryFolder()
  await ask(await headOf(repo), cache)
  const [segment = ''] = filesIn(cache, '.seg')
  const [tree = ''] = filesIn(cache, '.tree')
  const half = `${segment}.1.0a.draft`
  writeFileSync(half, 'half')
  const longAgo = Date.now() / 1000 - 31 * 24 * 3600
  for (const path of [segment, tree, half]) utimesSync(path, longAgo, longAgo)
  repo.commit({ 'src/items/item1.py': 'x = 1\n' })
  await ask(await headOf(repo), cache)
  expect(filesIn(cache, '.tree')).not.toContain(tree)
  expect(filesIn(cache, '.draft')).toEqual([])
  // The segment was of use again, and so is young.
  expect(filesIn(cache, '.seg')).toContain(segment)
})

test('a folder that cannot be written: the answer is the same, and says so', async () => {
  const snapshot = await headOf(shopRepo())
  const blocked = join(temporaryFolder(), 'file')
  writeFileSync(blocked, '')
  const { answers } = await ask(snapshot, blocked)
  const without = (await ask(snapshot, null)).answers
  expect(answers.map(({ hits }) => hits)).toEqual(without.map(({ hits }) => hits))
  expect(answers[0]?.limits.at(-1)).toContain('could not be saved to disk')
})

test('killed at any moment, and two at once: the next process has a whole index', async () => {
  const repo = shopRepo()
  const cache = temporaryFolder()
  const { answers } = await ask(await headOf(repo), null)
  const script = join(import.meta.dirname, 'search-in-child.ts')
  for (const killAfterMs of drawn([500, 60, 200, 350, 700, 900])) {
    const children = [0, 1].map(() => fork(script, [repo.path, cache], { stdio: 'ignore' }))
    await new Promise((done) => setTimeout(done, killAfterMs))
    for (const child of children) child.kill('SIGKILL')
  }
  const other = fork(script, [repo.path, cache], { stdio: 'ignore' })
  const ended = new Promise<number | null>((done) => other.on('exit', done))
  const meanwhile = await ask(await headOf(repo), cache)
  expect([await ended, meanwhile.answers]).toEqual([0, answers])
  const after = await ask(await headOf(repo), cache)
  expect([after.parsed, after.answers]).toEqual([[], answers])
})
