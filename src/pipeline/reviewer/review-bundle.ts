/**
 * The review stage: planes of a panel read the frozen bundle and nothing else, group by group, and each may ask once for
 * a few lines more. What they say are candidates, no findings: validation comes after it.
 */
import type { ModelEstimate, ModelReport } from '../../domain/model-report.ts'
import { draftCandidate } from './answer/draft-candidate.ts'
import { askLooks } from './ask-looks.ts'
import type { ReviewerInput, ReviewerOutcome } from './contract.ts'
import { type Conversation, notAsked } from './conversation.ts'
import { coverPlanes, unreadFiles } from './cover-looks.ts'
import { estimateQuestions } from './estimate.ts'
import { planQuestions, type ReviewPlan } from './plan-questions.ts'
import { findSuspicions } from './suspicions.ts'

/** Never throws for what a model does; rejects with the signal's reason after an abort. */
export async function reviewBundle(input: ReviewerInput): Promise<ReviewerOutcome> {
  const plan = await planQuestions(input)
  const suspicions = tellSuspicions(plan, input)
  const talks = await askIfAgreed(plan, input)
  const { drafts, groupOfDraft, unfit } = draftAll(talks, plan, input)
  return {
    evidence: plan.book.items,
    coverage: coverPlanes(input.panel, talks, plan, drafts),
    drafts,
    groupOfDraft,
    criteria: talks.flatMap(({ criteria }) => [...criteria.values()]),
    insights: talks.flatMap(({ insights }) => insights),
    unread: unreadFiles(talks, plan),
    looked: talks.some(({ outcome }) => outcome === 'answered'),
    report: {
      model: input.gateway.modelOf('reviewer')?.model ?? null,
      prompts: promptsOf(talks, input),
      groups: talks.map(describeLook),
      followUps: talks.flatMap(({ followUps }) => followUps),
      insufficient: talks.flatMap(({ insufficient }) => insufficient),
      trimmed: plan.trimmed,
      unfit: [
        ...talks.flatMap(({ look, unfit: own }) => own.map((one) => ({ address: look.address, ...one }))),
        ...unfit,
      ],
      suspicions,
    },
  }
}

/** What it would take at most on the bundle as it is. Sends nothing. */
export async function estimateBundle(
  input: Omit<ReviewerInput, 'mayAsk' | 'onEvent' | 'note'>,
): Promise<ModelEstimate> {
  const quiet = { mayAsk: async () => false, onEvent: () => {}, note: () => {} }
  return estimatePlan(await planQuestions({ ...input, ...quiet }), input)
}

async function askIfAgreed(plan: ReviewPlan, input: ReviewerInput): Promise<Conversation[]> {
  if (plan.looks.length === 0) return []
  if (await input.mayAsk(estimatePlan(plan, input))) return askLooks(plan.looks, input, plan.book)
  return plan.looks.map((look) => notAsked(look, 'declined', 'the cost was not agreed to'))
}

function estimatePlan(
  { looks }: ReviewPlan,
  { gateway, config }: Pick<ReviewerInput, 'gateway' | 'config'>,
): ModelEstimate {
  return estimateQuestions(
    gateway,
    looks.map(({ question }) => question),
    config.review,
  )
}

function draftAll(talks: readonly Conversation[], { book }: ReviewPlan, { context }: ReviewerInput) {
  const drafts: ReviewerOutcome['coverage'][number]['drafts'] = []
  const groupOfDraft: number[] = []
  const unfit: ModelReport['unfit'] = []
  for (const [index, { look, tracked }] of talks.entries()) {
    const files = look.blocks.map(({ file }) => file.path)
    for (const { finding, repaired, withdrawn } of tracked) {
      const bench = { plane: look.plane.name, change: context.change, book, files, repaired }
      const made = draftCandidate(finding, bench)
      drafts.push(withdrawn === null ? made.draft : { ...made.draft, withdrawn })
      groupOfDraft.push(index)
      unfit.push(...made.unfit.map((one) => ({ address: look.address, ...one })))
    }
  }
  return { drafts, groupOfDraft, unfit }
}

function tellSuspicions(
  { looks, book }: ReviewPlan,
  { panel, onEvent, note }: ReviewerInput,
): ModelReport['suspicions'] {
  const found = findSuspicions([...new Set(looks.flatMap(({ blocks }) => blocks))], book.items)
  for (const suspicion of found) {
    onEvent({ type: 'injection-suspected', ...suspicion })
    note({ type: 'injection-suspected', address: panel.depth, detail: { ...suspicion } })
  }
  return found
}

/** Each once: what all are told, what single planes are told, and the follow-up's if there was one. */
function promptsOf(talks: readonly Conversation[], { panel }: ReviewerInput): string[] {
  const wasFollowedUp = talks.some(({ followUps }) => followUps.some(({ outcome }) => outcome !== null))
  return [
    ...new Set([
      panel.instructions.id,
      ...talks.map(({ look }) => look.plane.prompt),
      ...(wasFollowedUp ? [panel.followUp.id] : []),
    ]),
  ]
}

function describeLook({
  look,
  outcome,
  reason,
  tracked,
  calls,
}: Conversation): ModelReport['groups'][number] {
  const prices = calls.map(({ usd }) => usd)
  return {
    address: look.address,
    files: [...look.files],
    outcome,
    reason,
    findings: tracked.length,
    usd: prices.reduce<number | null>((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0),
  }
}
