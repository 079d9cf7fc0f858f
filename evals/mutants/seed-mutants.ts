/** Plants faults in the changes of a world: a few of each kind, chosen by the seed, each beside its clean twin. */
import { seededRandom } from '../scores/random.ts'
import type { World } from '../worlds/parse-world.ts'
import type { Mutant } from './contract.ts'
import { operators } from './registry.ts'

/** At most so many of one kind in one world. */
const mostOfAKind = 2

/** The same world and seed give the same mutants. */
export function seedMutants(world: World, seed: number): Mutant[] {
  return operators.flatMap((operator, at) => {
    const random = seededRandom(seed + at * 7919 + world.name.length * 104_729)
    const all = world.commits.flatMap(({ files, touched }, change) => {
      const before = world.commits[change - 1]?.files
      if (!before) return []
      const mutations = operator.mutate({ before, after: files, touched, random })
      return mutations.length > 0 ? [{ change, mutations }] : []
    })
    // From different changes, so that one long file does not make up the set.
    return shuffled(all, random)
      .slice(0, mostOfAKind)
      .flatMap(({ change, mutations }) =>
        shuffled(mutations, random)
          .slice(0, 1)
          .map((mutation) => ({ operator, mutation, change })),
      )
  })
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
