/** Reviews a change that is collected: picks planes and models for it and tells the story. */
import type { FactStore } from '../code-index/contract.ts'
import type { Ceilings } from '../config/clamp-limits.ts'
import type { Config, ContextSection } from '../config/schema.ts'
import type { EventListener } from '../domain/events.ts'
import { type Depth, Review } from '../domain/review.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { type ChosenPlanes, choosePlanes, type PlaneChoice } from '../pipeline/choose-planes.ts'
import type { Explorer, ModelParts } from '../pipeline/model-parts.ts'
import { review } from '../pipeline/review.ts'
import { checksWithout } from '../pipeline/validation/choose-checks.ts'
import type { OpenedChecker } from './open-checker.ts'
import type { LookAround } from './open-explorer.ts'
import { resolveDepth } from './open-models.ts'

/** What the caller wants otherwise than the repository's configuration says. Plain data: a run keeps it. */
export type ReviewWishes = {
  disablePlanes?: readonly string[]
  /** When not empty, only these of the planes that would run. */
  onlyPlanes?: readonly string[]
  /** When not empty, these planes and no others, also such as are off otherwise. */
  exactPlanes?: readonly string[]
  /** Wins over the same keys of the configuration, whose hash it is part of. */
  overrides?: Partial<Config['review']>
  /** Wins over `validation.servers` of the configuration. */
  servers?: 'always' | 'off'
  /** Sections of the bundle to leave out besides those that the configuration does. */
  withoutSections?: readonly ContextSection[]
  /** The operator's ceilings, where the repository's configuration asked for more. */
  ceilings?: Ceilings
  /** Checks of validation to leave out, to see what each is worth; never for a review that anybody acts on. */
  withoutChecks?: readonly string[]
}

export type ConductParts = {
  change: CollectedChange
  /** As read from the base of the change. */
  config: Config
  wishes: ReviewWishes
  facts: FactStore
  /** Not called at depth offline; null when no model can be asked. */
  openModels: (explorer: Explorer) => Promise<ModelParts | null>
  /** Opens nothing by itself. */
  openLookAround: (config: Config) => LookAround
  /** Opens nothing by itself; not called where no language server is to be asked. */
  openChecker: (config: Config) => OpenedChecker
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
  const { change, wishes, facts, onEvent, signal, now } = parts
  const read = withoutSections(parts.config, wishes)
  const checks = checksWithout(wishes.withoutChecks ?? [])
  const choice = choiceOf(read, wishes)
  const wanted = wishes.overrides?.depth ?? read.review.depth
  const around = parts.openLookAround(read)
  const asksModels = choosePlanes(choice, wanted === 'auto' ? 'quick' : wanted).panel !== null
  const models = asksModels ? await parts.openModels(around) : null
  const { depth, remarks } = asksModels
    ? resolveDepth(wanted, models !== null)
    : { depth: 'offline' as const, remarks: whyOffline(wanted) }
  const chosen = choosePlanes(choice, depth)
  const config = effectiveConfig(read, wishes, chosen, depth)
  const checker = asksServers(config) ? parts.openChecker(config) : null
  onEvent({ type: 'run-start', label: change.request.source.label })
  const reviewed = await review(change, {
    config,
    planes: chosen.planes,
    panel: chosen.panel,
    facts,
    models,
    checker,
    checks,
    retrieveGraph: around.retrieveGraph,
    keepEnd: around.keepEnd,
    onEvent,
    signal,
    now,
  }).finally(() => checker?.close())
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

function whyOffline(wanted: Config['review']['depth']): string[] {
  if (wanted === 'auto' || wanted === 'offline') return []
  return [`none of the planes that look asks a model, so depth ${wanted} is not possible; went on offline`]
}

function choiceOf({ planes }: Config, wishes: ReviewWishes): PlaneChoice {
  return {
    disable: [...planes.disable, ...(wishes.disablePlanes ?? [])],
    enable: planes.enable,
    only: wishes.onlyPlanes ?? [],
    exactly: wishes.exactPlanes ?? [],
  }
}

function withoutSections(config: Config, { withoutSections: sections = [] }: ReviewWishes): Config {
  const { context } = config
  return { ...config, context: { ...context, leaveOut: [...new Set([...context.leaveOut, ...sections])] } }
}

/** What the run goes by in the end: every plane that would run and does not is listed as switched off. */
function effectiveConfig(
  read: Config,
  { overrides, servers }: ReviewWishes,
  { off }: ChosenPlanes,
  depth: Depth,
): Config {
  return {
    ...read,
    review: { ...read.review, ...overrides, depth },
    planes: { ...read.planes, disable: [...off] },
    validation: { ...read.validation, ...(servers ? { servers } : {}) },
  }
}

function asksServers({ validation, review: { depth } }: Config): boolean {
  return validation.servers === 'always' || (validation.servers === 'auto' && depth !== 'offline')
}
