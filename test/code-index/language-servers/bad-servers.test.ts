/** Servers that hang, crash, talk nonsense, flood and grow: each is ended, and the answer says what happened. */
import { expect, test } from 'vitest'
import type { Limits } from '../../../src/code-index/language-servers/contract.ts'
import { needs } from '../../helpers/needs/needs.ts'
import { openFake, places } from './open-servers.ts'

const files = { 'a.rb': 'def total\nend\n', 'b.rb': 'total\nx = total\n' }
const at = { path: 'a.rb', line: 1, column: 4 }
const uses = ['b.rb:1:0', 'b.rb:2:4']

/** Mode, the limits that matter, and what the answer says. */
const bad: readonly (readonly [string, Partial<Limits>, RegExp])[] = [
  ['hangs at initialize', { initializeMs: 100 }, /no answer to initialize within 100 ms/],
  // Never in the server's own words, which may quote what it has read.
  ['crashes at initialize', {}, /^it ended with code 3$/],
  ['refuses initialize', {}, /^initialize: error -32603$/],
  ['garbage', {}, /not the language server protocol/],
  ['huge', {}, /a message that is too large/],
  ['hangs', { requestMs: 100 }, /no answer to textDocument\/references within 100 ms/],
  ['crashes', {}, /it ended by SIGSEGV/],
  ['floods', { turnBytes: 8 * 2 ** 20 }, /it sent more than was asked for/],
  ['nonsense', {}, /its answer to textDocument\/references is not of the protocol/],
  ['refuses', {}, /^textDocument\/references: error -32000$/],
]

test.each(bad)('%s: the answer is silent and says why', async (mode, limits, why) => {
  const servers = await openFake(mode, files, limits)
  const answer = await servers.references(at)
  expect(answer).toMatchObject({ state: 'silent', found: [], why: expect.stringMatching(why) })
  // And again: it does not throw, and what has ended is not started again.
  expect((await servers.references(at)).state).toBe('silent')
  expect(servers.notes().filter((line) => line.startsWith('files')).length).toBeLessThanOrEqual(1)
})

test('closing does not wait for one that never comes up', async () => {
  const servers = await openFake('hangs at initialize', files)
  const answer = servers.references(at)
  await expect.poll(() => servers.notes()).not.toEqual([])
  await servers.close()
  expect((await answer).state).toBe('silent')
})

test('one that grows is ended at its cap', needs('Linux'), async () => {
  const servers = await openFake('grows', files, {}, { memoryMb: 300 })
  const { state, why } = await servers.references(at)
  expect({ state, why }).toEqual({ state: 'silent', why: 'it held more than 300 MB and was ended' })
})

test('answers that never agree are incomplete', async () => {
  const servers = await openFake('never agrees', files, { settleMs: 300 })
  const { state, why } = await servers.references(at)
  expect({ state, why }).toEqual({ state: 'incomplete', why: 'its answers still changed' })
})

// Its first answer is not believed; while it reports work it would agree twice on nothing; it waits for ours.
test.each(['incomplete first', 'progress', 'asks first'])('%s: all uses in the end', async (mode) => {
  const answer = await (await openFake(mode, files)).references(at)
  expect([answer.state, places(answer)]).toEqual(['complete', uses])
})

test('places outside the snapshot are counted and not told, doubles are told once', async () => {
  const servers = await openFake('outside', files)
  const answer = await servers.references(at)
  expect(places(answer)).toEqual(uses)
  expect(answer.outside).toBe(1)
  expect(await servers.definition(at)).toMatchObject({ state: 'complete', found: [], outside: 1 })
})

test('symbols of a wrong shape are no symbols', async () => {
  const servers = await openFake('good', files)
  expect(await servers.symbols('a.rb')).toMatchObject({ state: 'silent', found: [] })
  expect(await servers.callers(at)).toMatchObject({ state: 'silent', found: [] })
})

test('no server for a language, or none there: silent, with the reason', async () => {
  const servers = await openFake('good', files, {}, { enabled: false })
  expect(await servers.references(at)).toMatchObject({
    source: null,
    state: 'silent',
    why: 'fake: it is switched off in the settings',
  })
  expect(await servers.references({ ...at, path: 'x.zig' })).toMatchObject({ state: 'silent' })
  expect(await servers.references({ ...at, path: 'no.rb' })).toMatchObject({ state: 'silent' })
})
