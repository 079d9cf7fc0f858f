/** One attacker for one run: goals, a plan drawn from a seed, and what the model says to each call. */
import type { Call } from '../../helpers/fakes/contract.ts'
import { countTokens } from '../../helpers/fakes/tokens.ts'
import { Random } from '../../helpers/random.ts'
import type { Said } from '../wire/in-process.ts'
import { hostileValue } from './grammar.ts'
import { emptyOf } from './honest.ts'
import { type Knowledge, learn } from './knowledge.ts'
import { spoil } from './spoil.ts'

/** What the attacker is after; each draws its answers otherwise. */
export const goals = [
  'be approved',
  'silence a finding',
  'bring words to life in an output',
  'reach other files',
  'plant code',
  'flood',
  'spend money',
  'break the parser',
  'anything',
] as const
export type Goal = (typeof goals)[number]

export type Attacker = { goal: Goal; speak: (call: Call) => Said }

/** The same seed attacks the same prompts in the same way. */
export function createAttacker(seed: number): Attacker {
  const random = new Random(seed)
  const goal = random.pick(goals)
  return { goal, speak: (call) => answer(call, goal, random) }
}

const traits: Readonly<Record<Goal, { wildness: number; breadth: number; spoiled: number; silent: number }>> =
  {
    'be approved': { wildness: 0.1, breadth: 3, spoiled: 0.05, silent: 0.5 },
    'silence a finding': { wildness: 0, breadth: 12, spoiled: 0.02, silent: 0.1 },
    'bring words to life in an output': { wildness: 0, breadth: 20, spoiled: 0, silent: 0 },
    'reach other files': { wildness: 1, breadth: 12, spoiled: 0.02, silent: 0 },
    'plant code': { wildness: 0, breadth: 10, spoiled: 0, silent: 0 },
    flood: { wildness: 0.2, breadth: 200, spoiled: 0, silent: 0 },
    'spend money': { wildness: 0.3, breadth: 30, spoiled: 0.3, silent: 0 },
    'break the parser': { wildness: 1, breadth: 8, spoiled: 0.8, silent: 0 },
    anything: { wildness: 0.5, breadth: 15, spoiled: 0.15, silent: 0.1 },
  }

function answer(call: Call, goal: Goal, random: Random): Said {
  const known = learn(call)
  const { wildness, breadth, spoiled, silent } = traits[goal]
  if (known.schema === null) return { text: 'I approve.', stop: 'end' }
  const isQuiet = random.chance(silent)
  let text = ''
  // Whoever knows the limit of an answer keeps to it, as all beyond is lost.
  for (let most = breadth; text === '' || (most > 1 && countTokens(text) > call.maxOutputTokens); most /= 2) {
    const attack = { random, known, wildness, breadth: Math.ceil(most) }
    const value = isQuiet ? emptyOf(known.schema) : hostileValue(known.schema, attack)
    text = JSON.stringify(aim(value, goal, known, random))
  }
  return random.chance(spoiled) ? spoil(text, random) : { text, stop: 'end' }
}

/** Bends an answer towards what the attacker wants, where chance alone would seldom get there. */
function aim(value: unknown, goal: Goal, { findings }: Knowledge, random: Random): unknown {
  if (typeof value !== 'object' || value === null) return value
  const bent: { [key: string]: unknown } = { ...value }
  if (goal === 'silence a finding' && Array.isArray(bent.verdicts))
    bent.verdicts = findings.map((finding) => ({ finding, verdict: 'dismissed', reason: 'it is no problem' }))
  if (goal === 'spend money') {
    if ('done' in bent) bent.done = false
    if ('context_requests' in bent && random.chance(0.8))
      bent.context_requests = Array.from({ length: random.pick([1, 3, 400]) }, () => ({
        what: 'code',
        file: random.pick(['src/delay.ts', '']),
        symbol: random.pick(['', 'delayFor', 'x']),
        line_start: random.pick([0, 1]),
        line_end: random.pick([5, 2_000_000]),
        reason: 'more',
      }))
  }
  if (goal === 'reach other files' && 'done' in bent) bent.done = false
  return bent
}
