/**
 * Thousands of citations with the errors that models make, over random changes. Whatever
 * survives must be on the line that was meant, and of the recoverable ones nearly all should.
 * SIGHTLINE_FUZZ_SEED and SIGHTLINE_FUZZ_RUNS choose other citations, and more.
 */
import { expect, test } from 'vitest'
import { openValidationContext } from '../../../src/pipeline/validation/validate.ts'
import { Random } from '../../helpers/random.ts'
import { randomEdit, randomFile } from './random-code.ts'
import { type Count, emptyCounts, type Fault, simulate } from './simulate-citations.ts'
import { createWorld, inputOf } from './world.ts'

const seed = Number(process.env.SIGHTLINE_FUZZ_SEED ?? 20_261_121)
const cites = Number(process.env.SIGHTLINE_FUZZ_RUNS ?? 3_000)

function randomWorld(random: Random) {
  const paths = ['a.ts', 'b.ts', 'c.ts'].slice(0, random.between(1, 3))
  const before = paths.map((path) => [path, randomFile(random, random.between(5, 40))] as const)
  const join = (files: readonly (readonly [string, string[]])[]) =>
    Object.fromEntries(files.map(([path, lines]) => [path, `${lines.join('\n')}\n`]))
  return createWorld(
    join(before),
    join(before.map(([path, lines]) => [path, randomEdit(random, lines, random.between(1, 8))])),
  )
}

test(`of ${cites} spoilt citations every survivor is on the right line (seed ${seed})`, async () => {
  const random = new Random(seed)
  const counts = emptyCounts()
  const faults: Fault[] = []
  const sum = (key: keyof Count) => [...counts.values()].reduce((total, count) => total + count[key], 0)
  while (sum('cites') < cites) {
    const world = randomWorld(random)
    const bench = openValidationContext(inputOf(world, { planes: ['reviewer'] }))
    faults.push(...(await simulate(world.change, bench, 10, random, counts)))
  }
  const share = sum('recovered') / sum('recoverable')
  console.table(Object.fromEntries(counts))
  console.log(
    `seed ${seed}: ${(share * 100).toFixed(2)} % of ${sum('recoverable')} recoverable ones survived`,
  )
  expect(faults).toEqual([])
  expect(sum('wrong')).toBe(0)
  for (const [kind, count] of counts) expect(count.cites, kind).toBeGreaterThan(cites / 200)
  expect(share).toBeGreaterThanOrEqual(0.95)
})
