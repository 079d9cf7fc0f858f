/** The model's part of a review, between planes and validation: left out at depth offline, and told for what it was. */
import type { Toolbox } from '../agent/contract.ts'
import type { Fence } from '../base/untrusted/untrusted.ts'
import type { FactStore } from '../code-index/contract.ts'
import type { Config } from '../config/schema.ts'
import type { EventListener } from '../domain/events.ts'
import { openEvidenceBook } from '../domain/evidence-book.ts'
import type { Candidate, CandidateDraft, Verdict } from '../domain/finding.ts'
import type { Journal } from '../domain/journal.ts'
import type { MemoryInsight } from '../domain/memory-insight.ts'
import type { RunCost } from '../domain/model-call.ts'
import type { ModelEstimate, ModelReport } from '../domain/model-report.ts'
import type { Depth } from '../domain/review.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { Triage } from '../domain/triage.ts'
import type { Gateway } from '../llm/contract.ts'
import { estimateExplore } from './explore/estimate-explore.ts'
import { exploreChange } from './explore/explore-change.ts'
import { openFence } from './open-fence.ts'
import { estimateRefutation } from './refutation/estimate.ts'
import type { CriterionAnswer, ReviewerCoverage, ReviewerOutcome } from './reviewer/contract.ts'
import { sumEstimates } from './reviewer/estimate.ts'
import { selectFiles } from './reviewer/groups/select-files.ts'
import type { Panel } from './reviewer/panel/contract.ts'
import { renderForScout } from './reviewer/render/for-scout.ts'
import { estimateBundle, reviewBundle } from './reviewer/review-bundle.ts'
import type { StageClock } from './stage-clock.ts'
import { estimateTriage, type TriageInput, triageFiles } from './triage/triage-files.ts'

/** What a review that asks models needs besides. */
export type ModelParts = {
  gateway: Gateway
  /** Null keeps nothing. */
  journal: Journal | null
  /** Asked once, before the first question, with what it would take at most; false sends nothing. */
  mayAsk: (estimate: ModelEstimate) => Promise<boolean>
  /** Null where the repository cannot be looked around in; then nobody explores. */
  explorer: Explorer | null
}

/** What the explore stage works with, opened when it is needed. */
export type Explorer = {
  openToolbox: () => Promise<Toolbox>
  /** Seconds since `startedAt` of `performance.now()`, as they were when this run was first made. */
  elapsedSeconds: (bundle: string, iteration: number, startedAt: number) => Promise<number>
}

export type AskInput = {
  panel: Panel
  /** As planes saw it, and with the evidence they brought. */
  frozen: ReviewContext
  context: ReviewContext
  candidates: readonly Candidate[]
  head: RepoSnapshot
  facts: FactStore
  config: Config
  onEvent: EventListener
  signal: AbortSignal
}

export type Asked = {
  /** The one that really ran. */
  depth: Depth
  /** The bundle with what was added to it for the models. */
  context: ReviewContext
  drafts: readonly CandidateDraft[]
  criteria: readonly CriterionAnswer[]
  insights: readonly MemoryInsight[]
  triage: Triage | null
  /** Of each plane of the panel. */
  coverage: readonly ReviewerCoverage[]
  unread: ReviewerOutcome['unread']
  /** Null when no model was to be asked. */
  outcome: (ReviewerOutcome & { cost: RunCost }) | null
}

export function askNobody(context: ReviewContext): Asked {
  return {
    depth: 'offline',
    context,
    drafts: [],
    criteria: [],
    insights: [],
    triage: null,
    coverage: [],
    unread: new Map(),
    outcome: null,
  }
}

