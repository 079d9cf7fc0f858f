/** What the repository asks of reviewers and agents, as of the base commit, and which files it governs. */
import { z } from 'zod'

export const Instruction = z.object({
  path: z.string(),
  /** What it governs, in words: `everything`, `files in src/api/`, `files like **\/*.ts`. */
  scope: z.string(),
  /** Changed paths that it governs, in path order. */
  governs: z.array(z.string()),
  /** Foreign text; at most 8,000 characters. */
  text: z.string(),
  /** What was cut, in words; null when all is here. */
  cut: z.string().nullable(),
})
export type Instruction = z.infer<typeof Instruction>
