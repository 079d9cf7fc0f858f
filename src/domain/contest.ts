/** A reviewing model says, with words of the code, that what a check found is wrong; and what came of it. */
import { z } from 'zod'
import { Citation } from './finding.ts'
import { isGuard } from './guards.ts'

/**
 * What becomes of the contested finding. `dropped`: a test of its claims or an independent check shows that it is wrong;
 * `open`: nothing settles it, so that it stands with a mark and at most medium; `rejected`: it stands as it was;
 * `unfounded`: the same, since no quote of the contest counts.
 */
export const ContestOutcome = z.enum(['dropped', 'open', 'rejected', 'unfounded'])
export type ContestOutcome = z.infer<typeof ContestOutcome>

export const Contest = z.object({
  /** Id of the finding. */
  finding: z.string(),
  /** The check that it is a label of. */
  plane: z.string(),
  rule: z.string(),
  /** Why the finding is wrong. Foreign: a model wrote it. */
  reason: z.string(),
  citations: z.array(Citation),
  outcome: ContestOutcome,
  /** What decided, in words. */
  decidedBy: z.string(),
})
export type Contest = z.infer<typeof Contest>

/** Before anything is decided; its quotes are not checked. */
export type RaisedContest = Pick<Contest, 'finding' | 'reason' | 'citations'>

export function canBeContested({ plane }: { plane: string }): boolean {
  return !isGuard(plane)
}
