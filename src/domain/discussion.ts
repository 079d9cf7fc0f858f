/** What people said of a change before this review. */
import { z } from 'zod'

export const DiscussionEntry = z.object({
  author: z.string(),
  /** What the author is to the repository; `unknown` for local sources. */
  association: z.enum(['owner', 'member', 'contributor', 'stranger', 'bot', 'unknown']),
  /** The place in the code it is about; null for the change as a whole. */
  path: z.string().nullable(),
  line: z.number().int().positive().nullable(),
  /** Foreign text. */
  body: z.string(),
  resolved: z.boolean(),
})
export type DiscussionEntry = z.infer<typeof DiscussionEntry>
