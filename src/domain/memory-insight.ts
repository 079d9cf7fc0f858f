/** What a plane would like to be remembered about this repository. Collected for a person to look at; used by nothing yet. */
import { z } from 'zod'

export const MemoryInsight = z.object({
  plane: z.string(),
  /** One sentence; foreign: a model wrote it. */
  text: z.string(),
  /** The file it rests on, when it is a file of the change or of the bundle; null for the repository as a whole. */
  path: z.string().nullable(),
})
export type MemoryInsight = z.infer<typeof MemoryInsight>
