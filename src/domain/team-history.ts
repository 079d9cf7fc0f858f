/** What a team did, as its repository tells it: commits with their change requests and tickets, who wrote a line, open branches. */
import { z } from 'zod'

/** A person as a commit message names one; foreign text. */
export const NamedPerson = z.object({ name: z.string(), email: z.string() })
export type NamedPerson = z.infer<typeof NamedPerson>

/** One commit. Names, subject and paths are foreign text. */
export const TeamCommit = z.object({
  commit: z.string(),
  parents: z.array(z.string()),
  authorName: z.string(),
  authorEmail: z.string(),
  /** Seconds since 1970, committer time. */
  time: z.number(),
  subject: z.string(),
  /** Paths changed, as of that commit; none for a merge. */
  paths: z.array(z.string()),
  /** The number of the pull or merge request that the host named in the message of a merge or of a squashed commit. */
  request: z.number().int().nullable(),
  /** Tickets and change requests that the message mentions: `#12`, `owner/repo#12`, `ABC-3`. */
  mentions: z.array(z.string()),
  /** Who reviewed it, as its message says: `Reviewed-by`, `Acked-by`. */
  reviewers: z.array(NamedPerson),
})
export type TeamCommit = z.infer<typeof TeamCommit>

/** Lines of a file that one commit wrote last. */
export type BlamedLines = {
  commit: string
  authorName: string
  authorEmail: string
  time: number
  lines: number
}

/** A branch that is not merged into the commit that was asked about. */
export type OpenBranch = {
  /** `feature`, `origin/feature`. */
  name: string
  commit: string
  authorName: string
  time: number
  subject: string
  /** Paths that it changes since it left. */
  paths: readonly string[]
}

/** 1-based, inclusive. */
export type LineRange = { start: number; end: number }

export interface TeamHistory {
  /** The commit from which all is read backwards. */
  readonly tip: string
  /** For people, and the key of what is kept of it. */
  readonly repositoryLabel: string
  /**
   * Commits newest first, merges too, without those that are reachable from `known`. Null when `known` is not an ancestor
   * of the tip, or not here. `complete` is false for a shallow clone, and beyond `limit`.
   */
  log(limit: number, known: string | null): Promise<{ commits: TeamCommit[]; complete: boolean } | null>
  /** Who wrote these lines at the tip; the whole file without ranges. Empty when it is absent, or took too long. */
  blame(path: string, ranges: readonly LineRange[]): Promise<BlamedLines[]>
  /** Local and remote branches with commits that the tip lacks, the newest first; at most `limit`. */
  openBranches(limit: number): Promise<OpenBranch[]>
  /** What a branch changes in these files since it left the tip; none where that cannot be read. */
  patchOf(
    commit: string,
    paths: readonly string[],
  ): Promise<{ path: string; oldPath: string; patch: string | null }[]>
  close(): Promise<void>
}
