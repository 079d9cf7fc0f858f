/**
 * The review stage: one reader or two read the frozen bundle, group by group, and each may ask for a few more lines.
 * Their answers become candidates; validation decides which of them become findings.
 */
import { findInjectionSigns } from '../../base/untrusted/injection-signs.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { RaisedContest } from '../../domain/contest.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { CandidateDraft } from '../../domain/finding.ts'
import { bareId } from '../../domain/line-tag.ts'
import { type ModelEstimate, type ModelReport, sumPrices } from '../../domain/model-report.ts'
import {
  type CitationContext,
  citationOf,
  draftCandidate,
  findingOfCode,
  type Unfit,
} from './answer/draft-candidate.ts'
import type { WireContest } from './answer/schema.ts'
import { askQuestions } from './ask-questions.ts'
import type { ReviewerInput, ReviewerOutcome } from './contract.ts'
import { type Conversation, notAsked } from './conversation.ts'
import { coverReaders } from './outcome/cover-readers.ts'
import { conversationsByFile, unreadFiles } from './outcome/unread-files.ts'
import { planQuestions, type ReviewPlan } from './plan-questions.ts'
import { estimateQuestions } from './question-size.ts'
import { earlierPrompt } from './render/earlier.ts'
import type { FileBlock } from './render/file-block.ts'

/** Never throws for what a model does; rejects with the signal's reason after an abort. */
export async function askReviewers(input: ReviewerInput): Promise<ReviewerOutcome> {
  const plan = await planQuestions(input)
  const suspicions = reportSuspicions(plan, input)
  const conversations = await askIfAgreed(plan, input)
  const { drafts, groupOfDraft, contests, unfit } = draftAll(conversations, plan, input)
  const unread = unreadFiles(conversations, plan)
  return {
    evidence: plan.book.items,
    coverage: coverReaders(input.panel, conversations, plan, drafts),
    drafts,
    groupOfDraft,
    walkthrough: conversations.flatMap(({ walkthrough }) => walkthrough),
    questions: conversations.flatMap(({ questions }) => questions),
    contests,
    unread,
    read: new Set([...conversationsByFile(conversations).keys()].filter((path) => !unread.has(path))),
    answered: conversations.some(({ outcome }) => outcome === 'answered'),
    report: {
      model: input.gateway.modelOf('reviewer')?.model ?? null,
      prompts: promptsOf(conversations, input),
      groups: conversations.map(describeGroup),
      followUps: conversations.flatMap(({ followUps }) => followUps),
      insufficient: conversations.flatMap(({ insufficient }) => insufficient),
      trimmed: plan.trimmed,
      unfit: [
        ...conversations.flatMap(({ planned, unfit: own }) =>
          own.map((one) => ({ address: planned.address, ...one })),
        ),
        ...unfit,
      ],
      suspicions,
    },
  }
}

/** The most that it would cost on the bundle as it is. Sends nothing. */
export async function estimateReviewers(
  input: Omit<ReviewerInput, 'mayAsk' | 'onEvent' | 'note'>,
): Promise<ModelEstimate> {
  const quiet = { mayAsk: async () => false, onEvent: () => {}, note: () => {} }
  return estimatePlan(await planQuestions({ ...input, ...quiet }), input)
}

async function askIfAgreed(plan: ReviewPlan, input: ReviewerInput): Promise<Conversation[]> {
  if (plan.questions.length === 0) return []
  if (await input.mayAsk(estimatePlan(plan, input))) return askQuestions(plan.questions, input, plan.book)
  return plan.questions.map((planned) => notAsked(planned, 'declined', 'the cost was not agreed to'))
}

function estimatePlan(
  { questions }: ReviewPlan,
  { gateway, config }: Pick<ReviewerInput, 'gateway' | 'config'>,
): ModelEstimate {
  return estimateQuestions(
    gateway,
    questions.map(({ question }) => question),
    config.review,
  )
}

