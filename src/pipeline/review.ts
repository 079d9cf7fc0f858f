/**
 * The whole product, told once. A change is frozen into a bundle, planes and models look at the bundle and nothing
 * else, and only what mechanical checks confirm becomes a finding:
 *
 *   collect ─▶ diff ─▶ context ─▶ planes ─▶ explore ─▶ triage ─▶ review ─▶ validate ─▶ refute ─▶ conclude ─▶ (publish)
 */
import { canonicalJson, sha256 } from '../base/canonical-json.ts'
import { packageVersion } from '../base/package-root.ts'
import { redactStrings } from '../base/secrets/redact.ts'
import { OutOfTime, withinSeconds } from '../base/time-budget.ts'
import type { FactStore } from '../code-index/contract.ts'
import type { Config } from '../config/schema.ts'
import type { ChangeSet } from '../domain/change-set.ts'
import type { SymbolChange } from '../domain/code-symbol.ts'
import type { EventListener } from '../domain/events.ts'
import type { Verdict } from '../domain/finding.ts'
import type { Review } from '../domain/review.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { askModels, askNobody, type ModelParts } from './ask-models.ts'
import { usualPanel } from './choose-planes.ts'
import { concludeReview } from './conclude/conclude-review.ts'
import { buildContext } from './context/build-context.ts'
import { findTests } from './context/find-tests.ts'
import { gatherContext } from './context/gather.ts'
import { numberEvidence } from './context/number-evidence.ts'
import type { GraphRetrieval } from './context/retrieval/retrieve-graph.ts'
import { checkCriteria } from './criteria/check-criteria.ts'
import { readChangeSet } from './diff/read-change-set.ts'
import { diffSymbols } from './diff/symbol-changes.ts'
import { lookTwice, reportLooks } from './look-twice.ts'
import type { Plane } from './planes/contract.ts'
import { runPlanes } from './planes/run-planes.ts'
import type { Panel } from './reviewer/panel/contract.ts'
import { createStageClock } from './stage-clock.ts'
import { signalsOf } from './synthesis/signals.ts'
import { synthesise } from './synthesis/synthesise.ts'
import type { Checker } from './validation/checker/contract.ts'
import { type Checks, validateCandidates } from './validation/validate.ts'

/** Everything a review needs from outside, chosen by `sightline.ts`; tests hand in their own. */
export type ReviewParts = ContextParts & {
  planes: readonly Plane[]
  /** Which planes a model is asked for; all that look at this depth when not given, null for none. */
  panel?: Panel | null
  /** Null: no model is asked, whatever the configuration says. */
  models?: ModelParts | null
  /** Knows types; null where nobody is to be asked. */
  checker?: Checker | null
  /** What candidates must pass; all there is when not given. */
  checks?: Checks
  onEvent: EventListener
  now: () => Date
}

