/** A piece of text with its origin, which findings cite by number and quote verbatim. */
import { z } from 'zod'

/** Where the text comes from. `diff` and `file` are code; `history` is counted from commits; `tool` is our own analysis. */
export const EvidenceSource = z.enum(['diff', 'file', 'history', 'ticket', 'discussion', 'tool'])

/** `foreign`: written by whoever wrote the change or the repository; `own`: computed by this program. */
export const Trust = z.enum(['foreign', 'own'])

export const EvidenceDraft = z.object({
  source: EvidenceSource,
  trust: Trust,
  /** What it shows, in a few words, for people: `caller of parse()`. */
  title: z.string(),
  path: z.string().nullable(),
  /** Object id of the file the text was read from. */
  blob: z.string().nullable(),
  side: z.enum(['old', 'new']).nullable(),
  /** 1-based, inclusive; null when the text is not a line range of a file. */
  startLine: z.number().int().positive().nullable(),
  endLine: z.number().int().positive().nullable(),
  text: z.string(),
})
export type EvidenceDraft = z.infer<typeof EvidenceDraft>

export const Evidence = EvidenceDraft.extend({ id: z.string().regex(/^E[1-9]\d*$/) })
export type Evidence = z.infer<typeof Evidence>
