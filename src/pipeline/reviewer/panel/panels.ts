/** The panel of each depth: one reviewer who looks at everything, or planes that each look one way. */
import { readPrompt } from '../../../base/package-root.ts'
import { Category } from '../../../domain/severity.ts'
import { planeAnswer, reviewAnswer } from '../answer/schema.ts'
import type { ModelPlane, Panel } from './contract.ts'
import { reviewerName } from './read-plane.ts'

/** Its prompt is what all of its panel are told, so that nothing is left to tell it alone. */
const reviewer: ModelPlane = {
  name: reviewerName,
  prompt: 'quick-review@1',
  description: 'all topics',
  categories: Category.options,
  byDefault: true,
  seesAuthorsWords: false,
  effort: 'medium',
  text: '',
}

export function onePanel(depth: 'quick' | 'standard'): Panel {
  return {
    depth,
    instructions: readPrompt('quick-review', 1),
    followUp: readPrompt('follow-up', 1),
    answer: reviewAnswer,
    planes: [reviewer],
    addressOf: (group) => `${depth}/${group}`,
  }
}

/** `planes` in the order in which they are asked. */
export function deepPanel(planes: readonly ModelPlane[]): Panel {
  return {
    depth: 'deep',
    instructions: readPrompt('plane-review', 1),
    followUp: readPrompt('plane-follow-up', 1),
    answer: planeAnswer,
    planes,
    addressOf: (group, { name }) => `deep/${group}/${name}`,
  }
}
