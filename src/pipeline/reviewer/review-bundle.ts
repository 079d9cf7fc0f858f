/**
 * The review stage of the quick depth: a model reads the frozen bundle and nothing else, group by group, and may ask
 * once for a few lines more. What it says are candidates, no findings: validation comes after it.
 */
import type { GroupOutcome, ModelEstimate, ModelReport } from '../../domain/model-report.ts'
import { draftCandidate, reviewerPlane } from './answer/draft-candidate.ts'
import type { ReviewerInput, ReviewerOutcome } from './contract.ts'
import { begin, type Conversation, notAsked } from './conversation.ts'
import { estimateQuestions } from './estimate.ts'
import { followUpRound } from './follow-up/round.ts'
import { type PlannedGroup, planQuestions, type ReviewPlan } from './plan-questions.ts'
import { followUpPrompt, reviewPrompt } from './questions.ts'
import { findSuspicions } from './suspicions.ts'

/** Groups that are asked about side by side. */
const atOnce = 4

/** Never throws for what a model does; rejects with the signal's reason after an abort. */
export async function reviewBundle(input: ReviewerInput): Promise<ReviewerOutcome> {
  const plan = await planQuestions(input)
  const suspicions = tellSuspicions(plan, input)
  const talks = await askGroups(plan.groups, plan, input)
  const drafted = draftAll(talks, plan, input)
  const { unread, coverage } = cover(talks, plan)
  return {
    evidence: plan.book.items,
    coverage: { ...coverage, drafts: drafted.drafts },
    unread,
    looked: talks.some(({ outcome }) => outcome === 'answered'),
    groupOfDraft: drafted.groupOfDraft,
    report: {
      model: input.gateway.modelOf('reviewer')?.model ?? null,
      prompts: [reviewPrompt().id, ...(talks.some(wasFollowedUp) ? [followUpPrompt().id] : [])],
      groups: talks.map(describeGroup),
      followUps: talks.flatMap(({ followUps }) => followUps),
      insufficient: talks.flatMap(({ insufficient }) => insufficient),
      trimmed: plan.trimmed,
      unfit: [
        ...talks.flatMap(({ group, unfit }) => unfit.map((one) => ({ address: group.address, ...one }))),
        ...drafted.unfit,
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
  const { groups } = await planQuestions({ ...input, ...quiet })
  return estimateQuestions(
    input.gateway,
    groups.map(({ question }) => question),
    input.config.review,
  )
}

/** In waves, each settled before the next begins, so that what a budget allows does not depend on who is faster. */
async function askGroups(
  groups: readonly PlannedGroup[],
  plan: ReviewPlan,
  input: ReviewerInput,
): Promise<Conversation[]> {
  if (groups.length === 0) return []
  const { gateway, config, onEvent } = input
  const questions = groups.map(({ question }) => question)
  const estimate = estimateQuestions(gateway, questions, config.review)
  if (!(await input.mayAsk(estimate)))
    return groups.map((group) => notAsked(group, 'declined', 'the cost was not agreed to'))
  const done: Conversation[] = []
  for (let from = 0; from < groups.length; from += atOnce) {
    const wave = groups.slice(from, from + atOnce)
    let talks = await Promise.all(wave.map(async (group) => begin(group, await gateway.ask(group.question))))
    // One round more than there may be follow-ups: in it, what is still wanted is refused and told.
    for (let round = 1; round <= config.review.followUps + 1; round++)
      talks = await followUpRound(talks, round, input, plan.book)
    done.push(...talks)
    onEvent({ type: 'stage-progress', stage: 'review', done: done.length, total: groups.length })
  }
  return done
}

function draftAll(talks: readonly Conversation[], { book }: ReviewPlan, { context }: ReviewerInput) {
  const drafts: ReviewerOutcome['coverage']['drafts'] = []
  const groupOfDraft: number[] = []
  const unfit: ModelReport['unfit'] = []
  for (const [index, { group, tracked }] of talks.entries()) {
    const files = group.blocks.map(({ file }) => file.path)
    for (const { finding, repaired, withdrawn } of tracked) {
      const made = draftCandidate(finding, { change: context.change, book, files, repaired })
      drafts.push(withdrawn === null ? made.draft : { ...made.draft, withdrawn })
      groupOfDraft.push(index)
      unfit.push(...made.unfit.map((one) => ({ address: group.address, ...one })))
    }
  }
  return { drafts, groupOfDraft, unfit }
}

const words: Readonly<Record<Exclude<GroupOutcome, 'answered'>, string>> = {
  refused: 'the model declined to review it',
  truncated: 'the model ran into its output limit',
  unusable: "the model's answer could not be read",
  unreachable: 'no model could be reached',
  'over-budget': 'the budget does not allow it',
  declined: 'the cost was not agreed to',
  'not-asked': 'beyond the limit of groups',
}

function cover(talks: readonly Conversation[], { beyond }: ReviewPlan) {
  const unread: Map<string, { state: 'partly' | 'not-reviewed'; reason: string }> = new Map()
  for (const { group, outcome } of talks)
    for (const { file, cut } of group.blocks) {
      if (outcome !== 'answered')
        unread.set(file.path, { state: 'not-reviewed', reason: `not read by a model: ${words[outcome]}` })
      else if (cut !== null) unread.set(file.path, { state: 'partly', reason: cut })
    }
  for (const { path } of beyond)
    unread.set(path, {
      state: 'not-reviewed',
      reason: 'not read by a model: beyond limits.modelGroups',
    })
  const missed = talks.filter(({ outcome }) => outcome !== 'answered')
  const reasons = [
    ...new Set(missed.map(({ outcome, reason }) => `${outcome}${reason === null ? '' : `: ${reason}`}`)),
    ...(beyond.length > 0 ? [`${beyond.length} files are beyond limits.modelGroups`] : []),
  ]
  const state: 'ran' | 'partly' | 'failed' =
    talks.length > 0 && missed.length === talks.length ? 'failed' : reasons.length > 0 ? 'partly' : 'ran'
  return { unread, coverage: { plane: reviewerPlane, state, reason: reasons.join('; ') || null } }
}

function tellSuspicions(
  { groups, book }: ReviewPlan,
  { onEvent, note }: ReviewerInput,
): ModelReport['suspicions'] {
  const found = findSuspicions(
    groups.flatMap(({ blocks }) => blocks),
    book.items,
  )
  for (const suspicion of found) {
    onEvent({ type: 'injection-suspected', ...suspicion })
    note({ type: 'injection-suspected', address: 'quick', detail: { ...suspicion } })
  }
  return found
}

function wasFollowedUp({ followUps }: Conversation): boolean {
  return followUps.some(({ outcome }) => outcome !== null)
}

function describeGroup({
  group,
  outcome,
  reason,
  tracked,
  calls,
}: Conversation): ModelReport['groups'][number] {
  const prices = calls.map(({ usd }) => usd)
  return {
    address: group.address,
    files: group.blocks.map(({ file }) => file.path),
    outcome,
    reason,
    findings: tracked.length,
    usd: prices.reduce<number | null>((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0),
  }
}
