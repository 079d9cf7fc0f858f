/**
 * The ticket behind a change, frozen, with its acceptance criteria and what became of each in the change; and the
 * discussion of the change before this review.
 */
import { z } from 'zod'

/** One thing the ticket asks for, as its author wrote it. */
export const AcceptanceCriterion = z.object({
  /** `AC1`, `AC2` … in the order of the ticket. */
  id: z.string().regex(/^AC[1-9]\d*$/),
  /** Foreign text, one paragraph, at most 500 characters. */
  text: z.string(),
  /** Where it was found: a list below a heading, a task list, Given/When/Then, or a sentence shaped like one. */
  shape: z.enum(['heading', 'checklist', 'scenario', 'sentence']),
  /** Ticked off in the ticket; null where there is nothing to tick. */
  checked: z.boolean().nullable(),
})
export type AcceptanceCriterion = z.infer<typeof AcceptanceCriterion>

export const Ticket = z.object({
  /** `github:owner/repo#12`, `file:notes.md`; the same ticket has the same id everywhere. */
  id: z.string(),
  /** Foreign text, all of it. */
  title: z.string(),
  body: z.string(),
  state: z.enum(['open', 'closed', 'unknown']),
  labels: z.array(z.string()),
  /** How the change points to it, in words: `Fixes #12 in the description`. */
  linkedBy: z.string(),
  criteria: z.array(AcceptanceCriterion),
  /** What was cut, in words; null when all is here. */
  cut: z.string().nullable(),
})
export type Ticket = z.infer<typeof Ticket>

/** An open ticket in a list. */
export const TicketLine = Ticket.pick({ id: true, title: true, labels: true })
export type TicketLine = z.infer<typeof TicketLine>

/** A comment on a change before this review. */
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

/** What became of one acceptance criterion of a ticket in this change. */
export const CriterionState = z.enum(['covered', 'not-covered', 'undecidable'])
export type CriterionState = z.infer<typeof CriterionState>

/** Lines of one file by their tags, the first ones first. */
export type TiedLines = { path: string; tags: string[] }

/** What code alone can tie to one criterion. */
export type CriterionTie = {
  /** Id of the ticket, and of the criterion within it. */
  ticket: string
  id: string
  /** The words of it are rare enough, and enough of them, to say that these lines are about it. */
  isStrong: boolean
  /** Words of the criterion that were found, as it writes them, or their stems. */
  words: readonly string[]
  lines: readonly TiedLines[]
}

export const CriterionCheck = z.object({
  /** Id of the ticket. */
  ticket: z.string(),
  /** `AC1` … within the ticket. */
  id: z.string(),
  /** As its author wrote it; foreign. */
  text: z.string(),
  state: CriterionState,
  /** Lines of the diff that cover it, by tag. Empty unless `covered`. */
  lines: z.array(z.object({ path: z.string(), tags: z.array(z.string()).min(1) })),
  reason: z.string(),
  /** Who said so: words of the criterion found in the change by code, or a model whose cited lines were checked. */
  by: z.enum(['code', 'model']),
})
export type CriterionCheck = z.infer<typeof CriterionCheck>
