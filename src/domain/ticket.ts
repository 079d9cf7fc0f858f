/** What was asked for: the issue behind a change, frozen, with the criteria it names. */
import { z } from 'zod'

/** One thing the ticket asks for, as its author wrote it. */
export const AcceptanceCriterion = z.object({
  /** `AC1`, `AC2` … in the order of the ticket. */
  id: z.string().regex(/^AC[1-9]\d*$/),
  /** Foreign text, one paragraph, at most 500 characters. */
  text: z.string(),
  /** Where it was told from: a list below a heading, a task list, Given/When/Then, or a sentence shaped like one. */
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