/** Above depth quick a cheap model gathers more first; at depth deep planes are asked where triage left something. */
export async function askModels(models: ModelParts, input: AskInput, stage: StageClock): Promise<Asked> {
  const { gateway, journal, explorer } = models
  const fence = await openFence(input.frozen.hash, journal)
  const explores = input.config.review.depth !== 'quick' && !input.config.context.leaveOut.includes('explore')
  const triages = input.panel.depth === 'deep'
  // Whoever may decline the cost is asked before the first word is sent, which at these depths is the scout's.
  const agreed = input.panel.depth !== 'quick' ? await mayAskAll(models, input, fence) : null
  const context =
    agreed && explores && explorer
      ? await stage.run('explore', () => exploreFirst(models, explorer, input, fence))
      : input.context
  const triage =
    agreed && triages ? await stage.run('triage', () => triageFiles(toTriage(models, input, fence))) : null
  const outcome = await stage.run('review', () =>
    reviewBundle({
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
    depth: outcome.looked ? depthOf(input.panel, context !== input.context) : 'offline',
    context: { ...context, evidence: [...outcome.evidence] },
    drafts: outcome.drafts,
    criteria: outcome.criteria,
    insights: outcome.insights,
    triage,
    coverage: outcome.coverage,
    unread: outcome.unread,
    outcome: { ...outcome, cost: gateway.cost() },
  }
}

/** One reviewer over a bundle that nobody explored is a quick look, whatever was asked for. */
function depthOf({ depth }: Panel, explored: boolean): Depth {
  return depth === 'standard' && !explored ? 'quick' : depth
}

async function mayAskAll({ gateway, mayAsk }: ModelParts, input: AskInput, fence: Fence): Promise<boolean> {
  const { context, config } = input
  const estimate = await estimateBundle({ ...input, triage: null, gateway, fence })
  const explores = !config.context.leaveOut.includes('explore')
  const first = [
    explores ? estimateExplore({ context, config, gateway, change: renderForScout(context, fence) }) : null,
    input.panel.depth === 'deep' ? estimateTriage(toTriage({ gateway }, input, fence)) : null,
  ].filter((one) => one !== null)
  const refutation = estimateRefutation({ gateway, config, questions: estimate.calls })
  return mayAsk({
    ...estimate,
    explore: first.length === 0 ? null : sumEstimates(first),
    ...(refutation ? { refutation } : {}),
  })
}

/** By the bundle as it is before anybody explored it: what a file is worth asking about follows from its change. */
function toTriage(
  { gateway }: Pick<ModelParts, 'gateway'>,
  { context, candidates, config, panel, onEvent, signal }: AskInput,
  fence: Fence,
): TriageInput {
  return {
    files: selectFiles(context.change, config),
    categories: new Set(panel.planes.flatMap(({ categories }) => categories)),
    candidates,
    scout: config.triage.scout,
    change: renderForScout(context, fence),
    gateway,
    fence,
    onEvent,
    signal,
  }
}

/** The bundle with what was gathered; it is accounted for like any other section. */
async function exploreFirst(
  { gateway, journal }: ModelParts,
  explorer: Explorer,
  { context, frozen, config, onEvent, signal }: AskInput,
  fence: Fence,
): Promise<ReviewContext> {
  const startedAt = performance.now()
  const { evidence, account } = await exploreChange({
    context,
    change: renderForScout(context, fence),
    gateway,
    toolbox: await explorer.openToolbox(),
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

/**
 * What was asked and what it cost, also each finding: the calls of its group, shared evenly among its findings that
 * stand. `before`: how many candidates came before those of the model. Null when no model was to be asked.
 */
export function reportModels(
  { outcome }: Asked,
  verdicts: readonly Verdict[],
  before: number,
): Reported | null {
  if (!outcome) return null
  const { report, groupOfDraft, cost } = outcome
  const groupOf = new Map(groupOfDraft.map((group, index) => [`C${before + index + 1}`, group]))
  const standing = verdicts.flatMap(({ finding }) => {
    const group = groupOf.get(finding?.id ?? '')
    return finding && group !== undefined ? [{ id: finding.id, group }] : []
  })
  const findingCosts = standing.map(({ id, group }) => {
    const usd = report.groups[group]?.usd ?? null
    const sharers = standing.filter((other) => other.group === group).length
    return { finding: id, usd: usd === null ? null : usd / sharers }
  })
  return { report: { ...report, findingCosts }, cost }
}

export type Reported = { report: ModelReport; cost: RunCost }
