/** What a replay needs besides the records. It is read back from a run that a stranger may have exported. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { Config, ContextSection, defaultConfig } from '../config/schema.ts'
import { ModelSettings, ProviderSettings } from '../config/settings/models.ts'
import { MoneySettings, type Settings } from '../config/settings/schema.ts'
import type { ModelSetup } from '../llm/routes/setup.ts'
import { otherFormat } from '../storage/runs/log.ts'
import type { StoredRun } from '../storage/runs/stored-run.ts'
import type { ReviewOverrides } from './conduct-review.ts'

/** No key and no word of a prompt is in it. */
export type RunOptions = {
  wishes: ReviewOverrides
  /** Null when no model was available. */
  setup: ModelSetup | null
  models: Settings['models']
  money: Settings['money']
  budget: number | null
  /** Of a run that goes through another one again with another model. */
  replay?: { of: string }
}

const names = z.array(z.string())

const Wishes = z.object({
  disablePlanes: names.optional(),
  onlyPlanes: names.optional(),
  exactPlanes: names.optional(),
  skipPlanes: names.optional(),
  overrides: z
    .record(z.string(), z.unknown())
    .refine(
      (keys) => Config.safeParse({ ...defaultConfig, review: { ...defaultConfig.review, ...keys } }).success,
    )
    .optional(),
  unhurried: z.boolean().optional(),
  servers: z.enum(['always', 'off']).optional(),
  withoutSections: z.array(ContextSection).optional(),
  withoutChecks: names.optional(),
  prove: z.strictObject({ findings: z.int().positive(), seconds: z.int().positive() }).optional(),
  mutants: z.strictObject({ runs: z.int().positive(), seconds: z.int().positive() }).optional(),
  ceilings: Config.shape.limits.unwrap().optional(),
})

const Route = z.object({
  models: z.array(z.string().regex(/^[^/]+\/./)),
  from: z.enum(['command line', 'settings', 'environment', 'the reviewer', 'nowhere']),
})

const Setup = z.object({
  providers: z.array(
    ProviderSettings.extend({ name: z.string(), keysFrom: names, keyIsOptional: z.boolean() }),
  ),
  roles: z.object({ scout: Route, reviewer: Route, judge: Route }),
})

const Recorded = z.object({
  wishes: Wishes,
  setup: Setup.nullable(),
  models: ModelSettings,
  money: MoneySettings,
  budget: z.number().nullable(),
})

/** Throws `run-unreadable`. */
export function readRunOptions({ header }: StoredRun): RunOptions {
  const read = Recorded.safeParse(header.options)
  if (!read.success)
    throw new UserError(
      'run-unreadable',
      `run ${header.run}: its options have an unknown format: ${otherFormat(header.format, header.versions.sightline)}`,
      { cause: read.error },
    )
  const { overrides, ...wishes } = read.data.wishes
  // It was checked as a part of a whole configuration.
  const checked = overrides as ReviewOverrides['overrides']
  return { ...read.data, wishes: { ...wishes, ...(checked ? { overrides: checked } : {}) } }
}
