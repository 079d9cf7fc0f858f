/**
 * The whole product, told once. A change is frozen into a bundle, planes and models look at the bundle and nothing
 * else, and only what mechanical checks confirm becomes a finding:
 *
 *   collect ─▶ diff ─▶ context ─▶ planes ─▶ explore ─▶ triage ─▶ review ─▶ validate ─▶ refute ─▶ conclude ─▶ (publish)
 */
import { packageVersion } from '../base/package-root.ts'
import { redactStrings } from '../base/secrets/redact.ts'
import type { EventListener } from '../domain/events.ts'
import type { Verdict } from '../domain/finding.ts'
import type { Review } from '../domain/review.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { askModels, askNobody } from './ask-models.ts'
import { usualPanel } from './choose-planes.ts'
import { concludeReview } from './conclude/conclude-review.ts'
import type { PlaneOff } from './conclude/coverage.ts'
import { type Filters, noFilters } from './conclude/hide-findings.ts'
import { numberEvidence } from './context/number-evidence.ts'
import { checkCriteria } from './criteria/check-criteria.ts'
import { readChangeSet } from './diff/read-change-set.ts'
import { type ContextParts, freezeContext } from './freeze-context.ts'
import { lookTwice, reportLooks } from './look-twice.ts'
import type { ModelParts } from './model-parts.ts'
import type { Plane } from './planes/contract.ts'
import { runPlanes } from './planes/run-planes.ts'
import type { Panel } from './reviewer/panel/contract.ts'
import { createStageClock } from './stage-clock.ts'
import { signalsOf } from './synthesis/signals.ts'
import { synthesise } from './synthesis/synthesise.ts'
import type { Checker } from './validation/checker/contract.ts'
import type { Checks } from './validation/steps.ts'
import { validateCandidates } from './validation/validate.ts'

/** Everything a review needs from outside, chosen by `sightline.ts`; tests hand in their own. */
export type ReviewParts = ContextParts & {
  planes: readonly Plane[]
  /** Which planes a model is asked for; all that look at this depth when not given, null for none. */
  panel?: Panel | null
  /** Planes that usually look and do not; none when not given. */
  off?: readonly PlaneOff[]
  /** What is kept out of sight; nothing when not given. */
  filters?: Filters
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
    readChangeSet(await change.diff(), { ...config.paths, base, within: change.request.source.paths }),
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
  const concluded = await stage.run('conclude', async () => {
    const criteria = checkCriteria({
      tickets: config.context.leaveOut.includes('tickets') ? [] : (change.request.tickets ?? []),
      change: changeSet,
      ties: outcomes.flatMap(({ ties }) => ties),
      answers: asked.criteria,
    })
    const found = synthesise({ ...looked, outcomes: ran, insights: asked.insights })
    const whole = concludeReview({
      version: packageVersion,
      depth: asked.depth,
      ...looked,
      ...found,
      criteria,
      outcomes: ran,
      off: parts.off ?? [],
      filters: parts.filters ?? noFilters,
      parseFailures: facts.failures,
      config,
      run: { startedAt, stagesMs: stage.stagesMs, repository: change.repositoryLabel },
      unreadByModel: asked.unread,
      triage: asked.triage,
      models: reportLooks(asked, { ...looked, ...found }, drafts.length),
    })
    // The last thing before anything leaves: quotes were checked against the real text, and go out without secrets.
    return redactStrings(whole)
  })
  tellFates(concluded, onEvent)
  return concluded
}

/** What stands, and of all else which step dropped it and why. */
function tellFates({ findings, verdicts }: Review, onEvent: EventListener): void {
  for (const { rule, anchor, startLine, title } of findings)
    onEvent({ type: 'finding-kept', rule, path: anchor.path, line: startLine, title })
  for (const { candidate, outcome, step, reason } of verdicts)
    if (outcome === 'dropped') {
      const { rule, anchor } = candidate
      onEvent({ type: 'finding-dropped', rule, path: anchor.path, step, reason })
    }
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
