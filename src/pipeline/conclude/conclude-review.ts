/** Puts the review together: summary, findings, coverage, conclusion, confidence. A pure function of its input. */
import { compareText } from '../../base/compare-text.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import { decideConclusion } from '../../domain/conclusion.ts'
import type { Contest } from '../../domain/contest.ts'
import type { Coverage } from '../../domain/coverage.ts'
import type { Evidence } from '../../domain/evidence.ts'
import {
  type Citation,
  checkFailed,
  type Finding,
  type Refutation,
  type Verdict,
} from '../../domain/finding.ts'
import { pathOf, rankFiles } from '../../domain/importance.ts'
import type { MemoryNote } from '../../domain/memory.ts'
import type { RunCost } from '../../domain/model-call.ts'
import type { ModelReport } from '../../domain/model-report.ts'
import type { Reproduction } from '../../domain/reproduction.ts'
import type {
  AuthorQuestion,
  Conflict,
  Depth,
  DismissedFinding,
  HiddenFinding,
  PlaneSignal,
  Review,
  WalkthroughStep,
} from '../../domain/review.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import { isAtLeast, type Severity } from '../../domain/severity.ts'
import type { SymbolReach } from '../../domain/symbol-reach.ts'
import type { CriterionCheck } from '../../domain/ticket.ts'
import { firstLine, loweredBy } from '../../ledger/settle.ts'
import { rateConfidence } from './confidence.ts'
import { buildCoverage, type CoverageInput, type PlaneOutcome } from './coverage.ts'
import { describeFile, keyChangesOf } from './key-changes.ts'
import { summarise } from './summary.ts'
import { count } from './words.ts'

/** Which findings are hidden. Filters never change the conclusion, the confidence or the exit code. */
export type Filters = {
  /** Findings below it are hidden; `by` names the filter as it was given. */
  minSeverity: { severity: Severity; by: string }
  /** Planes whose findings are hidden, each with the filter that does it. */
  planes: ReadonlyMap<string, string>
}

export const noFilters: Filters = { minSeverity: { severity: 'low', by: '' }, planes: new Map() }

export type ConclusionInput = CoverageInput & {
  version: string
  depth: Depth
  /** Kept findings come first, the most important at the top. */
  verdicts: readonly Verdict[]
  run: { startedAt: Date; stagesMs: Readonly<Record<string, number>>; repository: string }
  /** Null when no model was to be asked. */
  models?: { report: ModelReport; cost: RunCost } | null
  /** Null, or not given, where the depth asks for no independent check. */
  refutations?: readonly Refutation[] | null
  /** None by default. */
  contests?: readonly Contest[]
  /** Of findings that a test was to show; none by default. */
  reproductions?: readonly Reproduction[]
  /** What of the mutants could not be tried; nothing by default. */
  mutantRemarks?: readonly string[]
  /** From synthesis; shown where models were asked, or where there are any. */
  signals?: readonly PlaneSignal[]
  conflicts?: readonly Conflict[]
  /** Checked; it takes the place of what code counts about symbols. */
  walkthrough?: readonly WalkthroughStep[]
  questions?: readonly AuthorQuestion[]
  /** Whom the change may affect, where no code was collected around it. */
  reach?: readonly SymbolReach[]
  /** Null, or not given, without a ticket. */
  criteria?: readonly CriterionCheck[] | null
  filters?: Filters
  /** Findings that do not count, because they were dismissed. */
  dismissed?: readonly DismissedFinding[]
  /** What of the ledger could not be used. */
  ledgerRemarks?: readonly string[]
  /** The notes of the base. */
  notes?: readonly MemoryNote[]
}

export function concludeReview(input: ConclusionInput): Review {
  const { version, depth, context, verdicts, run, models, refutations = null, criteria = null } = input
  const { signals = [], conflicts = [], filters = noFilters } = input
  const { walkthrough = [], questions = [], dismissed = [], ledgerRemarks = [] } = input
  const { reproductions = [], mutantRemarks = [], reach = [], contests = [] } = input
  const outcomes = withFailedChecks(input.outcomes, verdicts)
  const covered = withUncheckedFindings(buildCoverage({ ...input, outcomes }), refutations ?? [])
  const limits = [...covered.limits, ...describeUntried(reproductions), ...mutantRemarks, ...ledgerRemarks]
  const coverage = { ...covered, limits }
  const findings = verdicts.flatMap(({ finding }) => finding ?? [])
  const { shown, hidden } = hideFindings(findings, filters)
  const looked = depth !== 'offline'
  const groups = models?.report.groups ?? []
  const durationMs = Object.values(run.stagesMs).reduce((sum, stage) => sum + stage, 0)
  return {
    schemaVersion: 1,
    tool: { name: 'sightline', version },
    depth,
    request: context.request,
    context: context.hash,
    summary: summarise(context, verdicts, { reach, isToldByModel: walkthrough.length > 0 }),
    keyChanges: keyChangesOf(context.change.files, context.symbols),
    ...(walkthrough.length > 0 ? { walkthrough: [...walkthrough] } : {}),
    files: summariseFiles(
      context,
      findings.map(({ anchor }) => anchor.path),
    ),
    findings: shown,
    ...(hidden.length > 0 ? { hidden } : {}),
    ...(dismissed.length > 0 ? { dismissed: [...dismissed] } : {}),
    evidence: citedEvidence(context, verdicts, [...(refutations ?? []), ...contests]),
    verdicts: [...verdicts],
    coverage,
    conclusion: decideConclusion({ findings, hidden, dismissed, coverage, looked, groups }),
    confidence: rateConfidence(coverage, verdicts, depth, refutations ?? []),
    run: {
      startedAt: run.startedAt.toISOString(),
      durationMs,
      stagesMs: { ...run.stagesMs },
      repository: visibleLine(run.repository),
      ...(models ? { cost: models.cost } : {}),
    },
    ...(models ? { models: models.report } : {}),
    ...(signals.length > 0 ? { signals: [...signals] } : {}),
    ...(models || conflicts.length > 0 ? { conflicts: [...conflicts] } : {}),
    ...(refutations ? { refutations: [...refutations] } : {}),
    ...(contests.length > 0 ? { contests: [...contests] } : {}),
    ...(reproductions.length > 0 ? { reproductions: [...reproductions] } : {}),
    ...(criteria ? { criteria: [...criteria] } : {}),
    ...(questions.length > 0 ? { questions: [...questions] } : {}),
    ...instructionsOf(context, looked),
    ...memoryOf(input, findings, looked),
  }
}

