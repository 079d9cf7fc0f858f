/** A question about a review and its answer: what a conversation about it is made of. */
import { z } from 'zod'
import { Citation, Refutation } from './finding.ts'

/** One exchange: foreign words of a person, and what was answered. */
export const AskedTurn = z.object({
  question: z.string(),
  statements: z.array(
    z.object({
      text: z.string(),
      /** Only quotes that are where they are said to be. */
      citations: z.array(Citation),
      /** No evidence shows it. */
      isGuess: z.boolean(),
    }),
  ),
  /** What the evidence does not show; empty when nothing is missing. */
  cannot: z.string(),
  /** The finding that was disputed, and what the independent check of it came to. */
  disputed: z
    .object({ finding: z.string(), outcome: z.enum(['conceded', 'held', 'undecided']), check: Refutation })
    .nullable(),
  /** Why there is no answer, in words; null when there is one. */
  failed: z.string().nullable(),
})
export type AskedTurn = z.infer<typeof AskedTurn>
