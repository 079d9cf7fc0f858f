/** How far a question about a name is followed: modules that pass each other on have more ways than anybody walks. */
import type { Hop, World } from './contract.ts'

/** Look-ups for one question, on all of its ways together. */
export const mostLookUps = 1_000
/** By the hop that a question begins with, which all of its ways share. */
const lookUps = new WeakMap<Hop, number>()
/** Where the questions began that were given up, each once. */
const lost = new WeakMap<World, Map<string, Hop>>()

/** Counts one more look-up of the question that these hops belong to: whether it is one too many. */
export function isLost(world: World, [first]: readonly Hop[]): boolean {
  if (!first) return false
  const taken = (lookUps.get(first) ?? 0) + 1
  lookUps.set(first, taken)
  if (taken <= mostLookUps) return false
  if (taken === mostLookUps + 1) {
    const given = lost.get(world) ?? new Map<string, Hop>()
    lost.set(world, given.set(`${first.path}\n${first.name}`, first))
  }
  return true
}

/** Names that were not looked up to the end in this world so far, with the module that was asked for each, in order. */
export function lostNames(world: World): Hop[] {
  return [...(lost.get(world) ?? [])].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, hop]) => hop)
}
