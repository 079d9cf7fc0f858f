/** Runs of the harness one after the other, each judged as it ends. */
import { Random } from '../helpers/random.ts'
import { createAttacker } from './attacker/attacker.ts'
import { budgets, worstCases } from './attacker/worst-cases.ts'
import type { Violation } from './invariants/contract.ts'
import { judge } from './invariants/registry.ts'
import { depths, type World } from './world/open-worlds.ts'
import type { Script } from './world/stage.ts'

export type RunName = { world: string; depth: Script['depth']; attack: string; seed: number }
export type Judgement = RunName & {
  violations: Violation[]
  findings: number
  ofModels: number
  calls: number
}

/** The deeper, the dearer: most runs are quick, and enough are not. */
const mix = ['quick', 'quick', 'standard', 'deep'] as const

/** One run drawn from its seed: the world, the depth, the budget and the attacker all follow from it. */
export async function playSeed(worlds: readonly World[], seed: number): Promise<Judgement> {
  const random = new Random(seed)
  const world = random.chance(0.8) ? worlds[0] : worlds[1]
  if (!world) throw new Error('there is no world to play in')
  const depth = random.pick(mix)
  const budgetUsd = random.chance(0.15) ? random.next() * 0.2 : 5
  const attacker = createAttacker(random.between(0, 2 ** 31))
  return await playScript(world, { speak: attacker.speak, depth, budgetUsd }, attacker.goal, seed)
}

export type WorstCases = {
  /** Beginnings of names; all when empty. */
  named?: readonly string[]
  /** At most so many, drawn by the seed. */
  most?: number
  seed?: number
  /** Ends with the first run of which this is true. */
  until?: (judgement: Judgement) => boolean
}

/** Worst cases at every depth, in the hostile world and in the plain one. */
export async function playWorstCases(
  worlds: readonly World[],
  { named = [], most = Number.POSITIVE_INFINITY, seed = 0, until = () => false }: WorstCases = {},
): Promise<Judgement[]> {
  const random = new Random(seed)
  const chosen = worlds
    .flatMap((world) =>
      depths.flatMap((depth) => Object.keys(worstCases).map((name) => ({ world, depth, name }))),
    )
    .filter(({ name }) => named.length === 0 || named.some((beginning) => name.startsWith(beginning)))
    .map((one) => ({ ...one, at: most === Number.POSITIVE_INFINITY ? 0 : random.next() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
  const done: Judgement[] = []
  for (const { world, depth, name } of chosen) {
    const speak = worstCases[name]
    if (!speak) continue
    const played = await playScript(world, { speak: speak(), depth, budgetUsd: budgets[name] ?? 5 }, name, 0)
    done.push(played)
    if (until(played)) break
  }
  return done
}

export async function playScript(
  world: World,
  script: Script,
  attack: string,
  seed: number,
): Promise<Judgement> {
  const named = { world: world.name, depth: script.depth, attack, seed }
  try {
    const played = await world.stage.play(script)
    const { findings } = played.review
    return {
      ...named,
      violations: judge(played, world.judged),
      findings: findings.length,
      ofModels: findings.filter(({ byModel }) => byModel).length,
      calls: played.exchanges.length,
    }
  } catch (error) {
    const what = `the run broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    return {
      ...named,
      violations: [{ invariant: 'I6', what: what.slice(0, 600) }],
      findings: 0,
      ofModels: 0,
      calls: 0,
    }
  }
}
