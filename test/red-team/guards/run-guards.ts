/** Each guard taken away in turn, until one of its attacks violates what it keeps. */
import type { Invariant } from '../invariants/contract.ts'
import type { Judgement } from '../play.ts'
import { type BuiltWorlds, worldNames } from '../world/open-worlds.ts'
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
    const ownOf = ({ violations }: Pick<Judgement, 'violations'>) =>
      violations.filter(({ invariant }) => keeps.includes(invariant))
    const isNoticed = (one: Judgement) => ownOf(one).length > 0
    const judged: Judgement[] = []
    for (const world of worldNames) {
      if (judged.some(isNoticed)) break
      const worlds = await harness.openWorlds(built, { cacheOf: name, names: [world] })
      judged.push(...(await harness.playWorstCases(worlds, { named: attacks, until: isNoticed })))
      await Promise.all(worlds.map(({ stage }) => stage.close()))
    }
    await harness.closeSharedFacts()
    const violations = judged.flatMap((one) => one.violations)
    const own = ownOf({ violations })
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
