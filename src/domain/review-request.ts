/** What is to be reviewed, frozen by the collector. Both sides are trees: commits, an index or a work tree alike. */
import { z } from 'zod'
import { DiscussionEntry } from './discussion.ts'
import { Ticket, TicketLine } from './ticket.ts'

export const ObjectId = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/)

export const ChangeSourceKind = z.enum([
  'uncommitted',
  'staged',
  'unstaged',
  'branch',
  'range',
  'commit',
  'patch',
])
export type ChangeSourceKind = z.infer<typeof ChangeSourceKind>

/** One end of the change. `commit` is null when the tree was never committed (index, work tree, patch, empty base). */
export const Revision = z.object({ commit: ObjectId.nullable(), tree: ObjectId })
export type Revision = z.infer<typeof Revision>

export const ReviewRequest = z.object({
  schemaVersion: z.literal(1),
  source: z.object({
    kind: ChangeSourceKind,
    /** For people: `uncommitted changes`, `branch feature against main`, `commit 1a2b3c4`. */
    label: z.string(),
    /** Files and folders that the review is limited to, from the root of the tree; absent when it is not. */
    paths: z.array(z.string()).optional(),
  }),
  objectFormat: z.enum(['sha1', 'sha256']),
  base: Revision,
  head: Revision,
  /** Foreign text: what the author says of the change (subject and body of the commits, or of the pull request). */
  title: z.string(),
  body: z.string(),
  author: z.string().nullable(),
  /** Tickets that the change points to, or that were handed in; absent when none were looked for. */
  tickets: z.array(Ticket).optional(),
  /**
   * What was said of the change so far, and the open tickets of its repository: for tools to answer from, and no part of
   * the bundle or its hash. Absent when they were not looked for.
   */
  discussion: z.array(DiscussionEntry).optional(),
  openTickets: z.array(TicketLine).optional(),
  /** What the collector could not bring, in words; ends up in coverage. */
  limits: z.array(z.string()),
  /** Paths left out of the head tree on purpose (too large to read), with the reason. */
  unread: z.array(z.object({ path: z.string(), reason: z.string() })),
})
export type ReviewRequest = z.infer<typeof ReviewRequest>
