/** Who reviews in an evaluation: this program with certain settings, or whatever a test puts in its place. */
import {
  type IndexStore,
  listPlaneNames,
  type ModelOptions,
  type Review,
  reviewChange,
  UserError,
} from '../../src/index.ts'
import type { EvalSettings } from './settings.ts'

export type Assignment = {
  /** A repository with both commits. */
  folder: string
  base: string
  head: string
  /** US dollars; null is without limit. */
  budget: number | null
  signal: AbortSignal
}

export type Reviewer = (assignment: Assignment) => Promise<Review>

export type ReviewerOptions = {
  settings: EvalSettings
  /** Null keeps facts about files in memory only. */
  cacheFolder?: string | null
  /** Shared by all reviews, and closed by whoever opened it; each opens its own when not given. */
  facts?: IndexStore
  /** Where keys and settings are looked for; the process's when not given. */
  environment?: NodeJS.ProcessEnv
  /** Asks models anew, also what an earlier evaluation has the answer to. */
  fresh?: boolean
  /** Without time limits on context and exploring: for readers that are slower than a model. */
  unhurried?: boolean
}

/** Reviews with the product as anybody would. With models every answer is put on record, so that none is paid twice. */
export function sightlineReviewer(options: ReviewerOptions): Reviewer {
  const { settings, cacheFolder, facts, environment, fresh, unhurried } = options
  const { depth, roles, skipPlanes, onlyPlanes, withoutSections, withoutChecks } = settings
  return async ({ folder, base, head, budget, signal }) => {
    const models: ModelOptions = {
      ...(roles ? { roles } : {}),
      ...(budget === null ? {} : { budget }),
      ...(environment ? { environment } : {}),
    }
    const { review } = await reviewChange({
      folder,
      selector: { kind: 'range', range: `${base}..${head}` },
      signal,
      ...(cacheFolder === undefined ? {} : { cacheFolder }),
      ...(facts ? { facts } : {}),
      disablePlanes: [...skipPlanes, ...othersThan(onlyPlanes)],
      withoutSections,
      withoutChecks,
      overrides: { depth },
      ...(unhurried === undefined ? {} : { unhurried }),
      models,
      record: depth === 'offline' ? null : { fresh: fresh ?? false },
    })
    // A change of which models are shown nothing, such as one bundle, asks none.
    const asksNothing = review.models?.groups.length === 0
    if (depth !== 'offline' && review.depth === 'offline' && !asksNothing)
      throw new UserError('no-model', `an evaluation at depth ${depth} would be one of offline reviews`)
    return review
  }
}

/** What a plane is worth shows only where the others really do not look; empty for no restriction. */
function othersThan(only: readonly string[]): string[] {
  return only.length === 0 ? [] : listPlaneNames().filter((name) => !only.includes(name))
}
