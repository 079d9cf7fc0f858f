/** Which code a change is about, as its run keeps it for the graph of the team. Names and subjects are foreign. */
import { z } from 'zod'

export const ChangedCode = z.object({
  /** Qualified names of symbols that it adds, removes or changes: `Tokens.decode`. */
  symbols: z.array(z.string()),
  /** Those before it that changed the same files, the newest first. */
  commits: z.array(
    z.object({
      /** Twelve digits. */
      commit: z.string(),
      author: z.string(),
      /** `2026-11-21` */
      day: z.string(),
      subject: z.string(),
      /** Of the changed files, those that it changed too. */
      paths: z.array(z.string()),
      /** Tickets and change requests that its subject mentions. */
      mentions: z.array(z.string()),
    }),
  ),
})
export type ChangedCode = z.infer<typeof ChangedCode>
