/** Plans the questions to reviewers: which files, with what context, in which groups, for which planes; and what is left out. */
import { count } from '../../base/count.ts'

import { matchGlobs } from '../../base/globs.ts'
import type { Config } from '../../config/schema.ts'
import type { ChangeSet, FileChange } from '../../domain/change-set.ts'
import type { Triage } from '../../domain/coverage.ts'
import type { Evidence } from '../../domain/evidence.ts'
import { type EvidenceBook, openEvidenceBook } from '../../domain/evidence.ts'

import type { Question } from '../../llm/contract.ts'
import type { ReviewAnswer } from './answer/schema.ts'
import type { ReviewerInput } from './contract.ts'
import { gatherDefinitions } from './definitions.ts'
import { groupFiles, linkFiles } from './group-files.ts'
import type { ModelPlane } from './panel/model-planes.ts'
import { answerTokensFor, roomForGroup, windowBytes } from './question-size.ts'
import { closingWords, firstQuestion } from './questions.ts'
import { type FileBlock, renderFileBlock } from './render/file-block.ts'
import { renderAuthorsWords, renderOverview } from './render/overview.ts'

/** One plane's question about one group. */
export type PlannedQuestion = {
  plane: ModelPlane
  /** Of the whole conversation about this group. */
  address: string
  /** Which group of the plan, from 0. */
  group: number
  /** All that it is shown of the group. */
  blocks: readonly FileBlock[]
  /** What it is asked about: those, or fewer. */
  files: ReadonlySet<string>
  question: Question<ReviewAnswer>
}

export type ReviewPlan = {
  /** Group by group, in each the planes in the order of the panel. */
  questions: readonly PlannedQuestion[]
  /** Beyond the cap on groups. */
  beyond: readonly FileChange[]
  book: EvidenceBook
  /** What was gathered and is not shown, in words. */
  trimmed: string[]
}

/** Of the window at most this share is for evidence that belongs to no file of the change: every group is shown it. */
const sharedPart = 1 / 3

const unread: ReadonlySet<FileChange['role']> = new Set(['lock', 'generated', 'vendored', 'minified'])

export async function planQuestions(input: ReviewerInput): Promise<ReviewPlan> {
  const { context, candidates, head, facts, config, gateway, fence, panel } = input
  const asksAbout = readTriage(input.triage)
  const files = selectFiles(context.change, config).filter(({ path }) =>
    panel.planes.some((plane) => asksAbout(plane, path)),
  )
  const book = openEvidenceBook(context.evidence)
  const model = gateway.modelOf('reviewer')
  if (files.length === 0 || !model) return { questions: [], beyond: [], book, trimmed: [] }

  const { byPath, cut } = await gatherDefinitions({ files, head, facts, maxBytes: config.limits.chainBytes })
  const shared = sharedEvidence(input, sharedPart * windowBytes(model))
  const overview = renderOverview(context, shared.shown, fence)
  const { followUps, followUpTokens } = config.review
  const tokens = answerTokensFor(model)
  const room = roomForGroup({
    model,
    answerTokens: tokens.review + followUps * (tokens.followUp + followUpTokens),
    fixedBytes:
      Buffer.byteLength(overview) + Buffer.byteLength(panel.instructions.text) + longestClosing(input),
    groupBytes: config.limits.groupBytes,
  })
  const blocks = files.map((file) =>
    renderFileBlock(file, {
      context,
      candidates: candidates.filter(({ anchor }) => anchor.path === file.path),
      chain: numbered(book, byPath.get(file.path) ?? []),
      fence,
      maxBytes: room,
    }),
  )
  const groups = groupFiles(blocks, await linksBetween(files, input, room, blocks), room)
  const asked = groups.slice(0, config.limits.modelGroups)
  return {
    book,
    trimmed: [
      ...(cut > 0 ? [`${count(cut, 'definition')} around changed lines, beyond limits.chainBytes`] : []),
      ...(shared.left > 0
        ? [`${count(shared.left, 'piece')} of evidence from the rest of the repository`]
        : []),
    ],
    beyond: groups.slice(asked.length).flatMap((group) => group.map(({ file }) => file)),
    questions: asked.flatMap((group, index) =>
      questionsAbout(group, index, { input, asksAbout, overview, maxOutputTokens: tokens.review }),
    ),
  }
}

