/** What one plane says as a whole, counted from its findings that code confirmed, never from a model's word. */
import { z } from 'zod'
import { Confidence } from './confidence.ts'
import { Severity } from './severity.ts'

export const PlaneSignal = z.object({
  plane: z.string(),
  /** The worst of its findings; null when it has none. */
  severity: Severity.nullable(),
  findings: z.number().int().nonnegative(),
  /** The surest of those of that severity; null when it has none. */
  confidence: Confidence.nullable(),
})
export type PlaneSignal = z.infer<typeof PlaneSignal>

/** Two findings of different planes that cannot both be taken at their word, and how the evidence decided. */
export const Conflict = z.object({
  /** Ids of findings; the first one's word holds. */
  upheld: z.string(),
  yielded: z.string(),
  /** What they differ in: how bad it is, or suggested fix. */
  about: z.enum(['severity', 'suggestion']),
  reason: z.string(),
})
export type Conflict = z.infer<typeof Conflict>
