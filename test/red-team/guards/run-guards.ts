/** Each guard taken away in turn: how many violations its attacks then make, and whether they are of its invariants. */
import type { Invariant } from '../invariants/contract.ts'
import type { BuiltWorlds } from '../world/open-worlds.ts'
import { takeAway } from './loader.ts'
import { type Guard, guards } from './registry.ts'

export type GuardOutcome = {
  guard: string
  keeps: readonly Invariant[]
  violations: number
  /** Of the invariants that it keeps. */
  ofItsOwn: number
  runs: number
  example: string
}

type Harness = {
  openWorlds: typeof import('../world/open-worlds.ts').openWorlds
  playWorstCases: typeof import('../play.ts').playWorstCases
  closeSharedFacts: typeof import('../../helpers/shared-facts.ts').closeSharedFacts
}

export async function runGuards(
  built: BuiltWorlds,
  wanted: readonly Guard[] = guards,
  onOutcome: (outcome: GuardOutcome) => void = () => {},
): Promise<GuardOutcome[]> {
  const outcomes: GuardOutcome[] = []
  for (const guard of wanted) {
    const outcome = await runWithout(guard, built)
    outcomes.push(outcome)
    onOutcome(outcome)
  }
  return outcomes
}

async function runWithout(
  { name, module, replacement, keeps, attacks }: Guard,
  built: BuiltWorlds,
): Promise<GuardOutcome> {
  const { suffix, restore } = takeAway(name, `src/${module}`, `test/red-team/guards/off/${replacement}`)
  try {
    const harness: Harness = {
      ...(await import(`../world/open-worlds.ts${suffix}`)),
      ...(await import(`../play.ts${suffix}`)),
      ...(await import(`../../helpers/shared-facts.ts${suffix}`)),
    }
    const worlds = await harness.openWorlds(built, { cacheOf: name })
    const judged = await harness.playWorstCases(worlds, { named: attacks })
    await Promise.all(worlds.map(({ stage }) => stage.close()))
    await harness.closeSharedFacts()
    const violations = judged.flatMap((one) => one.violations)
    const own = violations.filter(({ invariant }) => keeps.includes(invariant))
    const [first] = own
    return {
      guard: name,
      keeps,
      violations: violations.length,
      ofItsOwn: own.length,
      runs: judged.length,
      example: first ? `${first.invariant}: ${first.what}` : '',
    }
  } finally {
    restore()
  }
}
