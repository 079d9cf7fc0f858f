/**
 * The part of a review that asks models, between the planes of code and validation: agree on the cost, explore, triage,
 * review. `offlineAnswer` takes its place where no model is asked.
 */
import { randomBytes } from 'node:crypto'
import { canonicalJson } from '../base/canonical-json.ts'
import { createFence, type Fence } from '../base/untrusted/untrusted.ts'
import type { FactStore } from '../code-index/contract.ts'
import type { Config } from '../config/schema.ts'
import type { ChangeSurroundings } from '../domain/change-set.ts'
import type { Triage } from '../domain/coverage.ts'
import type { EventListener } from '../domain/events.ts'
import { openEvidenceBook } from '../domain/evidence.ts'
import type { Candidate, CandidateDraft } from '../domain/finding.ts'
import type { Journal, JournalRequest } from '../domain/journal.ts'
import type { RunCost } from '../domain/model-call.ts'
import type { ModelEstimate } from '../domain/model-report.ts'
import type { Depth, MemoryInsight } from '../domain/review.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { Gateway } from '../llm/contract.ts'
import { estimateExplore, exploreChange } from './explore/explore-change.ts'
import { renderScoutRequest } from './explore/scout-request.ts'
import type { CodeQuestions } from './refutation/dossier.ts'
import { estimateRefutation } from './refutation/question.ts'
import { askReviewers, estimateReviewers } from './reviewer/ask-reviewers.ts'
import type { CriterionAnswer, ReviewerCoverage, ReviewerOutcome } from './reviewer/contract.ts'
import { type Panel, withoutIdlePlanes } from './reviewer/panel/panels.ts'
import { selectFiles } from './reviewer/plan-questions.ts'
import { sumEstimates } from './reviewer/question-size.ts'
import type { StageClock } from './stage-clock.ts'
import { estimateTriage, type TriageInput, triageFiles } from './triage/triage-files.ts'

/** What a review that asks models needs besides. */
export type ModelParts = {
  gateway: Gateway
  /** Null keeps nothing. */
  journal: Journal | null
  /** Called once, before the first question, with what it would take at most; false sends nothing. */
  mayAsk: (estimate: ModelEstimate) => Promise<boolean>
  /** Null where the repository cannot be searched; the explore stage is then left out. */
  explorer: Explorer | null
}

/** What the explore and refute stages ask of the tree, opened when it is needed. */
export type Explorer = CodeQuestions & {
  /** Seconds since `startedAt` of `performance.now()`, as they were when this run was first recorded. */
  elapsedSeconds: (bundle: string, iteration: number, startedAt: number) => Promise<number>
}

export type ModelInput = {
  panel: Panel
  /** As the planes of code saw it; `context` also has the evidence they found. */
  frozen: ReviewContext
  context: ReviewContext
  candidates: readonly Candidate[]
  head: RepoSnapshot
  facts: FactStore
  config: Config
  onEvent: EventListener
  signal: AbortSignal
}

/** What the models answered. */
export type ModelAnswer = {
  /** The depth that really ran, which may be less than the one asked for. */
  depth: Depth
  /** The bundle with what was added to it for the models. */
  context: ReviewContext
  drafts: readonly CandidateDraft[]
  criteria: readonly CriterionAnswer[]
  insights: readonly MemoryInsight[]
  /** Unverified: the places they name may not exist. */
  walkthrough: ReviewerOutcome['walkthrough']
  questions: ReviewerOutcome['questions']
  triage: Triage | null
  /** Of each plane of the panel. */
  coverage: readonly ReviewerCoverage[]
  unread: ReviewerOutcome['unread']
  /** Null when no model was to be asked. */
  outcome: (ReviewerOutcome & { cost: RunCost }) | null
}

/** From depth standard on, a cheap model gathers more context first; at depth deep, triage then limits what is asked. */
export async function askModels(
  models: ModelParts,
  asked: ModelInput,
  stage: StageClock,
): Promise<ModelAnswer> {
  const { gateway, journal, explorer } = models
  const { panel, idle } = withoutIdlePlanes(asked.panel, asked.context, asked.candidates)
  const input = { ...asked, panel }
  const fence = await openFence(input.frozen.hash, journal, changeRequestOf(input.frozen))
  const explores = input.config.review.depth !== 'quick' && !input.config.context.leaveOut.includes('explore')
  const triages = input.panel.depth === 'deep'
  // The cost is confirmed before the first request, which at these depths is the scout's.
  const agreed = input.panel.depth !== 'quick' ? await confirmCost(models, input, fence) : null
  const context =
    agreed && explores && explorer
      ? await stage.run('explore', () => exploreContext(models, explorer, input, fence))
      : input.context
  const triage =
    agreed && triages ? await stage.run('triage', () => triageFiles(triageInput(models, input, fence))) : null
  const outcome = await stage.run('review', () =>
    askReviewers({
      ...input,
      context,
      triage,
      gateway,
      fence,
      mayAsk: agreed === null ? models.mayAsk : async () => agreed,
      note: (note) => journal?.note(note),
    }),
  )
  return {
    depth: outcome.answered ? depthOf(input.panel, context !== input.context) : 'offline',
    context: { ...context, evidence: [...outcome.evidence] },
    drafts: outcome.drafts,
    criteria: outcome.criteria,
    insights: outcome.insights,
    walkthrough: outcome.walkthrough,
    questions: outcome.questions,
    triage,
    coverage: [
      ...outcome.coverage,
      ...idle.map((one) => ({ ...one, state: 'skipped' as const, drafts: [], byModel: true as const })),
    ],
    unread: outcome.unread,
    outcome: { ...outcome, cost: gateway.cost() },
  }
}

