/** Which step a scripted model takes next: the first one whose condition holds and which is not used up. */

import type { z } from 'zod'
import type { Call } from '../contract.ts'
import { type ScenarioFile, ScenarioStep } from './schema.ts'

/** A step written in code: as in a file, or with an answer computed from the call. */
export type CodedStep = z.input<typeof ScenarioStep> & {
  /** A string is sent as it stands, anything else as JSON. Goes before `value` and `text`. */
  answerFrom?: (call: Call) => unknown
  /** A condition in code, beside `when`. */
  if?: (call: Call) => boolean
  /** The answer is held back until then. */
  heldUntil?: Promise<unknown>
}

export type Scenario = Omit<z.input<typeof ScenarioFile>, 'about' | 'steps'> & {
  about?: string
  steps: readonly CodedStep[]
}

export type TakenStep = { step: ScenarioStep } & Pick<CodedStep, 'answerFrom' | 'heldUntil'>

export class Script {
  private readonly steps: { step: ScenarioStep; coded: CodedStep; taken: number }[]

  constructor(steps: readonly CodedStep[]) {
    this.steps = steps.map((coded) => {
      const { answerFrom, if: condition, heldUntil, ...plain } = coded
      return { step: ScenarioStep.parse(plain), coded, taken: 0 }
    })
  }

  /** Null when no step is left for this call. */
  take(call: Call): TakenStep | null {
    for (const entry of this.steps) {
      const { step, coded } = entry
      if (step.times !== 'always' && entry.taken >= step.times) continue
      if (!holds(step.when, call) || coded.if?.(call) === false) continue
      entry.taken += 1
      return { ...coded, step }
    }
    return null
  }

  /** Steps that a test wrote down and nobody took, by their place from 0. */
  untaken(): number[] {
    return this.steps.flatMap((entry, index) => (entry.taken === 0 ? [index] : []))
  }
}

function holds(when: ScenarioStep['when'], call: Call): boolean {
  if (!when) return true
  const words = when.contains === undefined ? [] : [when.contains].flat()
  return (
    words.every((word) => call.prompt.includes(word)) &&
    (when.lastTurnContains === undefined || call.lastTurn.includes(when.lastTurnContains)) &&
    (when.model === undefined || call.model === when.model) &&
    (when.schema === undefined || call.schema?.name === when.schema) &&
    (when.stream === undefined || call.stream === when.stream)
  )
}
