/** What a team remembers about its code: notes in files that people review, and what became of earlier changes by an author. */
import { z } from 'zod'

const count = z.number().int().nonnegative()

/** What a back-test found among the findings of recorded reviews, by what became of them in the ledger. */
export const NoteTally = z.strictObject({ right: count, wrong: count, unimportant: count, undecided: count })
export type NoteTally = z.infer<typeof NoteTally>

/** On how many recorded reviews a note was tried, and the findings that it dismissed, lowered or added there. */
export const NoteTest = z.strictObject({
  runs: count,
  /** `2026-11-23`. */
  on: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  /** Names what was tried: another text, rule or path has another one. */
  of: z.string().regex(/^[0-9a-f]{16}$/),
  dismissed: NoteTally,
  lowered: NoteTally,
  added: count,
})
export type NoteTest = z.infer<typeof NoteTest>

/**
 * Whether a note has an effect, and why not. `active`: it has. `untested`: nobody tried it on recorded reviews, or it was
 * edited since. `proposed` and `retired`: people decided so; `expired`: its time is over.
 */
export const NoteState = z.enum(['active', 'proposed', 'untested', 'expired', 'retired'])
export type NoteState = z.infer<typeof NoteState>

/** One file of `.sightline/memory`, as the base of a change has it. All texts are foreign. */
export const MemoryNote = z.object({
  /** `cents` for `.sightline/memory/cents.md`. */
  name: z.string(),
  path: z.string(),
  scope: z.enum(['repository', 'paths', 'symbols']),
  paths: z.array(z.string()),
  symbols: z.array(z.string()),
  /** What it does to findings of a rule in its paths; null for a fact, which only informs models. */
  effect: z.object({ kind: z.enum(['dismiss', 'minor']), rule: z.string() }).nullable(),
  origin: z.string(),
  evidence: z.array(z.string()),
  state: NoteState,
  /** `2027-11-23`: the last day on which it has an effect; null for no end. */
  expires: z.string().nullable(),
  tested: NoteTest.nullable(),
  /** Why it was accepted without a back-test, or retired. */
  because: z.string().nullable(),
  text: z.string(),
})
export type MemoryNote = z.infer<typeof MemoryNote>

/** The notes of one tree. */
export const MemoryView = z.object({
  notes: z.array(MemoryNote),
  /** Why a file is not used, with its path and line. */
  faults: z.array(z.string()),
})
export type MemoryView = z.infer<typeof MemoryView>

export const emptyMemory: MemoryView = { notes: [], faults: [] }

/** An earlier change by the author of this one, in the same folders. Without a name: it serves this review only. */
export const EarlierChange = z.object({
  /** `#12`, or the beginning of a commit id. */
  name: z.string(),
  /** `2026-11-21`. */
  day: z.string(),
  /** Foreign. */
  subject: z.string(),
  /** Files in the same folders that it changed, at most 3. */
  paths: z.array(z.string()),
  isReverted: z.boolean(),
  /** Fixes to these files within a month. */
  fixesAfter: count,
  /** Decided findings of its reviews; empty for a change whose reviews found nothing that was right or wrong. */
  findings: z.array(
    z.object({
      rule: z.string(),
      path: z.string(),
      title: z.string(),
      outcome: z.enum(['right', 'wrong', 'unimportant']),
    }),
  ),
  wasReviewed: z.boolean(),
})
export type EarlierChange = z.infer<typeof EarlierChange>

/** What a review made of a note; one that had no part in it is not listed. */
export const MemoryUse = z.object({
  path: z.string(),
  /** Foreign: the first line of the note. */
  text: z.string(),
  /** The reviewing models read it. */
  considered: z.boolean(),
  /** Ids of findings that cite it. */
  cited: z.array(z.string()),
  /** Findings that are not shown, or shown as minor, because of it. */
  dismissed: count,
  lowered: count,
})
export type MemoryUse = z.infer<typeof MemoryUse>

export const memoryFolder = '.sightline/memory'
