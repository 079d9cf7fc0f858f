/**
 * The whole product in one function. A change is frozen into a bundle, planes and models read that bundle and nothing
 * else, and only what mechanical checks confirm becomes a finding:
 *
 *   collect ─▶ diff ─▶ context ─▶ planes ─▶ explore ─▶ review ─▶ (mutants) ─▶ validate ─▶ refute ─▶ (prove) ─▶ conclude ─▶ (publish)
 */
import { packageVersion } from '../base/package-root.ts'
import { redactStrings } from '../base/secrets/redact.ts'
import type { ChangeSet } from '../domain/change-set.ts'
import type { SymbolChange } from '../domain/code-symbol.ts'
import type { StoppedReview } from '../domain/coverage.ts'
import type { EventListener } from '../domain/events.ts'
import type { Verdict } from '../domain/finding.ts'
import type { Review } from '../domain/review.ts'
import type { SymbolReach } from '../domain/symbol-reach.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import type { LedgerView } from '../ledger/settle.ts'
import { settleReview } from '../ledger/settle-review.ts'
import { askModels, type ModelParts, offlineAnswer } from './ask-models.ts'
import { defaultPanel } from './choose-planes.ts'
import { concludeReview, type Filters, noFilters } from './conclude/conclude-review.ts'
import type { PlaneOff } from './conclude/coverage.ts'
import { checkQuestions, checkWalkthrough } from './conclude/model-words.ts'
import { numberEvidence } from './context/build-context.ts'
import { reportCode } from './context/report-code.ts'
import { checkCriteria } from './criteria/check-criteria.ts'
import { readChangeSet } from './diff/read-change-set.ts'
import { findUncheckedLines, noneUnchecked } from './find-unchecked-lines.ts'
import { type ContextParts, freezeContext } from './freeze-context.ts'
import type { Plane } from './planes/contract.ts'
import { beginEarly, type PlaneOutcome, runPlanes } from './planes/run-planes.ts'
import { type Proofs, type Prover, proveFindings } from './prove-findings.ts'
import type { Panel } from './reviewer/panel.ts'
import { createStageClock } from './stage-clock.ts'
import { signalsOf, synthesise } from './synthesis/synthesise.ts'
import type { Checker } from './validation/checker/contract.ts'
import type { Checks } from './validation/steps.ts'
import { validateCandidates } from './validation/validate.ts'
import { reportModels, verifyFindings, withProofs } from './verify-findings.ts'

/** Whom the change may affect; nothing where it took too long. */
export type FindReach = (change: ChangeSet, symbols: readonly SymbolChange[]) => Promise<SymbolReach[]>

