/** Small symbols are matched by their position, in linear time however many one file has. */
import { expect, test } from 'vitest'
import { matchPlaces } from '../../../../src/pipeline/diff/symbols/match-content.ts'
import { Matching, type SideSymbol } from '../../../../src/pipeline/diff/symbols/matching.ts'

/** Constants of one file, one below the other; only what this step reads of them. */
function constants(count: number, nameOf: (at: number) => string): SideSymbol[] {
  const sides = Array.from({ length: count }, (_, at) => ({
    file: 'a.ts',
    parent: null,
    previous: null,
    next: null,
    text: `${nameOf(at)} = ${at}`,
    symbol: { kind: 'constant', name: nameOf(at) },
  })) as unknown as SideSymbol[]
  for (const [at, side] of sides.entries()) {
    side.previous = sides[at - 1] ?? null
    side.next = sides[at + 1] ?? null
  }
  return sides
}

test('each is compared with what follows the partner of its neighbour', () => {
  const count = 2_000
  const matching = new Matching()
  const [before, after] = [constants(count, (at) => `old${at}`), constants(count, (at) => `new${at}`)]
  for (const [at, side] of before.entries()) {
    const now = after[at]
    matching.removed.add(side)
    if (now) matching.added.add(now)
  }
  // Every second one has kept its name.
  for (let at = 0; at < count; at += 2) {
    const [old, now] = [before[at], after[at]]
    if (old && now) matching.take(old, now)
  }
  let looks = 0
  const has = matching.added.has.bind(matching.added)
  matching.added.has = (side) => {
    looks++
    return has(side)
  }
  matchPlaces(matching)
  expect([matching.removed.size, matching.added.size]).toEqual([0, 0])
  expect(looks).toBeLessThan(count * 3)
})
