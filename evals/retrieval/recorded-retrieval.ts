/** What is kept of one case whose retrieval was measured, so that it can be scored again without a repository. */
import { z } from 'zod'
import { NeededUnit } from './needed-units.ts'

/** For each of the budgets, the needed units that the bundle holds, as indices. */
export const HeldUnits = z.object({ name: z.string(), held: z.array(z.array(z.number().int())) })
export type HeldUnits = z.infer<typeof HeldUnits>

export const RecordedRetrieval = z.object({
  case: z.string(),
  /** Why it could not be measured, in words; such a case is tried again when the evaluation goes on. */
  failure: z.string().nullable(),
  units: z.array(NeededUnit),
  bundles: z.array(HeldUnits),
})
export type RecordedRetrieval = z.infer<typeof RecordedRetrieval>
