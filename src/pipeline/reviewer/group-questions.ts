/** The questions about one group, one for each reader. They begin with the same words, and each is asked as if it were the only one. */
import { linesInDiffs, renderViews, type ShownLines } from '../../agent/evidence-views.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { Question } from '../../llm/contract.ts'
import type { ReviewAnswer } from './answer/schema.ts'
import type { ReviewerInput } from './contract.ts'
import { addressOf, type Reader } from './panel.ts'
import { closingWords, openingQuestion } from './questions.ts'
import { renderEarlier } from './render/earlier.ts'
import type { FileBlock } from './render/file-block.ts'
import { renderAuthorsWords, renderFileList } from './render/overview.ts'

/** A question to one reader about one group. */
export type PlannedQuestion = {
  reader: Reader
  /** Of the whole conversation. */
  address: string
  /** Which group of the plan, from 0. */
  group: number
  /** All that it is shown of the group. */
  blocks: readonly FileBlock[]
  /** The lines in it, which need not be shown again. */
  shown: ShownLines
  /** What it is about; it may be shown more. */
  files: ReadonlySet<string>
  question: Question<ReviewAnswer>
}

type QuestionParts = {
  input: ReviewerInput
  shared: readonly Evidence[]
  surroundings: string
  maxOutputTokens: number
}

/** `blocks` are all that each shows, those that the question is about (`own`) among them. */
export function questionsAbout(
  own: readonly FileBlock[],
  blocks: readonly FileBlock[],
  group: number,
  { input, shared, surroundings, maxOutputTokens }: QuestionParts,
): PlannedQuestion[] {
  const { panel, fence, config, known = null, gateway, signal } = input
  const files = new Set(own.map(({ file }) => file.path))
  const { shown, ...beginning } = beginningOf({ files, blocks, shared, surroundings }, input)
  return panel.readers.map((reader) => {
    const address = addressOf(panel, group, reader)
    const closing = closingWords({
      authorsWords: authorsWords(input),
      earlier: renderEarlier(known, files, fence),
      reader: reader.words,
      followUps: config.review.followUps,
    })
    const words = { panel, address, ...beginning, closing, maxOutputTokens, signal }
    const question = openingQuestion({ ...words, apartFrom: otherModel(reader, gateway) })
    return { reader, address, group, blocks, shown, files, question }
  })
}

/** The model that the first reader is. */
export function otherModel({ name }: Reader, gateway: ReviewerInput['gateway']): string | null {
  return name === 'second' ? (gateway.modelOf('reviewer')?.model ?? null) : null
}

type Material = Pick<QuestionParts, 'shared' | 'surroundings'> & Pick<PlannedQuestion, 'files' | 'blocks'>

/** What the questions about a group begin with, and the lines in it. */
function beginningOf(
  { files, blocks, shared, surroundings }: Material,
  { fence, context }: ReviewerInput,
): { change: string; background: string; shown: ShownLines } {
  const shown = linesInDiffs(blocks.map((block) => ({ file: block.file, lines: block.shown })))
  const others = renderFileList(context, new Set(blocks.map(({ file }) => file.path)), fence)
  const change = [
    fence.rule,
    headingOf(files, blocks, fence),
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

function headingOf(files: ReadonlySet<string>, blocks: readonly FileBlock[], fence: Fence): string {
  const asked = blocks.map(({ file }) => file.path).filter((path) => files.has(path))
  if (asked.length === blocks.length) return 'The files that you review now:'
  const list = fence.render(new Untrusted('files to look at', asked.join('\n')))
  return `You review these files now. Of others the parts that they use follow as well, to understand them:\n${list}`
}

/** Null where the operator leaves them out. */
export function authorsWords({ context, config, fence }: ReviewerInput): string | null {
  return config.context.leaveOut.includes('author') ? null : renderAuthorsWords(context.request, fence)
}

const viewsHeading = 'Evidence, each line once, each part with its number. `…` stands for lines left out.'
