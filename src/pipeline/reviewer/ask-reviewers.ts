/**
 * The review stage: the planes of a panel read the frozen bundle, group by group, and each may ask for a few more lines.
 * Their answers become candidates; validation decides which of them become findings.
 */
import { count } from '../../base/count.ts'
import { findInjectionSigns } from '../../base/untrusted/injection-signs.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { CandidateDraft } from '../../domain/finding.ts'
import type { GroupOutcome, ModelEstimate, ModelReport } from '../../domain/model-report.ts'
import type { Category } from '../../domain/severity.ts'
import { draftCandidate } from './answer/draft-candidate.ts'
import { askQuestions } from './ask-questions.ts'
import type { ReviewerCoverage, ReviewerInput, ReviewerOutcome } from './contract.ts'
import { type Conversation, notAsked } from './conversation.ts'
import { namePlanes } from './panel/model-planes.ts'
import type { Panel } from './panel/panels.ts'
import { type PlannedQuestion, planQuestions, type ReviewPlan } from './plan-questions.ts'
import { estimateQuestions } from './question-size.ts'
import { earlierPrompt } from './render/earlier.ts'
import type { FileBlock } from './render/file-block.ts'

/** Never throws for what a model does; rejects with the signal's reason after an abort. */
export async function askReviewers(input: ReviewerInput): Promise<ReviewerOutcome> {
  const plan = await planQuestions(input)
  const suspicions = reportSuspicions(plan, input)
  const conversations = await askIfAgreed(plan, input)
  const { drafts, groupOfDraft, unfit } = draftAll(conversations, plan, input)
  const unread = unreadFiles(conversations, plan)
  return {
    evidence: plan.book.items,
    coverage: coverPlanes(input.panel, conversations, plan, drafts),
    drafts,
    groupOfDraft,
    criteria: conversations.flatMap(({ criteria }) => [...criteria.values()]),
    insights: conversations.flatMap(({ insights }) => insights),
    walkthrough: conversations.flatMap(({ walkthrough }) => walkthrough),
    questions: conversations.flatMap(({ questions }) => questions),
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
  const drafts: ReviewerOutcome['coverage'][number]['drafts'] = []
  const groupOfDraft: number[] = []
  const unfit: ModelReport['unfit'] = []
  for (const [index, { planned, tracked }] of conversations.entries()) {
    const files = planned.blocks.map(({ file }) => file.path)
    for (const { finding, repaired, withdrawn } of tracked) {
      const plane = planeOf(finding.category, planned)
      const context = { plane, change: bundle.change, book, files, known, repaired }
      const made = draftCandidate(finding, context)
      drafts.push(withdrawn === null ? made.draft : { ...made.draft, withdrawn })
      groupOfDraft.push(index)
      unfit.push(...made.unfit.map((one) => ({ address: planned.address, ...one })))
    }
  }
  return { drafts, groupOfDraft, unfit }
}

/** Of planes that were asked together, the first that the category belongs to; a finding of another topic is of the first. */
function planeOf(category: Category, { topics }: PlannedQuestion): string {
  const [{ plane: first }] = topics
  return (topics.find(({ plane }) => plane.categories.includes(category))?.plane ?? first).name
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

/** Each prompt file once: the common instructions, those of the planes, and the follow-up's if there was one. */
function promptsOf(conversations: readonly Conversation[], { panel, known }: ReviewerInput): string[] {
  const wasFollowedUp = conversations.some(({ followUps }) =>
    followUps.some(({ outcome }) => outcome !== null),
  )
  return [
    ...new Set([
      panel.instructions.id,
      ...conversations.flatMap(({ planned }) => planned.topics.map(({ plane }) => plane.prompt)),
      ...(known && known.findings.length > 0 && conversations.length > 0 ? [earlierPrompt().id] : []),
      ...(wasFollowedUp ? [panel.followUp.id] : []),
    ]),
  ]
}

function describeGroup({
  planned,
  outcome,
  reason,
  tracked,
  calls,
}: Conversation): ModelReport['groups'][number] {
  const prices = calls.map(({ usd }) => usd)
  return {
    address: planned.address,
    files: [...planned.files],
    outcome,
    reason,
    findings: tracked.length,
    usd: prices.reduce<number | null>((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0),
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

const words: Readonly<Record<Exclude<GroupOutcome, 'answered'>, string>> = {
  refused: 'the model declined to review it',
  truncated: 'the model ran into its output limit',
  unusable: "the model's answer could not be read",
  failed: 'no model was available',
  'over-budget': 'the budget does not allow it',
  declined: 'the cost was not agreed to',
  'not-asked': 'beyond the limit of groups',
}

const beyondWords = 'not read by a model: beyond limits.modelGroups'

/** A file is not reviewed when no plane read it, and partly when some did not, or when it is not shown whole. */
function unreadFiles(
  conversations: readonly Conversation[],
  { beyond }: ReviewPlan,
): ReviewerOutcome['unread'] {
  const unread: Map<string, { state: 'partly' | 'not-reviewed'; reason: string }> = new Map()
  for (const [path, readings] of conversationsByFile(conversations)) {
    const missed = readings.filter(({ outcome }) => outcome !== 'answered')
    const cut = readings[0]?.planned.blocks.find(({ file }) => file.path === path)?.cut ?? null
    if (missed.length === readings.length)
      unread.set(path, { state: 'not-reviewed', reason: `not read by a model: ${reasonsOf(missed)}` })
    else if (missed.length > 0)
      unread.set(path, {
        state: 'partly',
        reason: [...missed.map((one) => describeMissed(one, path)), ...(cut === null ? [] : [cut])].join(
          '; ',
        ),
      })
    else if (cut !== null) unread.set(path, { state: 'partly', reason: cut })
  }
  for (const { path } of beyond) unread.set(path, { state: 'not-reviewed', reason: beyondWords })
  return unread
}

/** A plane without any file to read counts as run. */
function coverPlanes(
  { planes }: Panel,
  conversations: readonly Conversation[],
  { beyond }: ReviewPlan,
  drafts: readonly CandidateDraft[],
): ReviewerCoverage[] {
  return planes.map(({ name }) => {
    const own = conversations.filter(({ planned }) => planned.topics.some(({ plane }) => plane.name === name))
    const missed = own.filter(({ outcome }) => outcome !== 'answered')
    const reasons = [
      ...new Set(missed.map(({ outcome, reason }) => `${outcome}${reason === null ? '' : `: ${reason}`}`)),
      ...(beyond.length > 0
        ? [`${count(beyond.length, 'file is', 'files are')} beyond limits.modelGroups`]
        : []),
    ]
    if (own.length > 0 && own.every(({ outcome }) => outcome === 'declined'))
      return { plane: name, state: 'skipped', reason: words.declined, drafts: [], byModel: true }
    return {
      plane: name,
      state:
        own.length > 0 && missed.length === own.length ? 'failed' : reasons.length > 0 ? 'partly' : 'ran',
      reason: reasons.join('; ') || null,
      drafts: drafts.filter(({ plane }) => plane === name),
      byModel: true,
    }
  })
}

function conversationsByFile(conversations: readonly Conversation[]): Map<string, Conversation[]> {
  const byFile = new Map<string, Conversation[]>()
  for (const conversation of conversations)
    for (const path of conversation.planned.files) {
      const known = byFile.get(path)
      if (known) known.push(conversation)
      else byFile.set(path, [conversation])
    }
  return byFile
}

function reasonsOf(missed: readonly Conversation[]): string {
  return [...new Set(missed.map(wordsOf))].join('; ')
}

function describeMissed(conversation: Conversation, path: string): string {
  const due = conversation.planned.topics.filter(({ files }) => files.has(path))
  return `not reviewed for ${namePlanes(due.map(({ plane }) => plane))}: ${wordsOf(conversation)}`
}

function wordsOf({ outcome }: Conversation): string {
  return outcome === 'answered' ? '' : words[outcome]
}
