/** What the commits before a change say about it. Counted, not judged. */
import { z } from 'zod'

const CommitNote = z.object({
  commit: z.string(),
  /** Foreign text. */
  subject: z.string(),
  /** `2026-11-21`, of the commit. */
  day: z.string(),
})

export const HistoryNotes = z.object({
  commitsRead: z.number().int().nonnegative(),
  /** False when the clone is shallow or the limit cut it. */
  complete: z.boolean(),
  /** Who changed these files most. */
  experts: z.array(z.object({ name: z.string(), commits: z.number().int().positive() })),
  /** Commits of this change's author in these folders; null when the author is not known. */
  authorCommits: z.number().int().nonnegative().nullable(),
  earlierByAuthor: z.array(CommitNote),
  latest: z.array(CommitNote),
  /** Files that usually change with these and did not, with their share of the common changes. */
  missingPartners: z.array(z.object({ path: z.string(), share: z.number() })),
})
export type HistoryNotes = z.infer<typeof HistoryNotes>
