/** The token of a fence is new for each bundle, cannot be computed, and is the same again on a replay. */
import { expect, test } from 'vitest'
import { Untrusted } from '../../src/base/untrusted/untrusted.ts'
import { openFence } from '../../src/llm/fence-of-run.ts'
import { memoryJournal } from './memory-journal.ts'

const bundle = 'a'.repeat(64)
const text = new Untrusted('diff', 'x')

test('two runs without a record have two tokens for one bundle', async () => {
  const [one, two] = [await openFence(bundle, null), await openFence(bundle, null)]
  expect(one.render(text)).not.toBe(two.render(text))
})

test('a replay has the token of the run, another bundle has another', async () => {
  const journal = memoryJournal()
  const first = (await openFence(bundle, journal)).render(text)
  expect((await openFence(bundle, journal.replay())).render(text)).toBe(first)
  expect((await openFence('b'.repeat(64), journal)).render(text)).not.toBe(first)
  await expect(openFence('c'.repeat(64), journal.replay())).rejects.toThrow()
})

test('a token that was tampered with is not taken', async () => {
  const journal = memoryJournal()
  const first = (await openFence(bundle, journal)).render(text)
  for (const entry of journal.entries.values()) entry.answer.body = '{"token":"known to the attacker"}'
  const again = (await openFence(bundle, journal)).render(text)
  expect(again).not.toBe(first)
  expect(again).not.toContain('known')
})

test('the heads of one change request share a token, which a replay finds without it; others have another', async () => {
  const journal = memoryJournal()
  const open = async (hash: string, change: string | null) =>
    (await openFence(hash.repeat(64), journal, change)).render(text)
  const first = await open('a', 'host 7 1')
  expect(await open('b', 'host 7 1')).toBe(first)
  expect((await openFence('b'.repeat(64), journal.replay())).render(text)).toBe(first)
  expect(await open('c', 'host 7 2')).not.toBe(first)
  expect(await open('d', null)).not.toBe(first)
})
