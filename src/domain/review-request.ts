/** What is to be reviewed, frozen by the collector. Both sides are trees: commits, an index or a work tree alike. */
import { z } from 'zod'
import { OpenChange } from './open-change.ts'
import { ProductionError } from './production-error.ts'
import { namePart } from './repository-name.ts'
import { DiscussionEntry, Ticket, TicketLine } from './ticket.ts'
import { ToolResult } from './tool-result.ts'
import { WorkspaceView } from './workspace.ts'

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

/**
 * Words that somebody else chose and that a prompt, a page or a path must never take as its own: a brand that only
 * parsing gives. `new Untrusted(origin, text)` takes it to a prompt.
 */
export const ForeignText = z.string().brand<'foreign'>()
export type ForeignText = z.infer<typeof ForeignText>

/** The host's own id of a repository, a person or a change request: it survives renames. */
const HostId = z.string().regex(/^[A-Za-z0-9_=-]{1,64}$/)

/** Owners, repositories and hosts appear in paths and addresses, so only what hosts allow in them passes. */
const HostName = z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(?::\d{1,5})?$/)
const PathName = z.string().regex(namePart)

/** Which repository of which host. `owner` may have several parts where the host has groups. */
export const RepositoryIdentity = z.object({
  /** `github.com`, `gitlab.example.org:8443`. */
  host: HostName,
  id: HostId,
  owner: z.array(PathName).min(1).max(20),
  name: PathName,
  visibility: z.enum(['public', 'internal', 'private']),
})
export type RepositoryIdentity = z.infer<typeof RepositoryIdentity>

/** What a host says a person may do in the repository, from most to least. `unknown`: it was not asked or did not say. */
export const ActorTrust = z.enum(['owner', 'member', 'contributor', 'first-time', 'none', 'unknown'])
export type ActorTrust = z.infer<typeof ActorTrust>

export const Actor = z.object({
  id: HostId,
  login: ForeignText,
  /** As the host says, never by the look of the name. */
  isBot: z.boolean(),
  trust: ActorTrust,
})
export type Actor = z.infer<typeof Actor>

/** A pull request or merge request, as it was when it was collected. */
export const ChangeRequest = z.object({
  number: z.number().int().positive(),
  url: z.url({ protocol: /^https?$/ }),
  isDraft: z.boolean(),
  /** Its head lies in another repository, whose owner may be anybody. */
  isFork: z.boolean(),
  baseRef: ForeignText,
  headRef: ForeignText,
  author: Actor,
  /** Everybody else whose words or commits are part of it; a change is trusted no further than the least of them. */
  participants: z.array(Actor),
  labels: z.array(ForeignText),
  /** Issues that the host ties to it, by their names there (`12`, `owner/repo#12`). */
  linkedIssues: z.array(ForeignText),
})
export type ChangeRequest = z.infer<typeof ChangeRequest>

export const ReviewRequest = z.object({
  schemaVersion: z.literal(1),
  source: z.object({
    kind: ChangeSourceKind,
    /** For people: `uncommitted changes`, `branch feature against main`, `commit 1a2b3c4`. */
    label: z.string(),
    /** Files and folders that the review is limited to, from the root of the tree; absent when it is not. */
    paths: z.array(z.string()).optional(),
  }),
  /** Both absent for a change that comes from no host. */
  repository: RepositoryIdentity.optional(),
  changeRequest: ChangeRequest.optional(),
  objectFormat: z.enum(['sha1', 'sha256']),
  base: Revision,
  head: Revision,
  /** Foreign text: what the author says of the change (subject and body of the commits, or of the pull request). */
  title: z.string(),
  body: z.string(),
  author: z.string().nullable(),
  /** Foreign text: the whole messages of its commits, oldest first, bounded; absent when it has no commits. */
  messages: z.array(z.string()).optional(),
  /** Tickets that the change points to, or that were handed in; absent when none were looked for. */
  tickets: z.array(Ticket).optional(),
  /**
   * What was said of the change so far, and the open tickets of its repository: for tools to answer from, and no part of
   * the bundle or its hash. Absent when they were not looked for.
   */
  discussion: z.array(DiscussionEntry).optional(),
  openTickets: z.array(TicketLine).optional(),
  /** Errors in production whose stack runs through changed files; absent when no tracker of errors was asked. */
  errors: z.array(ProductionError).optional(),
  /**
   * Other change requests that are open and change the same files; those that change the same code become evidence, and all
   * are there for tools to answer from. Absent when the host was not asked.
   */
  openChanges: z.array(OpenChange).optional(),
  /** What other repositories of the workspace use of what it breaks; absent where there is no workspace. */
  workspace: WorkspaceView.optional(),
  /** What other tools say of the changed files, as the operator handed it in; absent when nothing was. */
  toolResults: z.array(ToolResult).optional(),
  /** What the collector could not bring, in words; ends up in coverage. */
  limits: z.array(z.string()),
  /** Paths left out of the head tree on purpose (too large to read), with the reason. */
  unread: z.array(z.object({ path: z.string(), reason: z.string() })),
})
export type ReviewRequest = z.infer<typeof ReviewRequest>

/**
 * Where the change lives, to find its runs by: `github.com/owner/repo/12`, or `local/shop/1a2b3c4d5e6f` for a commit or
 * tree of a repository on this machine.
 */
export function placeOf(request: ReviewRequest, repositoryLabel: string): string {
  const { repository, changeRequest, head } = request
  const revision = (head.commit ?? head.tree).slice(0, 12)
  if (!repository)
    return `local/${repositoryLabel.split(/[\\/]/).findLast((part) => part !== '') ?? 'repository'}/${revision}`
  return [repository.host, ...repository.owner, repository.name, changeRequest?.number ?? revision].join('/')
}

/** What it takes to decide about findings. */
export function mayWrite(trust: ActorTrust): boolean {
  return trust === 'owner' || trust === 'member'
}
