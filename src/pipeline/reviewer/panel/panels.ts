/** The panel of each depth: one reviewer for everything, or planes for one concern each, with their common instructions. */
import { type PromptFile, readPrompt } from '../../../base/package-root.ts'

import type { ReviewRequest } from '../../../domain/review-request.ts'
import { Category } from '../../../domain/severity.ts'
import type { AnswerShape } from '../../../llm/contract.ts'
import { planeAnswer, type ReviewAnswer, reviewAnswer } from '../answer/schema.ts'
import { type ModelPlane, reviewerName } from './model-planes.ts'

export type Panel = {
  /** The depth whose panel it is, and the first word of the addresses of its questions. */
  depth: 'quick' | 'standard' | 'deep'
  /** The beginning of every prompt, the same bytes for each plane. */
  instructions: PromptFile
  followUp: PromptFile
  /** The same for all: providers keep a prompt together with the shape of its answer. */
  answer: AnswerShape<ReviewAnswer>
  planes: readonly ModelPlane[]
  /** The address in the run of the conversation about one group for one plane: `deep/group-1/security`. */
  addressOf: (group: string, plane: ModelPlane) => string
}

/**
 * What each panel is asked, and then how to fill in the fields of the answer, which is the same for both: to change that
 * page is to give both a new version.
 */
function withAnswerFields({ id, text }: PromptFile): PromptFile {
  return { id, text: `${text}\n\n${readPrompt('answer-fields', 1).text}` }
}

/** Its prompt is the panel's common instructions, so that it has no text of its own. */
const reviewer: ModelPlane = {
  name: reviewerName,
  prompt: 'quick-review@2',
  description: 'all topics',
  categories: Category.options,
  byDefault: true,
  seesAuthorsWords: true,
  writesWalkthrough: true,
  effort: 'medium',
  text: '',
}

export function onePanel(depth: 'quick' | 'standard'): Panel {
  return {
    depth,
    instructions: withAnswerFields(readPrompt('quick-review', 2)),
    followUp: readPrompt('follow-up', 2),
    answer: reviewAnswer,
    planes: [reviewer],
    addressOf: (group) => `${depth}/${group}`,
  }
}

/**
 * The panel without planes that this change gives nothing to do: one that compares the code with what its author says is not
 * asked where nobody says anything. `idle` are those left out, for the coverage.
 */
export function withoutIdlePlanes(
  panel: Panel,
  { title, body, tickets = [] }: Pick<ReviewRequest, 'title' | 'body' | 'tickets'>,
): { panel: Panel; idle: { plane: string; reason: string }[] } {
  const isSilent = title.trim() === '' && body.trim() === '' && tickets.length === 0
  if (panel.depth !== 'deep' || !isSilent) return { panel, idle: [] }
  return {
    panel: { ...panel, planes: panel.planes.filter(({ seesAuthorsWords }) => !seesAuthorsWords) },
    idle: panel.planes
      .filter(({ seesAuthorsWords }) => seesAuthorsWords)
      .map(({ name }) => ({ plane: name, reason: 'the change has no title, description or ticket' })),
  }
}

/** `planes` in the order in which they are asked. */
export function deepPanel(planes: readonly ModelPlane[]): Panel {
  return {
    depth: 'deep',
    instructions: withAnswerFields(readPrompt('plane-review', 2)),
    followUp: readPrompt('plane-follow-up', 2),
    answer: planeAnswer,
    planes,
    addressOf: (group, { name }) => `deep/${group}/${name}`,
  }
}