/** Everything a review needs from outside, chosen by `sightline.ts`; tests hand in their own. */
export type ReviewParts = ContextParts & {
  planes: readonly Plane[]
  /** The readers that are models; by default those of the depth, null for none. */
  panel?: Panel | null
  /** Planes of this depth that were switched off or filtered out; none by default. */
  off?: readonly PlaneOff[]
  /** How far an earlier attempt came that the watchdog ended; null, or not given, for none. */
  stopped?: StoppedReview | null
  /** Which findings are hidden; none by default. */
  filters?: Filters
  /** Null: no model is asked, whatever the configuration says. */
  models?: ModelParts | null
  /** Whom the change affects, at depths that collect no code around it; null, or not given, where there is no index to ask. */
  findReach?: FindReach | null
  /** Null, or not given: no test of a finding is written or run. */
  prover?: Prover | null
  /** A type checker; null for none. */
  checker?: Checker | null
  /** What candidates must pass; every check by default. */
  checks?: Checks
  /** What is known of the change from before: earlier answers, and what was dismissed. Nothing when not given. */
  ledger?: LedgerView
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
  const input = { base, head, facts, config, onEvent, signal }
  const changeInput = { ...input, change: changeSet, history }
  const early = beginEarly(planes, changeInput)
  const frozen = await stage.run('context', () =>
    freezeContext(change, changeSet, { ...parts, remembered: parts.ledger ?? null }),
  )
  await reportCode(frozen, history, onEvent)

  const [outcomes, reach] = await stage.run('planes', () =>
    Promise.all([
      runPlanes(planes, { ...changeInput, context: frozen }, (one) => reportPlane(one, onEvent), early),
      frozen.around === null ? (parts.findReach?.(changeSet, frozen.symbols) ?? []) : [],
    ]),
  )
  const drafts = outcomes.flatMap((outcome) => outcome.drafts)
  const bundle = numberEvidence(frozen, drafts)

  const { models = null, panel = defaultPanel(config.review.depth), ledger } = parts
  const earlier = ledger?.earlier ?? null
  const answer =
    models && panel
      ? await askModels(models, { ...input, ...bundle, panel, frozen, earlier }, stage)
      : offlineAnswer(bundle.context)
  const { prover = null } = parts
  const unchecked =
    prover?.mutants && answer.depth === 'deep'
      ? await stage.run('mutants', () => findUncheckedLines(prover, { ...input, context: answer.context }))
      : noneUnchecked
  // Candidates are numbered in this order, by which those of models are told from those of code later on.
  const all = [...drafts, ...answer.drafts, ...unchecked.drafts]
  const { context, candidates } = numberEvidence(answer.context, all)
  const allOutcomes = [...outcomes, ...(answer.coverage ? [answer.coverage] : [])]

  const verdicts = await stage.run('validate', () =>
    validateCandidates(
      {
        ...input,
        candidates,
        context,
        history,
        checker: parts.checker ?? null,
        planes: allOutcomes.map(({ plane }) => plane),
      },
      parts.checks,
    ),
  )
  reportSignals(allOutcomes, verdicts, onEvent)
  const checked = await verifyFindings(
    models,
    { ...input, answer, frozenHash: frozen.hash, ofCode: drafts.length, verdicts, context },
    stage,
  )
  const proofs: Proofs | null =
    models && prover?.most && answer.depth !== 'offline'
      ? await stage.run('prove', () => proveFindings(prover, models, { ...input, ...checked }))
      : null
  const verified = { ...checked, verdicts: proofs?.verdicts ?? checked.verdicts }
  const concluded = await stage.run('conclude', async () => {
    const settled = await settleReview(verified.verdicts, change, changeSet, {
      view: ledger,
      model: answer.outcome?.report.model ?? null,
    })
    const criteria = checkCriteria({
      tickets: config.context.leaveOut.includes('tickets') ? [] : (change.request.tickets ?? []),
      ties: outcomes.flatMap(({ ties }) => ties),
    })
    const left = { ...verified, verdicts: settled.verdicts }
    const synthesis = synthesise({
      ...left,
      refutations: left.refutations ?? [],
      outcomes: allOutcomes,
      talkative: config.review.show,
    })
    const result = concludeReview({
      version: packageVersion,
      depth: answer.depth,
      ...left,
      ...synthesis,
      reach,
      dismissed: settled.dismissed,
      ledgerRemarks: ledger?.remarks ?? [],
      notes: ledger?.memory.notes ?? [],
      criteria,
      walkthrough: checkWalkthrough(answer.walkthrough, changeSet),
      questions: checkQuestions(answer.questions, changeSet),
      outcomes: allOutcomes,
      off: parts.off ?? [],
      stopped: parts.stopped ?? null,
      filters: parts.filters ?? noFilters,
      parseFailures: facts.failures,
      config,
      run: { startedAt, stagesMs: stage.stagesMs, repository: change.repositoryLabel },
      unreadByModel: answer.unread,
      readByModel: answer.read,
      carried: answer.carried,
      reproductions: proofs?.reproductions ?? [],
      mutantRemarks: unchecked.remarks,
      models: withProofs(
        reportModels(answer, { ...left, ...synthesis }, drafts.length),
        proofs,
        models?.gateway.cost() ?? null,
      ),
    })
    // Last of all, since quotes had to be checked against the real text: secrets are masked.
    return redactStrings(result)
  })
  reportVerdicts(concluded, onEvent)
  return concluded
}

function reportPlane({ plane, drafts, durationMs }: PlaneOutcome, onEvent: EventListener): void {
  onEvent({ type: 'plane-end', plane, candidates: drafts.length, durationMs })
}

/** Every finding kept, and every candidate dropped, with the step that dropped it and why. */
function reportVerdicts({ findings, verdicts }: Review, onEvent: EventListener): void {
  for (const { rule, anchor, startLine, title } of findings)
    onEvent({ type: 'finding-kept', rule, path: anchor.path, line: startLine, title })
  for (const { candidate, outcome, step, reason } of verdicts)
    if (outcome === 'dropped') {
      const { rule, anchor } = candidate
      onEvent({ type: 'finding-dropped', rule, path: anchor.path, step, reason })
    }
}

/** What each plane says as a whole, from what code confirmed so far. */
function reportSignals(
  outcomes: readonly { plane: string }[],
  verdicts: readonly Verdict[],
  onEvent: EventListener,
): void {
  const planes = outcomes.map(({ plane }) => plane)
  const findings = verdicts.flatMap(({ finding }) => finding ?? [])
  for (const signal of signalsOf(planes, findings)) onEvent({ type: 'plane-signal', signal })
}
