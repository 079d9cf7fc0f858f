/** The one or two questions about one group: both begin with the same words, and the second knows what the first one found. */
import { linesInDiffs, renderViews, type ShownLines } from '../../agent/evidence-views.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { Question } from '../../llm/contract.ts'
import type { ReviewAnswer, WireFinding } from './answer/schema.ts'
import type { ReviewerInput } from './contract.ts'
import type { ModelPlane } from './panel/model-planes.ts'
import { type Panel, questionsOf, showsAuthorsWords } from './panel/panels.ts'
import { closingWords, openingQuestion, type Topic } from './questions.ts'
import { renderEarlier } from './render/earlier.ts'
import type { FileBlock } from './render/file-block.ts'
import { longestFirstReading, renderFirstReading } from './render/first-reading.ts'
import { renderAuthorsWords, renderFileList } from './render/overview.ts'

/** A question about one group, for one plane or several; a group has one or two. */
export type PlannedQuestion = {
  topics: readonly [Topic, ...Topic[]]
  /** Of the whole conversation about this group. */
  address: string
  /** Which group of the plan, from 0. */
  group: number
  /** All that it is shown of the group. */
  blocks: readonly FileBlock[]
  /** The lines in it, which need not be shown again. */
  shown: ShownLines
  /** What its planes are asked about, together. */
  files: ReadonlySet<string>
  /** As it is asked when nothing was read before it. */
  question: Question<ReviewAnswer>
  /** The same, after the first question of its group was answered; null for the one that goes first. */
  questionAfter: ((found: readonly WireFinding[]) => Question<ReviewAnswer>) | null
  /** What it takes at most. */
  longest: Question<ReviewAnswer>
}

type Topics = PlannedQuestion['topics']

export type AsksAbout = (plane: ModelPlane, path: string) => boolean

type QuestionParts = {
  input: ReviewerInput
  asksAbout: AsksAbout
  shared: readonly Evidence[]
  surroundings: string
  maxOutputTokens: number
}

/** One for each question of the panel, for those of its planes that have a file to read in the group; `blocks` are all that each shows. */
export function questionsAbout(
  own: readonly FileBlock[],
  blocks: readonly FileBlock[],
  group: number,
  { input, asksAbout, shared, surroundings, maxOutputTokens }: QuestionParts,
): PlannedQuestion[] {
  const { panel, fence, config, known = null, signal } = input
  const { shown, ...beginning } = beginningOf(blocks, shared, surroundings, input)
  const paths = blocks.map(({ file }) => file.path)
  const due = topicsDue(panel, own, asksAbout)
  const filesOf = (topics: Topics | undefined) =>
    new Set(paths.filter((path) => topics?.some(({ files }) => files.has(path))))
  const readFirst = filesOf(due[0])
  return due.map((topics, index) => {
    const planes = topics.map(({ plane }) => plane)
    const address = panel.addressOf(`group-${group + 1}`, planes)
    const files = filesOf(topics)
    const ask = (list: string | null) => {
      const instructions = list === null ? undefined : panel.secondReading
      // The first question has seen what was found earlier in its files, and says what is left of it.
      const checked = instructions ? new Set([...files].filter((path) => !readFirst.has(path))) : files
      const closing = closingWords({
        topics,
        second: instructions ? { instructions: instructions.text, list: list ?? '' } : null,
        authorsWords: showsAuthorsWords(planes) ? authorsWords(input) : null,
        earlier: checked.size === 0 ? null : renderEarlier(known, checked, fence),
        shown: paths,
        followUps: config.review.followUps,
        fence,
      })
      const further = instructions ? [instructions.id] : []
      const words = { panel, planes, address, ...beginning, closing, further }
      return openingQuestion({ ...words, maxOutputTokens, signal })
    }
    const isSecond = index > 0
    return {
      ...{ topics, address, group, blocks, shown, files },
      question: ask(null),
      questionAfter: isSecond ? (found) => ask(renderFirstReading(found, fence)) : null,
      longest: ask(isSecond ? longestFirstReading(fence) : null),
    }
  })
}

/** What both questions about a group begin with, and the lines in it. */
function beginningOf(
  blocks: readonly FileBlock[],
  shared: readonly Evidence[],
  surroundings: string,
  { fence, context }: ReviewerInput,
): { change: string; background: string; shown: ShownLines } {
  const shown = linesInDiffs(blocks.map((block) => ({ file: block.file, lines: block.shown })))
  const others = renderFileList(context, new Set(blocks.map(({ file }) => file.path)), fence)
  const change = [
    fence.rule,
    'The files that you review now:',
    ...blocks.map((block) => block.text),
    ...(others === null ? [] : [others]),
  ].join('\n\n')
  const evidence = [...blocks.flatMap((block) => block.evidence), ...shared]
  const views = renderViews(evidence, shown, fence)
  shown.addAll(evidence)
  const background = [...(views.length > 0 ? [viewsHeading, ...views] : []), surroundings]
    .filter((text) => text !== '')
    .join('\n\n')
  return { change, background, shown }
}

/** Question by question, the planes that have a file to read in the group. */
function topicsDue(panel: Panel, own: readonly FileBlock[], asksAbout: AsksAbout): Topics[] {
  const paths = own.map(({ file }) => file.path)
  return questionsOf(panel).flatMap((planes): Topics[] => {
    const [first, ...rest] = planes
      .map((plane) => ({ plane, files: new Set(paths.filter((path) => asksAbout(plane, path))) }))
      .filter(({ files }) => files.size > 0)
    return first ? [[first, ...rest]] : []
  })
}

/** Null where the operator leaves them out. */
export function authorsWords({ context, config, fence }: ReviewerInput): string | null {
  return config.context.leaveOut.includes('author') ? null : renderAuthorsWords(context.request, fence)
}

const viewsHeading = 'Evidence, each line once, each part with its number. `…` stands for lines left out.'
