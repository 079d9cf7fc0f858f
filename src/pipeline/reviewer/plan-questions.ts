/** Plans the questions to reviewers: which files, with what context, in which groups; and what is left out. */
import { takeWithin } from '../../agent/evidence-views.ts'
import { count } from '../../base/count.ts'
import { type ChangeSet, type FileChange, unreadRoles } from '../../domain/change-set.ts'
import {
  type Evidence,
  type EvidenceBook,
  type EvidenceDraft,
  openEvidenceBook,
} from '../../domain/evidence.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { RoleModel } from '../../llm/contract.ts'
import type { ReviewerInput } from './contract.ts'
import { gatherDefinitions } from './definitions.ts'
import { groupFiles, linkFiles } from './group-files.ts'
import { authorsWords, otherModel, type PlannedQuestion, questionsAbout } from './group-questions.ts'
import { partsUsedBy } from './parts-used.ts'
import { answerTokensFor, roomForGroup, windowBytes } from './question-size.ts'
import { type FileBlock, renderFileBlock } from './render/file-block.ts'
import { type CitedText, renderFileList, renderSurroundings } from './render/overview.ts'
import { routineHunks } from './render/routine-hunks.ts'
import { sharedEvidence } from './shared-evidence.ts'

export type ReviewPlan = {
  /** Group by group, in each the first reader's before the second's. */
  questions: readonly PlannedQuestion[]
  /** Beyond the cap on groups. */
  beyond: readonly FileChange[]
  book: EvidenceBook
  /** What was gathered and is not shown, in words. */
  trimmed: string[]
}

/** Of the window at most this share is for evidence that belongs to no file of the change. */
const sharedPart = 1 / 3
/** On top of a group's share, for what its files use of files that are in no or another group. */
const usedPart = 1 / 4

export async function planQuestions(input: ReviewerInput): Promise<ReviewPlan> {
  const { context, candidates, known = null, head, facts, config, fence, panel } = input
  const { uses = new Map() } = input
  const all = selectFiles(context.change)
  const files = all.filter(({ path }) => !known?.files.has(path))
  const book = openEvidenceBook(context.evidence)
  const model = smallestReader(input)
  if (files.length === 0 || !model) return { questions: [], beyond: [], book, trimmed: [] }

  const { byPath, cut } = await gatherDefinitions({ files, head, facts, maxBytes: config.limits.chainBytes })
  const gathered = uncited(input)
  const sharedRoom = sharedPart * windowBytes(model)
  const sharedBytes = takeWithin(gathered, sharedRoom).bytes
  const surroundings = renderSurroundings(context.around, fence, numberTexts(context, book)).join('\n\n')
  const { followUps, followUpTokens } = config.review
  const tokens = answerTokensFor(model)
  const fixed = [fence.rule, renderFileList(context, new Set(), fence), surroundings, panel.instructions.text]
  const roomFor = (groupBytes: number) =>
    roomForGroup({
      model,
      answerTokens: tokens.review + followUps * (tokens.followUp + followUpTokens),
      fixedBytes:
        fixed.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0) +
        sharedBytes +
        Buffer.byteLength(authorsWords(input) ?? ''),
      groupBytes,
    })
  const room = roomFor(config.limits.groupBytes)
  const roomWithUsed = roomFor(config.limits.groupBytes * (1 + usedPart))
  const routine = routineHunks(all)
  const render = (file: FileChange, chain: readonly Evidence[], maxBytes: number) =>
    renderFileBlock(file, {
      context,
      candidates: candidates.filter(({ anchor }) => anchor.path === file.path),
      chain,
      fence,
      routine,
      maxBytes,
    })
  // What surrounds the diff of another question's file is told there.
  const bare = { context: { ...context, symbols: [], tests: [] }, candidates: [], chain: [], fence }
  const blocks = files.map((file) => render(file, numbered(book, byPath.get(file.path) ?? []), room))
  const groups = groupFiles(blocks, await linksBetween(files, input, room, blocks), room)
  const asked = groups.slice(0, config.limits.modelGroups)
  const withUsed = (group: readonly FileBlock[]): FileBlock[] => {
    const shown = [...group]
    let left = roomWithUsed - group.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const part of partsUsedBy(new Set(group.map(({ file }) => file.path)), all, uses)) {
      const block = renderFileBlock(part, { ...bare, maxBytes: room })
      if (block.bytes > left) continue
      left -= block.bytes
      shown.push(block)
    }
    return shown.sort((a, b) => (a.file.path < b.file.path ? -1 : 1))
  }
  const shared = sharedEvidence(
    asked.map((group) => group.map(({ file }) => file)),
    gathered,
    sharedRoom,
  )
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
      questionsAbout(group, withUsed(group), index, {
        input,
        shared: shared.shown[index] ?? [],
        surroundings,
        maxOutputTokens: tokens.review,
      }),
    ),
  }
}

/** In the order of the change. A file without lines to read (renamed, binary) is in the overview, and nothing more. */
export function selectFiles(change: ChangeSet): FileChange[] {
  return change.files.filter(
    ({ kind, role, hunks }) =>
      hunks.length > 0 && kind !== 'binary' && kind !== 'submodule' && !unreadRoles.has(role),
  )
}

/** What retrievals brought into the bundle: cited by no candidate, in the order of the bundle. */
function uncited({ context, candidates }: ReviewerInput): Evidence[] {
  const cited = new Set(candidates.flatMap((candidate) => candidate.evidence.map(({ evidence }) => evidence)))
  return context.evidence.filter(({ id }) => !cited.has(id))
}

/** What the repository asks of its authors, and what its team noted, as evidence that a finding can cite. */
function numberTexts({ around }: ReviewContext, book: EvidenceBook): Map<CitedText, string> {
  const add = (kind: string) => (text: CitedText) => [text, book.add(wholeText(kind, text))] as const
  return new Map([
    ...(around?.instructions ?? []).map(add('a rule of the repository')),
    ...(around?.memory ?? []).map(add('a note of the team')),
  ])
}

function wholeText(kind: string, { path, scope, text }: CitedText): EvidenceDraft {
  const nowhere = { blob: null, side: 'old' as const, startLine: null, endLine: null }
  return { source: 'file', trust: 'foreign', title: `${kind} for ${scope}`, path, ...nowhere, text }
}

function numbered(book: EvidenceBook, drafts: Parameters<EvidenceBook['add']>[0][]): Evidence[] {
  return drafts.flatMap((draft) => book.get(book.add(draft)) ?? [])
}

/** Both readers are shown the same, so that the smaller window decides; null where there is no model. */
function smallestReader({ gateway, panel }: ReviewerInput): RoleModel | null {
  const models = panel.readers.flatMap(
    (reader) => gateway.modelOf('reviewer', otherModel(reader, gateway) ?? undefined) ?? [],
  )
  return models.sort((a, b) => windowBytes(a) - windowBytes(b))[0] ?? null
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
