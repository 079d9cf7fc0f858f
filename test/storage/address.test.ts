/** A run by name, part, `last` and place, and one call in it by address. */
import { expect, test } from 'vitest'
import { findRun } from '../../src/storage/runs/stored-run.ts'
import { answer, beginRun, newStore, request } from './run-world.ts'

test('a place is its newest run, and what stands behind it is an address', async () => {
  const store = newStore()
  const at = (place: string, minute: number) =>
    beginRun(store, { place }, { now: new Date(Date.UTC(2026, 10, 21, 6, minute)) })
  await at('local/shop/1a2b3c', 1)
  const second = await at('local/shop/1a2b3c', 2)
  const other = await at('acme/shop/12', 3)
  await other.record(request('x', { address: 'explore/iter-2' }), answer('X'))
  const found = async (asked: string) => {
    const { run, address } = await findRun(store, asked)
    return [run.header.run, address]
  }
  expect(await found('local/shop/1a2b3c')).toEqual([second.run, null])
  expect(await found('local/shop/1a2b3c/quick/group-1/review')).toEqual([second.run, 'quick/group-1/review'])
  expect(await found('acme/shop/12/explore/iter-2')).toEqual([other.run, 'explore/iter-2'])
  expect(await found('last')).toEqual([other.run, null])
  expect(await found('last/iter-2')).toEqual([other.run, 'iter-2'])
  expect(await found(`${second.run}/quick`)).toEqual([second.run, 'quick'])
  for (const unknown of ['acme/shop/1', 'local/shop', 'nowhere', 'a/b', '/'])
    await expect(findRun(store, unknown), unknown).rejects.toThrow(/no run/)
})