/** Never throws for a bad file or a failing plane: those make a smaller review that says what is missing. */
export async function review(change: CollectedChange, parts: ReviewParts): Promise<Review> {
  const { config, planes, facts, onEvent, signal } = parts
  const { base, head, history } = change
  const startedAt = parts.now()
  const stage = createStageClock(onEvent, signal)

  const changeSet = await stage.run('diff', async () =>
    readChangeSet(await change.diff(), { ...config.paths, base }),
  )
  const frozen = await stage.run('context', () => freezeContext(change, changeSet, parts))

  const outcomes = await stage.run('planes', () =>
    runPlanes(planes, { context: frozen, base, head, history, facts, config, signal }, (outcome) =>
      onEvent({
        type: 'plane-end',
        plane: outcome.plane,
        candidates: outcome.drafts.length,
        durationMs: outcome.durationMs,
      }),
    ),
  )
  const drafts = outcomes.flatMap((outcome) => outcome.drafts)
  const known = numberEvidence(frozen, drafts)

  const { models = null, panel = usualPanel(config.review.depth) } = parts
  const asked =
    models && panel
      ? await askModels(models, { ...known, panel, frozen, head, facts, config, onEvent, signal }, stage)
      : askNobody(known.context)
  const { context, candidates } = numberEvidence(asked.context, [...drafts, ...asked.drafts])
  const ran = [...outcomes, ...asked.coverage]

  const verdicts = await stage.run('validate', () =>
    validateCandidates(
      {
        candidates,
        context,
        base,
        head,
        history,
        facts,
        config,
        checker: parts.checker ?? null,
        planes: ran.map(({ plane }) => plane),
      },
      parts.checks,
    ),
  )
  tellSignals(ran, verdicts, onEvent)
  const looked = await lookTwice(
    models,
    { asked, frozen: frozen.hash, verdicts, context, base, head, facts, config, onEvent, signal },
    stage,
  )
  return stage.run('conclude', async () => {
    const criteria = await checkCriteria({
      tickets: config.context.leaveOut.includes('tickets') ? [] : (change.request.tickets ?? []),
      change: changeSet,
      head,
      answers: asked.criteria,
    })
    const found = synthesise({ ...looked, outcomes: ran, insights: asked.insights })
    const concluded = concludeReview({
      version: packageVersion,
      depth: asked.depth,
      ...looked,
      ...found,
      criteria,
      outcomes: ran,
      parseFailures: facts.failures,
      config,
      run: { startedAt, stagesMs: stage.stagesMs, repository: change.repositoryLabel },
      unreadByModel: asked.unread,
      triage: asked.triage,
      models: reportLooks(asked, { ...looked, ...found }, drafts.length),
    })
    // The last thing before anything leaves: quotes were checked against the real text, and go out without secrets.
    return redactStrings(concluded)
  })
}

/** Plane by plane: what it found stands as far as code alone can tell. */
function tellSignals(
  ran: readonly { plane: string }[],
  verdicts: readonly Verdict[],
  onEvent: EventListener,
): void {
  const planes = ran.map(({ plane }) => plane)
  const findings = verdicts.flatMap(({ finding }) => finding ?? [])
  for (const signal of signalsOf(planes, findings)) onEvent({ type: 'plane-signal', signal })
}

/** The bundle: the change, its symbols and tests, and at the deeper depths what lies around it in the repository. */
export async function freezeContext(
  { request, base, head, history }: CollectedChange,
  change: ChangeSet,
  { config, facts, retrieveGraph = null, signal }: ContextParts,
): Promise<ReviewContext> {
  const looksAround = config.review.depth === 'standard' || config.review.depth === 'deep'
  const [compared, gathered] = await Promise.all([
    compareSymbols({ change, base, head, facts }, config.limits.contextSeconds, signal),
    looksAround
      ? gatherContext({ request, change, base, head, history, config, retrieveGraph, signal })
      : { around: null, evidence: [], cuts: [] },
  ])
  const { symbols } = compared
  return buildContext({
    request,
    configHash: sha256(canonicalJson(config)),
    change,
    symbols,
    tests: await findTests({ symbols, change, head, globs: config.paths.tests }),
    evidence: gathered.evidence.map((item, index) => ({ id: `E${index + 1}`, ...item })),
    around: gathered.around,
    cuts: [...compared.cuts, ...gathered.cuts],
  })
}

/** What a bundle is made with. */
export type ContextParts = {
  config: Config
  facts: FactStore
  /** Looks around in the code of the head; null, or not given, where that is not possible. */
  retrieveGraph?: ((change: ChangeSet, signal: AbortSignal) => Promise<GraphRetrieval>) | null
  signal: AbortSignal
}

/** Without the syntactic diff the review is smaller, and the bundle says so inside its hash. */
async function compareSymbols(
  input: Parameters<typeof diffSymbols>[0],
  seconds: number,
  signal: AbortSignal,
): Promise<{ symbols: SymbolChange[]; cuts: string[] }> {
  try {
    return { symbols: await withinSeconds(seconds, signal, () => diffSymbols(input)), cuts: [] }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    return { symbols: [], cuts: [`the symbols of the changed files were not compared: ${error.message}`] }
  }
}