/** For a review without models. */
export function offlineAnswer(context: ReviewContext): ModelAnswer {
  return {
    depth: 'offline',
    context,
    drafts: [],
    criteria: [],
    insights: [],
    walkthrough: [],
    questions: [],
    triage: null,
    coverage: [],
    unread: new Map(),
    outcome: null,
  }
}

/** One reviewer over a bundle without exploration is a quick review, whatever depth was asked for. */
function depthOf({ depth }: Panel, explored: boolean): Depth {
  return depth === 'standard' && !explored ? 'quick' : depth
}

/** Estimates the most that all questions together can cost, and asks whether to go on. */
async function confirmCost(
  { gateway, mayAsk }: ModelParts,
  input: ModelInput,
  fence: Fence,
): Promise<boolean> {
  const { context, config } = input
  const estimate = await estimateReviewers({ ...input, triage: null, gateway, fence })
  const explores = !config.context.leaveOut.includes('explore')
  const first = [
    explores
      ? estimateExplore({ context, config, gateway, change: renderScoutRequest(context, fence) })
      : null,
    input.panel.depth === 'deep' ? estimateTriage(triageInput({ gateway }, input, fence)) : null,
  ].filter((one) => one !== null)
  const refutation = estimateRefutation({ gateway, config, questions: estimate.calls })
  return mayAsk({
    ...estimate,
    explore: first.length === 0 ? null : sumEstimates(first),
    ...(refutation ? { refutation } : {}),
  })
}

/** The bundle with the evidence that a cheap model gathered, accounted for like any other section. */
async function exploreContext(
  { gateway, journal }: ModelParts,
  explorer: Explorer,
  { context, frozen, config, onEvent, signal }: ModelInput,
  fence: Fence,
): Promise<ReviewContext> {
  const startedAt = performance.now()
  const { evidence, account } = await exploreChange({
    context,
    change: renderScoutRequest(context, fence),
    gateway,
    toolbox: await explorer.openToolbox('explore', surroundingsOf(context)),
    fence,
    config,
    elapsedSeconds: (iteration) => explorer.elapsedSeconds(frozen.hash, iteration, startedAt),
    onEvent,
    note: (note) => journal?.note(note),
    signal,
  })
  const book = openEvidenceBook(context.evidence)
  for (const item of evidence) book.add(item)
  const around = context.around ?? { tickets: [], history: null, instructions: [], sections: [] }
  return {
    ...context,
    evidence: [...book.items],
    around: { ...around, sections: [...around.sections, account] },
  }
}

function surroundingsOf({ change, evidence }: ReviewContext): ChangeSurroundings {
  const related = new Set(evidence.flatMap(({ path }) => path ?? []))
  return {
    changed: change.files.map(({ path, oldPath }) => ({ path, oldPath })),
    related: [...related].sort(),
  }
}

/** Uses the bundle as it was before exploration: what a file is worth asking about follows from its change alone. */
function triageInput(
  { gateway }: Pick<ModelParts, 'gateway'>,
  { context, candidates, config, panel, onEvent, signal }: ModelInput,
  fence: Fence,
): TriageInput {
  return {
    files: selectFiles(context.change, config),
    categories: new Set(panel.planes.flatMap(({ categories }) => categories)),
    candidates,
    scout: config.triage.scout,
    change: renderScoutRequest(context, fence),
    gateway,
    fence,
    onEvent,
    signal,
  }
}

/** The same for all heads of one change request; null for a change that has none. */
function changeRequestOf({ request: { repository, changeRequest } }: ReviewContext): string | null {
  return repository && changeRequest ? `${repository.host} ${repository.id} ${changeRequest.number}` : null
}

/**
 * The fence of a run. Its token is random, so the author of a change cannot predict it; a token computed from the bundle
 * could be computed by the author as well. The journal records it under the bundle's hash, so that a replayed or resumed
 * run writes the same prompts byte for byte on any machine. It also records it under the change request, whose next head
 * then leads to the same prompts where nothing else changed, and those are paid for once. A token that became known does no
 * harm: the fence removes it from foreign text. `journal` null: the token is new each time.
 */
export async function openFence(
  bundle: string,
  journal: Journal | null,
  changeRequest: string | null = null,
): Promise<Fence> {
  const ofBundle = fenceRequest({ bundle })
  const kept = await keptToken(journal, ofBundle)
  if (kept !== null) return createFence(kept)
  const ofChange = changeRequest === null ? null : fenceRequest({ changeRequest })
  const earlier = ofChange && (await keptToken(journal, ofChange))
  const token = earlier ?? randomBytes(8).toString('hex')
  for (const request of earlier === null && ofChange ? [ofBundle, ofChange] : [ofBundle])
    await journal?.record(request, {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: canonicalJson({ token }),
      durationMs: 0,
    })
  return createFence(token)
}

function fenceRequest(input: Record<string, string>): JournalRequest {
  return { kind: 'random', address: 'fence', purpose: 'fence', input }
}

async function keptToken(journal: Journal | null, request: JournalRequest): Promise<string | null> {
  const kept = (await journal?.find(request, { patienceMs: 10_000 }))?.body
  return (kept === undefined ? null : /^\{"token":"([0-9a-f]{16})"\}$/.exec(kept)?.[1]) ?? null
}
