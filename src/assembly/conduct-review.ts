/** Reviews a change that is collected: picks planes and models for it and tells the story. */
import type { KeepEnd } from '../base/time-budget.ts'
import type { IndexStore } from '../code-index/contract.ts'
import type { Config, ContextSection } from '../config/schema.ts'
import type { Ceilings } from '../config/settings/repositories.ts'
import type { StoppedReview } from '../domain/coverage.ts'
import type { EventListener } from '../domain/events.ts'
import { type Depth, Review } from '../domain/review.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { choosePlanes, type PlaneChoice, withoutUnfinished } from '../pipeline/choose-planes.ts'
import type { Filters } from '../pipeline/conclude/conclude-review.ts'
import type { Prover } from '../pipeline/prove-findings.ts'
import { reportStopped } from '../pipeline/report-stopped.ts'
import { review } from '../pipeline/review.ts'
import { checksWithout } from '../pipeline/validation/steps.ts'
import { openChecker } from './open-checker.ts'
import { openContextTools } from './open-context-tools.ts'
import { resolveDepth } from './open-models.ts'
import type { Outside } from './outside.ts'
import { runRecorded } from './run-recorded.ts'
import { openToolServers, shareServers } from './servers-on-demand.ts'

/** What the caller wants instead of what the repository's configuration says. Plain data: a run keeps it. */
export type ReviewOverrides = {
  disablePlanes?: readonly string[]
  /** When not empty, these planes and no others, also such as are off otherwise. */
  exactPlanes?: readonly string[]
  /** A filter: when not empty, only findings of these planes are shown, and of models only these are asked. */
  onlyPlanes?: readonly string[]
  /** A filter: findings of these planes are not shown, and models among them are not asked. */
  skipPlanes?: readonly string[]
  /** Wins over the same keys of the configuration, whose hash it is part of. */
  overrides?: Partial<Config['review']>
  /**
   * No time limit applies to context, exploring and tools. For evaluations: people who answer as the model take their
   * time, and what a busy machine leaves out would be measured as a fault of the review.
   */
  unhurried?: boolean
  /** Wins over `validation.servers` of the configuration. */
  servers?: 'always' | 'off'
  /** Sections of the bundle to leave out besides those that the configuration does. */
  withoutSections?: readonly ContextSection[]
  /** How far the configuration of a repository may raise its limits; the operator's when not given. */
  ceilings?: Ceilings
  /** Tests are written and run that show findings: of how many, and in how many seconds. Only an operator's settings say so. */
  prove?: NonNullable<Prover['most']>
  /** At depth deep, changed lines are looked for that no test checks. Only an operator's settings say so. */
  mutants?: NonNullable<Prover['mutants']>
  /** Checks of validation to leave out, to see what each is worth; never for a review that anybody acts on. */
  withoutChecks?: readonly string[]
}

export type ConductParts = {
  /** As the run keeps it: what is read through it is what a replay will know. */
  change: CollectedChange
  /** As it was collected: what an index or a server reads of it is no part of the run. */
  collected: CollectedChange
  /** As read from the base of the change. */
  config: Config
  overridden: ReviewOverrides
  facts: IndexStore
  cacheFolder: string | null
  outside: Outside
  /** Why models that were found are not asked, in words; null when it is not so. */
  withheld: string | null
  /** How far an earlier attempt came; its unfinished checks are not repeated, and no model is asked. */
  stopped: StoppedReview | null
  onEvent: EventListener
  signal: AbortSignal
  now: () => Date
}

export type Conducted = {
  review: Review
  config: Config
  /** What a person should know of how it went, such as that another depth than the one asked for was taken. */
  remarks: string[]
}

