/** The model's part of a review, between planes and validation: left out at depth offline, and told for what it was. */
import type { FactStore } from '../code-index/contract.ts'
import type { Config } from '../config/schema.ts'
import type { EventListener } from '../domain/events.ts'
import type { Candidate, CandidateDraft, Verdict } from '../domain/finding.ts'
import type { Journal } from '../domain/journal.ts'
import type { RunCost } from '../domain/model-call.ts'
import type { ModelEstimate, ModelReport } from '../domain/model-report.ts'
import type { Depth } from '../domain/review.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { Gateway } from '../llm/contract.ts'
import { openFence } from './open-fence.ts'
import type { ReviewerCoverage, ReviewerOutcome } from './reviewer/contract.ts'
import { reviewBundle } from './reviewer/review-bundle.ts'

/** What a review that asks models needs besides. */
export type ModelParts = {
  gateway: Gateway
  /** Null keeps nothing. */
  journal: Journal | null
  /** Asked once, before the first question, with what it would take at most; false sends nothing. */
  mayAsk: (estimate: ModelEstimate) => Promise<boolean>
}

export type AskInput = {
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
  /** As one more plane. */
  coverage: readonly ReviewerCoverage[]
  unread: ReviewerOutcome['unread']
  /** Null when no model was to be asked. */
  outcome: (ReviewerOutcome & { cost: RunCost }) | null
}

export function askNobody(context: ReviewContext): Asked {
  return { depth: 'offline', context, drafts: [], coverage: [], unread: new Map(), outcome: null }
}

/** Deeper depths look as the quick one does until they have ways of their own. */
export async function askModels({ gateway, journal, mayAsk }: ModelParts, input: AskInput): Promise<Asked> {
  const outcome = await reviewBundle({
    ...input,
    gateway,
    fence: await openFence(input.frozen.hash, journal),
    mayAsk,
    note: (note) => journal?.note(note),
  })
  return {
    depth: outcome.looked ? 'quick' : 'offline',
    context: { ...input.context, evidence: [...outcome.evidence] },
    drafts: outcome.coverage.drafts,
    coverage: [outcome.coverage],
    unread: outcome.unread,
    outcome: { ...outcome, cost: gateway.cost() },
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