/** In the order of the change. A file without lines to read (renamed, binary) is in the overview, and nothing more. */
export function selectFiles(change: ChangeSet, { paths }: Config): FileChange[] {
  const isExcluded = matchGlobs(paths.exclude)
  return change.files.filter(
    ({ path, kind, role, hunks }) =>
      hunks.length > 0 && kind !== 'binary' && kind !== 'submodule' && !unread.has(role) && !isExcluded(path),
  )
}

type AsksAbout = (plane: ModelPlane, path: string) => boolean

/** Without triage every plane is asked about every file, and so is a file that triage says nothing of. */
function readTriage(triage: Triage | null): AsksAbout {
  const categoriesOf = new Map(triage?.files.map(({ path, categories }) => [path, categories]))
  return ({ categories }, path) => {
    const left = categoriesOf.get(path)
    return !left || categories.some((category) => left.includes(category))
  }
}

/** What retrievals brought into the bundle: cited by no candidate, in the order of the bundle, as long as it fits. */
function sharedEvidence(
  { context, candidates }: ReviewerInput,
  maxBytes: number,
): { shown: Evidence[]; left: number } {
  const cited = new Set(candidates.flatMap((candidate) => candidate.evidence.map(({ evidence }) => evidence)))
  const all = context.evidence.filter(({ id }) => !cited.has(id))
  let room = maxBytes
  const shown = all.filter(({ text }) => {
    room -= Buffer.byteLength(text)
    return room >= 0
  })
  return { shown, left: all.length - shown.length }
}

function numbered(book: EvidenceBook, drafts: Parameters<EvidenceBook['add']>[0][]): Evidence[] {
  return drafts.flatMap((draft) => book.get(book.add(draft)) ?? [])
}

/** Bytes of the longest part that is for one plane only; the list of its files is small in comparison. */
function longestClosing({ panel, context, fence }: ReviewerInput): number {
  const words = Buffer.byteLength(renderAuthorsWords(context.request, fence))
  return Math.max(
    0,
    ...panel.planes.map(
      ({ text, seesAuthorsWords }) => Buffer.byteLength(text) + (seesAuthorsWords ? words : 0),
    ),
  )
}

type QuestionParts = { input: ReviewerInput; asksAbout: AsksAbout; overview: string; maxOutputTokens: number }

/** One for each plane that has a file to read in the group. */
function questionsAbout(
  blocks: readonly FileBlock[],
  group: number,
  { input, asksAbout, overview, maxOutputTokens }: QuestionParts,
): PlannedQuestion[] {
  const { panel, fence, context, config, signal } = input
  const text = blocks.map((block) => block.text).join('\n\n')
  return panel.planes.flatMap((plane) => {
    const paths = blocks.map(({ file }) => file.path).filter((path) => asksAbout(plane, path))
    if (paths.length === 0) return []
    const address = panel.addressOf(`group-${group + 1}`, plane)
    const closing = closingWords({
      plane,
      authorsWords: plane.seesAuthorsWords ? renderAuthorsWords(context.request, fence) : null,
      only: paths.length === blocks.length ? null : paths,
      followUps: config.review.followUps,
      fence,
    })
    const words = { panel, plane, address, overview, group: text, closing, maxOutputTokens, signal }
    return [{ plane, address, group, blocks, files: new Set(paths), question: firstQuestion(words) }]
  })
}

/** Only a change that does not fit into one question is looked at so closely. */
async function linksBetween(
  files: readonly FileChange[],
  { context, head, facts }: ReviewerInput,
  room: number,
  blocks: readonly FileBlock[],
) {
  if (blocks.reduce((sum, { bytes }) => sum + bytes, 0) <= room) return []
  const texts = await head.readMany(files.map(({ path }) => path))
  const known = await facts.facts([...texts].map(([path, { blob, text }]) => ({ path, blob, text })))
  return linkFiles(
    files.map(({ path }) => path),
    context,
    known,
  )
}
