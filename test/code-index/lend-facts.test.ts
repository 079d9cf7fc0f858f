/** A store that is lent: the same facts, failures apart, and nothing closed. */
import { expect, onTestFinished, test } from 'vitest'
import { createFactStore, lendFacts } from '../../src/code-index/fact-store.ts'

test('each reader hears of its own failures, and closing one leaves the other open', async () => {
  const store = createFactStore({ cacheFolder: null })
  onTestFinished(() => store.close())
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
