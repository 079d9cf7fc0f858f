/** Where tickets come from: the issues of a host, and the trackers in `src/hosts/trackers`. */
import type { DiscussionEntry, Ticket, TicketLine } from '../../domain/ticket.ts'

/** A pointer to a ticket that was found in the words of a change. */
export type TicketReference = {
  /**
   * `number`: an issue of a host; `key`: `ABC-123`, whose tracker only the operator knows; `work-item`: of Azure Boards,
   * `AB#123`, or a plain number where the host of the change is Azure DevOps.
   */
  kind: 'number' | 'key' | 'work-item'
  /** `owner/repo`, `group/subgroup/name`; null for the repository under review, for keys and work items. */
  repository: string | null
  /** `12`, or `ABC-123`. */
  name: string
  /** For people: `Fixes #12 in the description`. */
  linkedBy: string
  /** Looks like a key in the message of a commit, where much else does too: one that no tracker has is not reported. */
  isGuess?: boolean
}

export interface TicketSource {
  /** For people: `GitHub issues of owner/repo`. */
  readonly name: string
  /**
   * False for a ticket that must not be looked up: it lies in a repository that is neither the reviewed one nor named by
   * the operator. Who writes a commit message must not choose what the operator's token reads.
   */
  mayRead(reference: TicketReference): boolean
  /** Null when it may not be read, is not this source's, does not exist, or is a pull request. Throws for failures of the wire. */
  find(reference: TicketReference, signal: AbortSignal): Promise<Ticket | null>
  /** The open tickets that were touched last; who asks later searches in these, without a token. */
  listOpen(limit: number, signal: AbortSignal): Promise<readonly TicketLine[]>
}

export interface DiscussionSource {
  /** For people: `the pull request of owner/repo`. */
  readonly name: string
  /**
   * What was said of the pull request whose head this commit is, oldest first; null when there is none. Throws for
   * failures of the wire.
   */
  readDiscussion(commit: string, signal: AbortSignal): Promise<readonly DiscussionEntry[] | null>
}
