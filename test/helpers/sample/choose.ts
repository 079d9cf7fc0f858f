/** Which tests of a slow suite run when a sample is asked for: by a seed, and of every kind at least one where that is possible. */
import { createHash } from 'node:crypto'

/** `npm test` sets it. Suites that choose their own number of cases make it smaller then. */
export const isSample = process.env.SIGHTLINE_SAMPLE === '1'

/** Another one gives another sample: `SIGHTLINE_SEED=7 npm test`. */
export const sampleSeed = Number(process.env.SIGHTLINE_SEED ?? 20_261_122)

export type SampledTest = {
  /** Differs from that of every other test of the suite. */
  readonly name: string
  /** The outermost `describe` that it is in. */
  readonly kind: string
}

/** At most `most` tests: one of each kind, then a second one, and so on. The seed decides the order of kinds and of tests. */
export function sampleOf<Test extends SampledTest>(
  tests: readonly Test[],
  most: number,
  seed: number,
): Set<Test> {
  const kinds = [...Map.groupBy(tests, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    tests: shuffled(of, ({ name }) => `${kind} ${name}`, seed),
  }))
  const rounds = shuffled(kinds, ({ kind }) => kind, seed)
  const chosen = new Set<Test>()
  for (let round = 0; chosen.size < Math.min(most, tests.length); round++)
    for (const { tests } of rounds) {
      const test = tests[round]
      if (test !== undefined && chosen.size < most) chosen.add(test)
    }
  return chosen
}

/** By the hash of a name, so that a new test does not change which of the others are chosen first. */
function shuffled<Item>(items: readonly Item[], nameOf: (item: Item) => string, seed: number): Item[] {
  const order = new Map(items.map((item) => [item, hash(`${seed} ${nameOf(item)}`)]))
  return items.toSorted((one, other) => ((order.get(one) ?? '') < (order.get(other) ?? '') ? -1 : 1))
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
