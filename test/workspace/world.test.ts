/** A small sample of the generated world of `bench/workspace`: every kind finds who else breaks, and is silent otherwise. */
import { expect, test } from 'vitest'
import { allScenes } from '../../bench/workspace/contracts.ts'
import { measureWorld, type Outcome } from '../../bench/workspace/measure.ts'
import { contractKinds } from '../../src/workspace/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { isWhole, seed } from '../helpers/matrix.ts'

/** One breaking and one compatible change of each kind, and by default of every other kind. */
const each = 1

test('a generated world of twelve repositories: what breaks elsewhere is found, and nothing else', async () => {
  const all = contractKinds.map(({ kind }) => kind)
  const kinds = new Set(all.filter((_, at) => isWhole || (at + seed) % 2 === 0))
  const outcomes = await measureWorld(allScenes, 20_261_129, each, kinds, temporaryFolder())
  expect(outcomes).toHaveLength(2 * each * kinds.size)
  const count = (of: readonly Outcome[], what: 'found' | 'missed' | 'wrong') =>
    of.reduce((sum, one) => sum + one[what].length, 0)
  for (const [kind, own] of Map.groupBy(outcomes, ({ change }) => change.kind)) {
    expect(count(own, 'missed'), `places of ${kind} that were missed`).toBeLessThanOrEqual(1)
    expect(count(own, 'wrong'), `false places of ${kind}`).toBe(0)
  }
  const found = count(outcomes, 'found')
  expect(found / (found + count(outcomes, 'missed'))).toBeGreaterThanOrEqual(0.9)
})
