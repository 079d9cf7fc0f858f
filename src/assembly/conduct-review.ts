/** Reviews a change that is collected: picks planes and models for it and tells the story. */
import type { FactStore } from '../code-index/contract.ts'
import type { Config } from '../config/schema.ts'
import type { EventListener } from '../domain/events.ts'
import { type Depth, Review } from '../domain/review.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import type { Explorer, ModelParts } from '../pipeline/ask-models.ts'
import type { Plane } from '../pipeline/planes/contract.ts'
import { choosePlanes, planeNames } from '../pipeline/planes/registry.ts'
import { review } from '../pipeline/review.ts'
import type { LookAround } from './open-explorer.ts'
import { resolveDepth } from './open-models.ts'

/** What the caller wants otherwise than the repository's configuration says. Plain data: a run keeps it. */
export type ReviewWishes = {
  disablePlanes?: readonly string[]
  /** When not empty, only these planes run. */
  onlyPlanes?: readonly string[]
  /** Wins over the same keys of the configuration, whose hash it is part of. */
  overrides?: Partial<Config['review']>
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
  const { change, config: read, wishes, facts, onEvent, signal, now } = parts
  const planes = choosePlanes({
    disable: [...read.planes.disable, ...(wishes.disablePlanes ?? [])],
    only: wishes.onlyPlanes ?? [],
  })
  const wanted = wishes.overrides?.depth ?? read.review.depth
  const around = parts.openLookAround(read)
  const models = wanted === 'offline' ? null : await parts.openModels(around)
  const { depth, remarks } = resolveDepth(wanted, models !== null)
  const config = effectiveConfig(read, wishes, planes, depth)
  onEvent({ type: 'run-start', label: change.request.source.label })
  const reviewed = await review(change, {
    config,
    planes,
    facts,
    models,
    retrieveGraph: around.retrieveGraph,
    onEvent,
    signal,
    now,
  })
  return {
    // Keys in the order of the schema, wherever parts of it came from: a replay writes the same bytes.
    review: Review.parse(reviewed),
    config,
    remarks,
  }
}

/** What the run goes by in the end: every plane that does not run is listed as switched off. */
function effectiveConfig(
  read: Config,
  { overrides }: ReviewWishes,
  planes: readonly Plane[],
  depth: Depth,
): Config {
  const running = new Set(planes.map(({ name }) => name))
  return {
    ...read,
    review: { ...read.review, ...overrides, depth },
    planes: { ...read.planes, disable: planeNames.filter((name) => !running.has(name)) },
  }
}