/** Without a model, nothing read them. */
function instructionsOf({ around }: ReviewContext, looked: boolean): Pick<Review, 'instructions'> {
  const paths = (around?.instructions ?? []).map(({ path }) => path)
  return looked && paths.length > 0 ? { instructions: paths } : {}
}

/** Which notes had a part in the review: read by models, or the reason why findings are not shown as they are. */
function memoryOf(
  { notes = [], context, dismissed = [] }: ConclusionInput,
  findings: readonly Finding[],
  looked: boolean,
): Pick<Review, 'memory'> {
  const evidencePaths = new Map(context.evidence.map(({ id, path }) => [id, path]))
  const uses = notes.map(({ path, text }) => ({
    path,
    text: firstLine(text),
    considered: looked && (context.around?.memory ?? []).some((note) => note.path === path),
    cited: findings
      .filter(({ evidence }) => evidence.some((one) => evidencePaths.get(one.evidence) === path))
      .map(({ id }) => id),
    dismissed: dismissed.filter(({ how, by }) => how === 'memory' && by === path).length,
    lowered: findings.filter(({ lowered }) => lowered?.why === loweredBy({ path, text })).length,
  }))
  const used = uses.filter(({ considered, dismissed: hidden, lowered }) => considered || hidden + lowered > 0)
  return used.length > 0 ? { memory: used } : {}
}

/** A plane whose candidates could not be checked fell short: nothing says that they are wrong, or less severe. */
function withFailedChecks(
  outcomes: readonly PlaneOutcome[],
  verdicts: readonly Verdict[],
): readonly PlaneOutcome[] {
  const failed = verdicts.filter(({ reason }) => reason.includes(checkFailed))
  return outcomes.map((outcome) => {
    const own = failed.filter(({ candidate }) => candidate.plane === outcome.plane)
    const [first] = own
    if (!first || outcome.state !== 'ran') return outcome
    const reason = `${count(own.length, 'possible finding')} could not be checked. ${first.reason}`
    return { ...outcome, state: 'partly', reason }
  })
}

/** Findings that were not checked independently do not make the review incomplete, but are reported as a limit. */
function withUncheckedFindings(coverage: Coverage, refutations: readonly Refutation[]): Coverage {
  const unasked = refutations.filter(({ outcome }) => outcome === 'not-asked')
  if (unasked.length === 0) return coverage
  const reasons = [...new Set(unasked.map(({ reason }) => reason))].sort(compareText)
  const limit = `${count(unasked.length, 'finding of a model was', 'findings of models were')} not checked independently: ${reasons.join('; ')}`
  return { ...coverage, limits: [...coverage.limits, limit] }
}

/** For findings that a test was to show and for which none ran: how many, and why. */
function describeUntried(reproductions: readonly Reproduction[]): string[] {
  const untried = reproductions.filter(({ outcome }) => outcome === 'not-tried')
  if (untried.length === 0) return []
  const reasons = [...new Set(untried.map(({ why }) => why))].sort(compareText)
  return [`No test was run for ${count(untried.length, 'finding')}: ${reasons.join('; ')}`]
}

/** Most important first. */
function summariseFiles(
  { change, symbols }: ReviewContext,
  findingPaths: readonly string[],
): Review['files'] {
  const byPath = new Map<string, SymbolChange[]>()
  for (const symbol of symbols) {
    const known = byPath.get(pathOf(symbol))
    if (known) known.push(symbol)
    else byPath.set(pathOf(symbol), [symbol])
  }
  return rankFiles(change.files, symbols, findingPaths).map((file) => ({
    path: file.path,
    status: file.status,
    added: file.added,
    removed: file.removed,
    summary: describeFile(file, byPath.get(file.path) ?? []),
  }))
}

/** Evidence that findings, dropped candidates, independent checks and contests cite; the hash identifies the rest of the bundle. */
function citedEvidence(
  { evidence }: ReviewContext,
  verdicts: readonly Verdict[],
  others: readonly { citations: readonly Citation[] }[],
): Evidence[] {
  const citations = [
    ...verdicts.flatMap(({ candidate, finding }) => [...candidate.evidence, ...(finding?.evidence ?? [])]),
    ...others.flatMap(({ citations }) => citations),
  ]
  const cited = new Set(citations.map(({ evidence: id }) => id))
  return evidence.filter(({ id }) => cited.has(id))
}

/** Both lists keep the order of `findings`. */
function hideFindings(
  findings: readonly Finding[],
  { minSeverity, planes }: Filters,
): { shown: Finding[]; hidden: HiddenFinding[] } {
  const shown: Finding[] = []
  const hidden: HiddenFinding[] = []
  for (const finding of findings) {
    const { id, severity, preExisting, plane } = finding
    const by = planes.get(plane) ?? (isAtLeast(severity, minSeverity.severity) ? null : minSeverity.by)
    if (by === null) shown.push(finding)
    else hidden.push({ id, severity, preExisting, by })
  }
  return { shown, hidden }
}