export async function conductReview(parts: ConductParts): Promise<Conducted> {
  const { change, collected, overridden, facts, cacheFolder, outside, stopped, onEvent, signal, now } = parts
  const read = withoutSections(overridden.unhurried ? unhurried(parts.config) : parts.config, overridden)
  const checks = checksWithout(overridden.withoutChecks ?? [])
  const choice = choiceOf(read, overridden)
  const wanted = overridden.overrides?.depth ?? read.review.depth
  const servers = outside.openServers && shareServers(outside.openServers)
  const { serverSeconds: seconds } = read.validation
  const ledger = await outside.readLedger()
  let asks = false
  const tools = openContextTools({
    ...outside,
    change: collected,
    facts,
    cacheFolder,
    config: read,
    ...(overridden.unhurried ? { toolSeconds: unhurriedSeconds } : {}),
    asksServers: () => asks,
    remembered: ledger,
    toolServers: servers && openToolServers(() => servers.open('new'), seconds),
    signal,
  })
  const most = choosePlanes(choice, wanted === 'auto' ? 'quick' : wanted)
  const asksModels = most.panel !== null && !stopped
  const models = asksModels ? await outside.openModels(tools) : null
  const { depth, remarks } = asksModels
    ? resolveDepth(wanted, models !== null, parts.withheld)
    : { depth: 'offline' as const, remarks: stopped ? [] : whyOffline(wanted) }
  const chosen = stopped
    ? withoutUnfinished(wanted === 'auto' ? { ...most, panel: null } : most, stopped)
    : choosePlanes(choice, depth)
  const config = effectiveConfig(read, overridden, depth)
  asks = asksServers(config)
  const openServers = servers?.open ?? null
  const checker = asks ? openChecker({ ...outside, openServers, change: collected, seconds, signal }) : null
  onEvent({ type: 'run-start', label: change.request.source.label })
  if (stopped?.finished.length === 0)
    return { review: reportStopped(change, { stopped, off: chosen.off, config, now }), config, remarks }
  const reviewed = await review(change, {
    config,
    planes: chosen.planes.filter((plane) => plane.applies?.(change.request) ?? true),
    panel: chosen.panel,
    off: chosen.off,
    stopped,
    filters: { minSeverity: minSeverityOf(read, overridden), planes: chosen.hidden },
    facts,
    models,
    prover: proverOf(parts, tools.keepEnd),
    checker,
    checks,
    ledger,
    retrieveGraph: tools.retrieveGraph,
    findReach: tools.findReach,
    keepEnd: tools.keepEnd,
    onEvent,
    signal,
    now,
  }).finally(() => servers?.close())
  return {
    // Keys in the order of the schema, wherever parts of it came from: a replay writes the same bytes.
    review: Review.parse(reviewed),
    config,
    remarks: [
      ...remarks,
      ...chosen.idle.map((name) => `the plane ${name} does not look at depth ${depth}`),
      ...(checker?.remarks() ?? []),
    ],
  }
}

/** Trees as they were collected: what tests read of them is no part of the run. */
function proverOf(
  {
    overridden: { prove: most, mutants },
    collected,
    outside: { tests, sandbox, journal, isReplay },
  }: ConductParts,
  keepEnd: KeepEnd,
): Prover | null {
  if ((!most && !mutants) || !tests) return null
  const { prove, memoryMb, readOnlyPaths } = sandbox
  return {
    ...tests,
    base: collected.base,
    head: collected.head,
    most: most ?? null,
    mutants: mutants ?? null,
    limits: { seconds: prove.seconds, memoryMb, readOnlyPaths },
    keep: async (address, input, work) =>
      (await runRecorded(journal, { kind: 'tool', address, tool: 'prove', input }, work)).result,
    keepEnd,
    isReplay,
  }
}

function whyOffline(wanted: Config['review']['depth']): string[] {
  if (wanted === 'auto' || wanted === 'offline') return []
  return [
    `none of the selected planes uses a model, so depth ${wanted} is not possible; this review ran offline`,
  ]
}

function choiceOf({ planes }: Config, overridden: ReviewOverrides): PlaneChoice {
  return {
    disable: [...planes.disable, ...(overridden.disablePlanes ?? [])],
    exactly: overridden.exactPlanes ?? [],
    only: overridden.onlyPlanes ?? [],
    skip: overridden.skipPlanes ?? [],
  }
}

function withoutSections(config: Config, { withoutSections: sections = [] }: ReviewOverrides): Config {
  const { context } = config
  return { ...config, context: { ...context, leaveOut: [...new Set([...context.leaveOut, ...sections])] } }
}

const unhurriedSeconds = 86_400

function unhurried(config: Config): Config {
  const { context, explore, limits } = config
  const seconds = unhurriedSeconds
  return {
    ...config,
    context: { ...context, graphSeconds: seconds, historySeconds: seconds },
    explore: { ...explore, seconds },
    limits: { ...limits, contextSeconds: seconds, planeSeconds: seconds },
  }
}

/** The options that the run finally uses. */
function effectiveConfig(
  read: Config,
  { overrides, servers, disablePlanes = [] }: ReviewOverrides,
  depth: Depth,
): Config {
  return {
    ...read,
    review: { ...read.review, ...overrides, depth },
    planes: { ...read.planes, disable: [...new Set([...read.planes.disable, ...disablePlanes])] },
    validation: { ...read.validation, ...(servers ? { servers } : {}) },
  }
}

function minSeverityOf({ review }: Config, { overrides }: ReviewOverrides): Filters['minSeverity'] {
  const asked = overrides?.minSeverity
  if (asked !== undefined) return { severity: asked, by: `--min-severity ${asked}` }
  return { severity: review.minSeverity, by: `review.minSeverity: ${review.minSeverity}` }
}

function asksServers({ validation, review: { depth } }: Config): boolean {
  return validation.servers === 'always' || (validation.servers === 'auto' && depth !== 'offline')
}
