/**
 * The checks of validation, in the order in which candidates meet them. Each can be left out, to measure what it is
 * worth: never for a review that anybody acts on.
 */
import { UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { placeSteps } from './anchor/also-at.ts'
import { anchorSteps } from './anchor/anchor-step.ts'
import { evidenceSteps } from './check-evidence.ts'
import { claimSteps } from './claims/check-claims.ts'
import { type CandidateState, drop, type StepResult, type ValidationStep } from './contract.ts'
import { type TogetherStep, togetherSteps } from './settle.ts'
import { shapeSteps } from './shape.ts'
import { suggestionSteps } from './suggestion/check-suggestion.ts'
import { editSteps } from './suggestion/place-edits.ts'

export const validationSteps: readonly ValidationStep[] = [
  ...shapeSteps,
  { name: 'withdrawn', step: 'refutation', run: checkWithdrawn },
  ...anchorSteps,
  ...evidenceSteps,
  ...placeSteps,
  ...claimSteps,
  ...editSteps,
  ...suggestionSteps,
]

/** The checks of one candidate by itself, then those of all findings together. */
export type Checks = { each: readonly ValidationStep[]; together: readonly TogetherStep[] }

export const allChecks: Checks = { each: validationSteps, together: togetherSteps }

/** Required to publish at all: a candidate must be readable and have a line. */
const required: ReadonlySet<string> = new Set(['schema', 'anchor'])

/** Those that can be left out. */
export const checkNames: readonly string[] = [...allChecks.each, ...allChecks.together]
  .map(({ name }) => name)
  .filter((name) => !required.has(name))

/** Throws `usage` for an unknown name. */
export function checksWithout(names: readonly string[]): Checks {
  const unknown = names.find((name) => !checkNames.includes(name))
  if (unknown !== undefined)
    throw new UserError(
      'usage',
      `no check can be left out that is called \`${unknown}\`; those that can are ${checkNames.join(', ')}`,
    )
  const isIncluded = ({ name }: { name: string }) => !names.includes(name)
  return { each: allChecks.each.filter(isIncluded), together: allChecks.together.filter(isIncluded) }
}

function checkWithdrawn({ candidate: { withdrawn } }: CandidateState): StepResult {
  return withdrawn === undefined
    ? {}
    : drop(`Its author withdrew it: ${visibleLine(withdrawn).slice(0, 500)}`)
}
