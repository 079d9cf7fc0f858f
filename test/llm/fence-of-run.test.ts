/** The token of a fence is new for each bundle, cannot be computed, and is the same again on a replay. */
import { expect, test } from 'vitest'
import { Untrusted } from '../../src/base/untrusted/untrusted.ts'
import type { ReviewContext } from '../../src/domain/review-context.ts'
import { changeRequestOf, openFence } from '../../src/llm/fence-of-run.ts'
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
  const known = '0123456789abcdef'
  for (const body of [`{"token":"${known}x"}`, `x{"token":"${known}"}`, `{"token":"${known}"}x`, 'known']) {
    for (const entry of journal.entries.values()) entry.answer.body = body
    const again = (await openFence(bundle, journal)).render(text)
    expect(again).not.toBe(first)
    expect(again).not.toContain(known)
  }
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

test('what is recorded is found by later versions: once under the bundle, once under the change request', async () => {
  const journal = memoryJournal()
  for (const hash of ['a', 'b', 'a']) await openFence(hash.repeat(64), journal, 'host 7 1')
  const kept = [...journal.entries.values()]
  expect(kept.map(({ request }) => request)).toEqual(
    [{ bundle: 'a'.repeat(64) }, { changeRequest: 'host 7 1' }, { bundle: 'b'.repeat(64) }].map((input) => ({
      ...{ kind: 'random', address: 'fence', purpose: 'fence' },
      input,
    })),
  )
  const [{ answer } = { answer: null }] = kept
  expect(answer).toEqual({
    ...{ status: 200, durationMs: 0, headers: { 'content-type': 'application/json' } },
    body: expect.stringMatching(/^\{"token":"[0-9a-f]{16}"\}$/),
  })
  expect(new Set(kept.map(({ answer: { body } }) => body)).size).toBe(1)
})

test('a change request is named by its host, repository and number; what is none has no name', () => {
  const nameOf = (request: object) => changeRequestOf({ request } as ReviewContext)
  const [repository, changeRequest] = [{ host: 'git.example.org', id: '7' }, { number: 4 }]
  expect(nameOf({ repository, changeRequest })).toBe('git.example.org 7 4')
  expect(nameOf({ repository, changeRequest: null })).toBeNull()
  expect(nameOf({ repository: null, changeRequest })).toBeNull()
})
