/** The panel of each depth: one reviewer for everything, or planes for one concern each, with their common instructions. */
import { type PromptFile, readPrompt } from '../../../base/package-root.ts'
import type { ContextSection } from '../../../config/schema.ts'
import type { Candidate } from '../../../domain/finding.ts'
import type { ReviewContext } from '../../../domain/review-context.ts'
import { Category } from '../../../domain/severity.ts'
import type { AnswerShape } from '../../../llm/contract.ts'
import { planeAnswer, type ReviewAnswer, reviewAnswer } from '../answer/schema.ts'
import { type ModelPlane, reviewerName } from './model-planes.ts'
import { hasSecuritySign } from './security-signs.ts'

export type Panel = {
  /** The depth whose panel it is, and the first word of the addresses of its questions. */
  depth: 'quick' | 'standard' | 'deep'
  /** The beginning of every prompt, the same bytes for each plane. */
  instructions: PromptFile
  followUp: PromptFile
  /** What a second question about a group begins with; absent where there is none. */
  secondReading?: PromptFile
  /** The same for all: providers keep a prompt together with the shape of its answer. */
  answer: AnswerShape<ReviewAnswer>
  planes: readonly ModelPlane[]
  /** The address in the run of the conversation about one group: `deep/group-1/correctness+contract`. */
  addressOf: (group: string, planes: readonly ModelPlane[]) => string
}

/**
 * What each panel is asked, and then how to fill in the fields of the answer, which is the same for both: to change that
 * page is to give both a new version.
 */
function withAnswerFields({ id, text }: PromptFile): PromptFile {
  return { id, text: `${text}\n\n${readPrompt('answer-fields', 4).text}` }
}

/** Its prompt is the panel's common instructions, so that it has no text of its own. */
const reviewer: ModelPlane = {
  name: reviewerName,
  prompt: 'quick-review@4',
  description: 'all topics',
  categories: Category.options,
  question: 'first',
  byDefault: true,
  seesAuthorsWords: true,
  writesWalkthrough: true,
  effort: 'medium',
  text: '',
}

export function onePanel(depth: 'quick' | 'standard'): Panel {
  return {
    depth,
    instructions: withAnswerFields(readPrompt('quick-review', 4)),
    followUp: readPrompt('follow-up', 2),
    answer: reviewAnswer,
    planes: [reviewer],
    addressOf: (group) => `${depth}/${group}`,
  }
}

/** Which planes are asked in one question: at most two lists, the first question before the second, each in the order of the panel. */
export function questionsOf({ planes }: Panel): ModelPlane[][] {
  return (['first', 'second'] as const)
    .map((which) => planes.filter(({ question }) => question === which))
    .filter((asked) => asked.length > 0)
}

/**
 * Whether a question of these planes ends with the author's words. The first one does, like the one question of depth
 * standard: without them a reader cannot judge whether the change reaches its aim. The second one does for a plane that is
 * about these words; the others do without, since claims about a change bend the judgement of it.
 */
export function showsAuthorsWords(planes: readonly ModelPlane[]): boolean {
  return planes.some(({ question, seesAuthorsWords }) => question === 'first' || seesAuthorsWords)
}

type Idle = { plane: string; reason: string }

type About = Pick<ReviewContext, 'request' | 'change' | 'tests' | 'symbols'>

export type IdleOptions = {
  /** What code found: a plane whose topic is among it is asked. */
  candidates: readonly Pick<Candidate, 'category'>[]
  /** Sections that models are not shown. */
  leaveOut: readonly ContextSection[]
}

/**
 * The panel without planes that this change gives nothing to do: one that compares the code with what its author says is not
 * asked where the author says nothing, one about tests only where there is no test to read, and one about security only where
 * nothing that the change touches is near input, output or rights. `idle` are those left out, for the coverage. One plane at
 * least is always asked.
 */
export function withoutIdlePlanes(
  panel: Panel,
  about: About,
  options: IdleOptions,
): { panel: Panel; idle: Idle[] } {
  if (panel.depth !== 'deep') return { panel, idle: [] }
  const reasons = new Map(panel.planes.map((plane) => [plane, whyIdle(plane, about, options)]))
  const planes = panel.planes.filter((plane) => reasons.get(plane) === null)
  if (planes.length === 0) return { panel, idle: [] }
  const idle = [...reasons].flatMap(([{ name }, reason]) =>
    reason === null ? [] : [{ plane: name, reason }],
  )
  return { panel: { ...panel, planes }, idle }
}

function whyIdle(
  { seesAuthorsWords, categories }: ModelPlane,
  { request, change, tests, symbols }: About,
  { candidates, leaveOut }: IdleOptions,
): string | null {
  const { title, body, tickets = [], messages = [] } = request
  if (seesAuthorsWords) {
    if (tickets.length > 0 && !leaveOut.includes('tickets')) return null
    if (leaveOut.includes('author'))
      return 'the words of the author are left out, and the change has no ticket'
    return [title, body, ...messages].every((text) => text.trim() === '')
      ? 'the change has no title, description, commit message or ticket'
      : null
  }
  const isOnlyAbout = (topic: Category) => categories.every((category) => category === topic)
  const wasFound = (topic: Category) => candidates.some(({ category }) => category === topic)
  const hasTests =
    change.files.some(({ role }) => role === 'test') || tests.some((symbol) => symbol.tests.length > 0)
  if (isOnlyAbout('tests') && !hasTests && !wasFound('tests'))
    return 'the change has no test, and no test names what it changes'
  if (isOnlyAbout('security') && !wasFound('security') && !hasSecuritySign({ change, symbols }))
    return 'no changed line, function or path has a sign of input, output, data, rights or secrets'
  return null
}

/** `planes` in the order in which they are asked. */
export function deepPanel(planes: readonly ModelPlane[]): Panel {
  return {
    depth: 'deep',
    instructions: withAnswerFields(readPrompt('plane-review', 4)),
    followUp: readPrompt('plane-follow-up', 2),
    secondReading: readPrompt('second-reading', 1),
    answer: planeAnswer,
    planes,
    addressOf: (group, asked) => `deep/${group}/${asked.map(({ name }) => name).join('+')}`,
  }
}
