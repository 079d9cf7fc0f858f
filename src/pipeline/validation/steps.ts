/** What every candidate walks through, in this order. Each can be taken out and replaced: the tests do, one by one. */
import { visibleLine } from '../../base/visible-text.ts'
import { anchorSteps } from './anchor/anchor-step.ts'
import { claimSteps } from './claims/check-claims.ts'
import { evidenceSteps } from './evidence/check-evidence.ts'
import { shapeSteps } from './shape.ts'
import { drop, type StepResult, type ValidationStep, type Walk } from './step.ts'
import { suggestionSteps } from './suggestion/suggestion-steps.ts'

export const validationSteps: readonly ValidationStep[] = [
  ...shapeSteps,
  { name: 'withdrawn', step: 'refutation', run: checkWithdrawn },
  ...anchorSteps,
  ...evidenceSteps,
  ...claimSteps,
  ...suggestionSteps,
]

function checkWithdrawn({ candidate: { withdrawn } }: Walk): StepResult {
  return withdrawn === undefined
    ? {}
    : drop(`Its author took it back: ${visibleLine(withdrawn).slice(0, 500)}`)
}
