/** Who is asked at one depth: planes, each one look of a model, with what they are all told and in which shape they answer. */
import type { PromptFile } from '../../../base/package-root.ts'
import type { Category } from '../../../domain/severity.ts'
import type { AnswerShape } from '../../../llm/contract.ts'
import type { ReviewAnswer } from '../answer/schema.ts'

/** One way of looking that a model is asked for. Read from one file; see `prompts/planes`. */
export type ModelPlane = {
  /** As users know it; a deterministic plane that looks the same way goes by the same name. */
  name: string
  /** Which prompt file: `planes/security@1`. */
  prompt: string
  /** What it looks for, in half a sentence. */
  description: string
  /** What its findings are about; a file where triage left none of these is not asked about. */
  categories: readonly Category[]
  /** False: only when it is asked for by name. */
  byDefault: boolean
  /** Whether it is told what the author says of the change. */
  seesAuthorsWords: boolean
  /** Providers keep what they have read apart by effort: planes of one effort share it. */
  effort: 'low' | 'medium' | 'high'
  /** What it alone is told, in our own words; empty when what all are told is enough. */
  text: string
}

export type Panel = {
  /** The depth whose panel it is, and the first word of the addresses of its questions. */
  depth: 'quick' | 'standard' | 'deep'
  /** What all planes are told first, the same bytes for each of them. */
  instructions: PromptFile
  followUp: PromptFile
  /** The same for all: providers keep a prompt together with the shape of its answer. */
  answer: AnswerShape<ReviewAnswer>
  planes: readonly ModelPlane[]
  /** Where in the run the talk with one plane about one group stands: `deep/group-1/security`. */
  addressOf: (group: string, plane: ModelPlane) => string
}