function draftAll(
  conversations: readonly Conversation[],
  { book }: ReviewPlan,
  { context: bundle, candidates: known }: ReviewerInput,
) {
  const drafts: CandidateDraft[] = []
  const groupOfDraft: number[] = []
  const contests: RaisedContest[] = []
  const unfit: ModelReport['unfit'] = []
  for (const [index, { planned, tracked, contests: said }] of conversations.entries()) {
    const files = planned.blocks.map(({ file }) => file.path)
    const shared = { change: bundle.change, book, files, known }
    for (const { finding, repaired, withdrawn, byBoth } of tracked) {
      const reader = byBoth ? 'both' : planned.reader.name
      const made = draftCandidate(finding, { ...shared, reader, repaired })
      drafts.push(withdrawn === null ? made.draft : { ...made.draft, withdrawn })
      groupOfDraft.push(index)
      unfit.push(...made.unfit.map((one) => ({ address: planned.address, ...one })))
    }
    const read = readContests(said.values(), shared)
    contests.push(...read.raised)
    unfit.push(...read.unfit.map((one) => ({ address: planned.address, ...one })))
  }
  return { drafts, groupOfDraft, contests, unfit }
}

function reportSuspicions(
  { questions, book }: ReviewPlan,
  { panel, onEvent, note }: ReviewerInput,
): ModelReport['suspicions'] {
  const found = findSuspicions([...new Set(questions.flatMap(({ blocks }) => blocks))], book.items)
  for (const suspicion of found) {
    onEvent({ type: 'injection-suspected', ...suspicion })
    note({ type: 'injection-suspected', address: panel.depth, detail: { ...suspicion } })
  }
  return found
}

/** Each prompt file once, the follow-up's if there was one. */
function promptsOf(conversations: readonly Conversation[], { panel, known }: ReviewerInput): string[] {
  const wasFollowedUp = conversations.some(({ followUps }) =>
    followUps.some(({ outcome }) => outcome !== null),
  )
  return [
    panel.instructions.id,
    ...(known && known.findings.length > 0 && conversations.length > 0 ? [earlierPrompt().id] : []),
    ...(wasFollowedUp ? [panel.followUp.id] : []),
  ]
}

function describeGroup({
  planned,
  outcome,
  reason,
  tracked,
  calls,
}: Conversation): ModelReport['groups'][number] {
  return {
    address: planned.address,
    files: [...planned.files],
    outcome,
    reason,
    findings: tracked.length,
    usd: sumPrices(calls.map(({ usd }) => usd)),
  }
}

const most = 50

type Suspicions = ModelReport['suspicions']

/**
 * Signs of injection in what a model is about to read, as a warning for people; nothing is removed. In lines that the change
 * adds, by their number at the head; elsewhere by the line of the evidence.
 */
function findSuspicions(blocks: readonly FileBlock[], evidence: readonly Evidence[]): Suspicions {
  const inChange = blocks.flatMap(({ file }) => {
    const added = file.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'added'))
    return findInjectionSigns(added.map(({ text }) => text).join('\n')).map((found) => ({
      origin: file.path,
      ...found,
      line: added[found.line - 1]?.new ?? found.line,
    }))
  })
  const inEvidence = evidence.flatMap((item) =>
    item.trust === 'own' || item.path === null
      ? []
      : findInjectionSigns(item.text).map((found) => ({
          origin: item.path ?? item.title,
          ...found,
          line: (item.startLine ?? 1) + found.line - 1,
        })),
  )
  const distinct = new Map([...inChange, ...inEvidence].map((one) => [`${one.origin}\0${one.line}`, one]))
  return [...distinct.values()].slice(0, most)
}

const mostCitations = 10
const longestReason = 500

/** Only findings in files of the question can be contested: of no other was anything shown. Lines become evidence. */
function readContests(
  contests: Iterable<WireContest>,
  context: CitationContext,
): { raised: RaisedContest[]; unfit: Unfit[] } {
  const raised: RaisedContest[] = []
  const unfit: Unfit[] = []
  const shown = context.known.filter(({ anchor }) => context.files.includes(anchor.path))
  for (const { finding: said, evidence, reason } of contests) {
    const finding = findingOfCode(said, shown, '')
    const path = shown.find(({ id }) => id === finding)?.anchor.path
    if (!finding || path === undefined) {
      const what = `a contest of "${visibleLine(said).slice(0, 20)}"`
      unfit.push({ what, reason: 'the question has no such finding of a check' })
      continue
    }
    const citations = evidence.slice(0, mostCitations).map(({ id, quote }) => {
      const citation = citationOf(bareId(id), quote, path, context)
      const number = 'item' in citation ? context.book.add(citation.item) : citation.cited
      return { evidence: number, quote: citation.quote }
    })
    raised.push({ finding, reason: visibleLine(reason).trim().slice(0, longestReason), citations })
  }
  return { raised, unfit }
}
