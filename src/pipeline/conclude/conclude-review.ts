/** Puts the review together: summary, findings, coverage, conclusion, confidence. Everything in it follows from its input. */
import { visibleLine } from '../../base/visible-text.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import type { Coverage } from '../../domain/coverage.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { Refutation, Verdict } from '../../domain/finding.ts'
import type { RunCost } from '../../domain/model-call.ts'
import type { ModelReport } from '../../domain/model-report.ts'
import type { Conflict, Depth, MemoryInsight, PlaneSignal, Review } from '../../domain/review.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { CriterionCheck } from '../../domain/ticket.ts'
import { decideConclusion } from './conclusion.ts'
import { rateConfidence } from './confidence.ts'
import { buildCoverage, type CoverageInput } from './coverage.ts'
import { describeFile } from './file-words.ts'
import { type Filters, hideFindings, noFilters } from './hide-findings.ts'
import { rankFiles } from './importance.ts'
import { keyChangesOf } from './key-changes.ts'
import { summarise } from './summary.ts'
import { pathOf } from './symbol-words.ts'
import { compareText, count } from './words.ts'

export type ConclusionInput = CoverageInput & {
  version: string
  depth: Depth
  /** Those that stand come most important first. */
  verdicts: readonly Verdict[]
  run: { startedAt: Date; stagesMs: Readonly<Record<string, number>>; repository: string }
  /** Null when no model was to be asked. */
  models?: { report: ModelReport; cost: RunCost } | null
  /** Null, or not given, where no second look was due. */
  refutations?: readonly Refutation[] | null
  /** Of synthesis; conflicts and insights only speak where models were asked, or where there are any. */
  signals?: readonly PlaneSignal[]
  conflicts?: readonly Conflict[]
  memoryInsights?: readonly MemoryInsight[]
  /** Null, or not given, without a ticket. */
  criteria?: readonly CriterionCheck[] | null
  filters?: Filters
}

export function concludeReview(input: ConclusionInput): Review {
  const { version, depth, context, verdicts, run, models, refutations = null, criteria = null } = input
  const { signals = [], conflicts = [], memoryInsights = [], filters = noFilters } = input
  const coverage = withSecondLooks(buildCoverage(input), refutations ?? [])
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
    summary: summarise(context, verdicts, { signals, criteria }),
    keyChanges: keyChangesOf(context.change.files, context.symbols),
    files: summariseFiles(
      context,
      findings.map(({ anchor }) => anchor.path),
    ),
    findings: shown,
    ...(hidden.length > 0 ? { hidden } : {}),
    evidence: citedEvidence(context, verdicts, refutations ?? []),
    verdicts: [...verdicts],
    coverage,
    conclusion: decideConclusion({ findings, hidden, coverage, looked, groups }),
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
    ...(criteria ? { criteria: [...criteria] } : {}),
    ...(models ? { memoryInsights: [...memoryInsights] } : {}),
  }
}

/** Findings that nobody looked at a second time are no gap in what was looked at, and are told all the same. */
function withSecondLooks(coverage: Coverage, refutations: readonly Refutation[]): Coverage {
  const unasked = refutations.filter(({ outcome }) => outcome === 'not-asked')
  if (unasked.length === 0) return coverage
  const reasons = [...new Set(unasked.map(({ reason }) => reason))].sort(compareText)
  const told = `${count(unasked.length, 'finding')} of models had no second look: ${reasons.join('; ')}`
  return { ...coverage, limits: [...coverage.limits, told] }
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

/** What findings, dropped candidates and second looks cite; the rest of the bundle is named by its hash. */
function citedEvidence(
  { evidence }: ReviewContext,
  verdicts: readonly Verdict[],
  refutations: readonly Refutation[],
): Evidence[] {
  const citations = [
    ...verdicts.flatMap(({ candidate, finding }) => [...candidate.evidence, ...(finding?.evidence ?? [])]),
    ...refutations.flatMap((refutation) => refutation.citations),
  ]
  const cited = new Set(citations.map(({ evidence: id }) => id))
  return evidence.filter(({ id }) => cited.has(id))
}
