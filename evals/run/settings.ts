/** What all reviews of one evaluation are made with; part of its folder, so that nobody goes on with other ones. */
import { z } from 'zod'
import { ContextSection, Depth } from '../../src/index.ts'

export const EvalSettings = z.object({
  /** What is measured of a case: the review, or what the bundle for it holds. */
  measure: z.enum(['review', 'retrieval']).default('review'),
  depth: Depth,
  /** Roles to models as typed; null leaves it to settings and environment. */
  roles: z.record(z.string(), z.array(z.string())).nullable(),
  skipPlanes: z.array(z.string()),
  onlyPlanes: z.array(z.string()),
  /** Sections of the bundle and checks of validation that are left out. */
  withoutSections: z.array(ContextSection).default([]),
  withoutChecks: z.array(z.string()).default([]),
  /** Commits of history that come with each case; 0 is all. */
  history: z.number().int().nonnegative(),
})
export type EvalSettings = z.infer<typeof EvalSettings>

export const defaultSettings: EvalSettings = {
  measure: 'review',
  depth: 'offline',
  roles: null,
  skipPlanes: [],
  onlyPlanes: [],
  withoutSections: [],
  withoutChecks: [],
  history: 200,
}
