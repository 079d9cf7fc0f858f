/**
 * The part of a review that asks models, between the planes of code and validation: agree on the cost, explore, review.
 * `offlineAnswer` takes its place where no model is asked.
 */
import { once } from '../base/remembered.ts'
import type { Fence } from '../base/untrusted/untrusted.ts'
import type { ChangeSurroundings } from '../domain/change-set.ts'
import type { EarlierReview, RestsOn } from '../domain/earlier-review.ts'
import { openEvidenceBook } from '../domain/evidence.ts'
import type { Candidate, CandidateDraft } from '../domain/finding.ts'
import { pathOf } from '../domain/importance.ts'
import type { Journal } from '../domain/journal.ts'
import type { RunCost } from '../domain/model-call.ts'
import type { ModelEstimate } from '../domain/model-report.ts'
import type { Depth } from '../domain/review.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { Gateway } from '../llm/contract.ts'
import { changeRequestOf, openFence } from '../llm/fence-of-run.ts'
import { estimateExplore, exploreChange } from './explore/explore-change.ts'
import { renderScoutRequest } from './explore/scout-request.ts'
import { type CarriedOver, carryOver } from './incremental/carry-over.ts'
import { type Ties, whatItRestsOn } from './incremental/rests-on.ts'
import { estimateRefutation } from './refutation/estimate.ts'
import type { CodeQuestions } from './refutation/sources.ts'
import { askReviewers, estimateReviewers } from './reviewer/ask-reviewers.ts'
import type { ReviewerCoverage, ReviewerOutcome } from './reviewer/contract.ts'
import { otherModel } from './reviewer/group-questions.ts'
import { type Panel, panelFor } from './reviewer/panel.ts'
import { selectFiles } from './reviewer/plan-questions.ts'
import type { StageClock } from './stage-clock.ts'
import type { StageInput } from './stage-input.ts'

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

export type ModelInput = StageInput & {
  panel: Panel
  /** As the planes of code saw it; `context` also has the evidence they found. */
  frozen: ReviewContext
  candidates: readonly Candidate[]
  /** The last review of the same change; null where everything is to be asked. */
  earlier: EarlierReview | null
}

/** What the models answered. */
export type ModelAnswer = {
  /** The depth that really ran, which may be less than the one asked for. */
  depth: Depth
  /** The bundle with what was added to it for the models. */
  context: ReviewContext
  /** Those that were carried over are the last ones. */
  drafts: readonly CandidateDraft[]
  /** What was not asked because an earlier review answered it; null when everything was asked. */
  carried: CarriedOver | null
  /** Null where no model read anything. */
  restsOn: RestsOn | null
  /** Unverified: the places they name may not exist. */
  walkthrough: ReviewerOutcome['walkthrough']
  questions: ReviewerOutcome['questions']
  /** Of what code found; those of an earlier review are with what was carried over. */
  contests: ReviewerOutcome['contests']
  /** Of the readers; null when no model was to be asked. */
  coverage: ReviewerCoverage | null
  unread: ReviewerOutcome['unread']
  /** Files that models read whole, now or in the review that this one goes on from. */
  read: ReadonlySet<string>
  /** Null when no model was to be asked. */
  outcome: (ReviewerOutcome & { cost: RunCost }) | null
}

/**
 * From depth standard on, a cheap model gathers more context first. Of a change that was reviewed before, only what is new is
 * asked.
 */
export async function askModels(
  models: ModelParts,
  given: ModelInput,
  stage: StageClock,
): Promise<ModelAnswer> {
  const { gateway, journal, explorer } = models
  const asked = { ...given, panel: panelFor(given.panel, selectFiles(given.frozen.change).length) }
  const ties = await readTies(gateway, asked)
  const carried = ties && (await carryFrom(asked, ties))
  const uses = ties?.uses ?? new Map()
  const input = { ...asked, known: carried, uses }
  const fence = await openFence(input.frozen.hash, journal, changeRequestOf(input.frozen))
  const isAsked = selectFiles(newPart(input).change).length > 0
  const explores = input.config.review.depth !== 'quick' && !input.config.context.leaveOut.includes('explore')
  // The cost is confirmed before the first request, which at these depths is the scout's.
  const agreed = isAsked && input.panel.depth !== 'quick' ? await confirmCost(models, input, fence) : null
  const context =
    agreed && explores && explorer
      ? await stage.run('explore', () => exploreContext(models, explorer, input, fence))
      : input.context
  const outcome = await stage.run('review', () =>
    askReviewers({
      ...input,
      context,
      gateway,
      fence,
      // One for all questions: what was asked of it is not asked again.
      openTools: explorer && once(() => explorer.openToolbox('review', surroundingsOf(context))),
      mayAsk: agreed === null ? models.mayAsk : async () => agreed,
      note: (note) => journal?.note(note),
    }),
  )
  const wasRead = outcome.answered || carried !== null
  return {
    depth: wasRead ? depthOf(input.panel, context !== input.context || !isAsked) : 'offline',
    context: { ...context, evidence: [...outcome.evidence] },
    drafts: [...outcome.drafts, ...(carried?.drafts ?? [])],
    carried,
    restsOn: wasRead && ties ? withoutUnread(ties, outcome.unread) : null,
    walkthrough: outcome.walkthrough,
    questions: outcome.questions,
    contests: outcome.contests,
    coverage: outcome.coverage,
    unread: outcome.unread,
    read: new Set([...outcome.read, ...(carried?.files ?? [])]),
    outcome: { ...outcome, cost: gateway.cost() },
  }
}

