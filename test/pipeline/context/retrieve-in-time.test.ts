/** What was found before the time was over is kept; what nobody looked for is named. */
import { expect, test } from 'vitest'
import {
  type Passage,
  type PassageLists,
  passageLists,
} from '../../../src/pipeline/context/retrieval/contract.ts'
import { fusePassages, retrieveInTime } from '../../../src/pipeline/context/retrieval/retrieve-graph.ts'

const passage = (path: string): Passage => ({ path, startLine: 1, endLine: 9, title: 'x' })
const none = Object.fromEntries(passageLists.map((list) => [list, []])) as unknown as PassageLists
const { signal } = new AbortController()
const forever = () => new Promise<never>(() => {})

test('a retrieval that ends in time is told as it is', async () => {
  const whole = { lists: none, passages: [], cuts: ['x'] }
  expect(await retrieveInTime(5, signal, async () => whole)).toBe(whole)
})

test('one that hangs gives the lists it had, fused, and names the others', async () => {
  const { lists, passages, cuts } = await retrieveInTime(0.05, signal, async (keep) => {
    keep('siblings', [passage('a.ts')])
    keep('used', [passage('b.ts')])
    return await forever()
  })
  expect(lists).toEqual({ ...none, siblings: [passage('a.ts')], used: [passage('b.ts')] })
  expect(passages).toEqual(fusePassages(lists))
  expect(cuts).toEqual([
    'the time for the graph ran out',
    'not searched: callers, tests, neighbours, look-alikes',
  ])
})

test('shortly before the end work is told to come to one, so that half a list is not lost', async () => {
  const whole = { lists: none, passages: [], cuts: ['stopped by itself'] }
  const told = await retrieveInTime(1, signal, async (_, isOutOfTime) => {
    while (!isOutOfTime()) await new Promise((done) => setTimeout(done, 10))
    return whole
  })
  expect(told).toBe(whole)
})

test('a failure stays one, and an abort is not taken for the end of the time', async () => {
  const failing = () => Promise.reject(new Error('no such tree'))
  await expect(retrieveInTime(5, signal, failing)).rejects.toThrow('no such tree')
  const stop = new AbortController()
  const running = retrieveInTime(5, stop.signal, forever)
  stop.abort(new Error('stopped'))
  await expect(running).rejects.toThrow('stopped')
})