/** What answers about each file will rest on. */
function readTies(
  gateway: Gateway,
  { panel, frozen: context, candidates, head, facts, config }: ModelInput,
): Promise<Ties | null> {
  const readers = panel.readers.map((reader) =>
    gateway.modelOf('reviewer', otherModel(reader, gateway) ?? undefined),
  )
  const models = [gateway.modelOf('scout'), ...readers, gateway.modelOf('judge')]
  const asked = { ...panel, models: models.map((one) => one?.model ?? null) }
  return whatItRestsOn({ context, candidates, head, facts, config, asked })
}

/** Whether a change does what a ticket asks for is judged of the whole change. */
async function carryFrom(
  { earlier, frozen, candidates, base, head, config }: ModelInput,
  now: Ties,
): Promise<CarriedOver | null> {
  const tickets = config.context.leaveOut.includes('tickets') ? [] : (frozen.request.tickets ?? [])
  if (!earlier || !config.review.incremental || tickets.length > 0) return null
  return await carryOver({ earlier, now, candidates, base, head })
}

/** Of a file that a model did not read, or not all of, nothing is known. */
function withoutUnread({ bundle, basis, files }: RestsOn, unread: ModelAnswer['unread']): RestsOn {
  return {
    bundle,
    basis,
    files: Object.fromEntries(Object.entries(files).filter(([path]) => !unread.has(path))),
  }
}

type NewInput = ModelInput & { known: CarriedOver | null; uses: Ties['uses'] }

/** The bundle without the files that are not asked about again. */
function newPart({ context, known }: Pick<NewInput, 'context' | 'known'>): ReviewContext {
  if (!known) return context
  const { change, symbols } = context
  return {
    ...context,
    change: { ...change, files: change.files.filter(({ path }) => !known.files.has(path)) },
    symbols: symbols.filter((symbol) => !known.files.has(pathOf(symbol))),
  }
}

/** For a review without models. */
export function offlineAnswer(context: ReviewContext): ModelAnswer {
  return {
    depth: 'offline',
    context,
    drafts: [],
    carried: null,
    restsOn: null,
    walkthrough: [],
    questions: [],
    contests: [],
    coverage: null,
    unread: new Map(),
    read: new Set(),
    outcome: null,
  }
}

/** A bundle without exploration is what depth quick reviews, whatever depth was asked for. */
function depthOf({ depth }: Panel, explored: boolean): Depth {
  return depth === 'standard' && !explored ? 'quick' : depth
}

/** Estimates the most that all questions together can cost, and asks whether to go on. */
async function confirmCost({ gateway, mayAsk }: ModelParts, input: NewInput, fence: Fence): Promise<boolean> {
  const { config } = input
  const context = newPart(input)
  const estimate = await estimateReviewers({ ...input, gateway, fence })
  const explores = !config.context.leaveOut.includes('explore')
  const refutation = estimateRefutation({ gateway, config, questions: estimate.calls })
  return mayAsk({
    ...estimate,
    explore: explores
      ? estimateExplore({ context, config, gateway, change: renderScoutRequest(context, fence) })
      : null,
    ...(refutation ? { refutation } : {}),
  })
}

/** The bundle with the evidence that a cheap model gathered, accounted for like any other section. */
async function exploreContext(
  { gateway, journal }: ModelParts,
  explorer: Explorer,
  { context, known, frozen, config, onEvent, signal }: NewInput,
  fence: Fence,
): Promise<ReviewContext> {
  const startedAt = performance.now()
  const fresh = newPart({ context, known })
  const { evidence, account } = await exploreChange({
    context: fresh,
    change: renderScoutRequest(fresh, fence),
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
