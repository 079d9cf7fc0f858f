/**
 * What a host of change requests is: a reader for the collector and a writer for the publisher, opened apart, each with a
 * token of its own. Both are plain carriers. Reading commits (`fetch-commits.ts`), deciding what to write
 * (`pipeline/publish/sync`) and knowing findings again (`src/ledger`) are written once for all hosts; an adapter only
 * translates between these types and the API of its host.
 */
import type { HostKind } from '../../domain/host-kind.ts'
import type { ChangeRequest, RepositoryIdentity } from '../../domain/review-request.ts'
import type { DiscussionEntry } from '../../domain/ticket.ts'

/** Which repository, from its address. Nothing of it was looked up. */
export type RepositoryPlace = {
  readonly kind: HostKind
  /** `github.com`, `gitlab.example.org:8443`. */
  readonly host: string
  /** Root of the web pages, without a slash at its end: `https://git.example.org/forge`. */
  readonly webUrl: string
  /** Root of the API, without a slash at its end: `https://api.github.com`, `https://gitlab.example.org/api/v4`. */
  readonly apiUrl: string
  /** `['group', 'subgroup']`, `['organization', 'project']`; one part where the host has no groups. */
  readonly owner: readonly string[]
  readonly name: string
  /** Where it is known: by it a repository is found after it was renamed, on hosts that forget its former names. */
  readonly repositoryId?: string
}

/** Which change request, likewise. */
export type ChangeAddress = RepositoryPlace & { readonly number: number }

/** What an adapter may use. It takes nothing from the environment by itself. */
export type HostAccess = {
  /** Null: only what everybody may read. An adapter puts it into a header and nowhere else. */
  readonly token: string | null
  /** Where it comes from, for messages: `GITHUB_TOKEN`. Hosts with several kinds of token may tell them apart by it. */
  readonly tokenName: string | null
  /** GitHub: the App that mints installation tokens; used instead of `token`. */
  readonly app?: { readonly id: string; readonly privateKey: string }
  /** From `openTransport`: bounded, waits at rate limits, repeats reads and never writes. */
  readonly fetch: typeof globalThis.fetch
}

/** How every body and comment of ours ends: the rest of the line is signed data, see `pipeline/publish/sync/marker.ts`. */
export const markerStart = '<!-- sightline:'

/** What a host is and has, as data. */
export type HostFacts = {
  /** For people. */
  readonly title: string
  /** Its public server; null where there are only those that people run themselves. */
  readonly server: { readonly webUrl: string; readonly apiUrl: string } | null
  /** Where the API of any other server is, below its web pages. */
  readonly apiPath: string
  /** Names of servers from which one sees what they run. */
  readonly serverName: RegExp
  /** Of a change request, below the root of the web pages: groups, name and number. */
  readonly changePath: RegExp
  /** Other forms of its addresses, and what each is replaced by. */
  readonly otherForms: readonly (readonly [RegExp, string])[]
  /** In the address of a repository: what is before its groups, and between these and its name. */
  readonly repository: {
    readonly beforeOwner?: string
    readonly beforeName: string
    /** What git wants before groups and name, where it has an address of its own, and what it wants after the name. */
    readonly gitRoot?: string
    readonly gitSuffix: string
  }
  /** Between a repository and the number, in that path. */
  readonly page: string
  /** Before the number, for people. */
  readonly sign: '#' | '!'
  /** What git calls the head of a change request, of a fork too, with `{number}`; null where it has no name for it. */
  readonly headRef: string | null
  /** After the repository: of a file, with `{commit}` and `{path}`, and of its lines, with `{start}` and `{end}`. */
  readonly filePage: { readonly file: string; readonly line: string; readonly lines: string }
  /** Variables with a token, in the order in which they are tried. */
  readonly tokens: readonly string[]
  /** Variables with an App, which mints tokens for each installation; null where the host has none. */
  readonly app: { readonly id: string; readonly key: string } | null
  /** Variables in which a job names the server that runs it; null where none does, and jobs have no token. */
  readonly ci: {
    readonly flag: string
    readonly webUrl: string
    /** What of its value is the root of the web pages. */
    readonly server: RegExp
    /** With the address of its API, which has this form; null where that is at the web pages. */
    readonly api: { readonly variable: string; readonly form: RegExp } | null
    /** The variable with the token of the job; `readsLittle`: only the change request itself, and it writes nothing. */
    readonly token: string
    readonly readsLittle: boolean
  } | null
  /** At best; a writer may have less with its token. */
  readonly abilities: WriterAbilities
  /** How the comments of a review appear: with one request, as drafts that are published together, or each with its own. */
  readonly posts: 'at once' | 'as drafts' | 'one by one'
  /** Emoji under comments, in its API: which people give, and with which a command is acknowledged; null for none. */
  readonly reactions: 'all' | 'likes' | null
}

/** The collector's half. Only reads; needs no right to write. */
export interface ChangeReader {
  /**
   * The change request as it is now. Throws `host-refused` with the missing right, `change-request-unknown` where it does
   * not exist or may not be seen, `host-unavailable` for failures of the wire. What is only nice to have (discussion,
   * linked issues) never fails it: it is named in `limits`.
   */
  read(signal: AbortSignal): Promise<HostedChange>
  /** Commit of the head now: one cheap request, asked again and again while a review runs. */
  readHead(signal: AbortSignal): Promise<string>
}

/** All words in it are foreign. */
export type HostedChange = {
  repository: RepositoryIdentity
  changeRequest: ChangeRequest
  state: ChangeState
  title: string
  body: string
  /** Display name of the author. */
  author: string | null
  head: string
  /** Tip of the branch that it is to be merged into. */
  base: string
  /** Where the head left the base, when the host says so; otherwise git finds it. */
  mergeBase: string | null
  fetch: GitOrigin
  /** Oldest first, without comments of ours. */
  discussion: DiscussionEntry[]
  /** What could not be read, in words. */
  limits: string[]
}

export type ChangeState = 'open' | 'closed' | 'merged'

/** From where git fetches the commits. */
export type GitOrigin = {
  /** Made from `ChangeAddress.webUrl`, never from an answer of the host; without credentials. */
  url: string
  /** Value of the `Authorization` header; null for none. */
  authorization: string | null
  /** Of the fork, made as `url`, where the repository itself does not have the head; null everywhere else. */
  forkUrl: string | null
  /**
   * References that hold head and base, such as `refs/pull/1/head`, tried when the host gives no commit by its id. Without
   * `forkUrl`, the head's one must not depend on the fork, which may be deleted.
   */
  headRef: string
  baseRef: string
}

/** The publisher's half: reads what was published before, and writes. It never approves, merges, pushes or labels. */
export interface ChangeWriter {
  readonly abilities: WriterAbilities
  /** Everything of ours on the change request, and its head now. Throws as `ChangeReader.read`. */
  readState(signal: AbortSignal): Promise<PublishedState>
  /**
   * Posts all comments and the body in as few writes as the host allows, all or nothing where it can. A part that an
   * interrupted attempt left where people do not see it (GitLab's drafts) is removed first. Throws `AnchorsRefused` when
   * the host refuses the place of a comment, and `WriteUnclear` when it may or may not have been carried out; then the
   * caller reads the state again. Waits at rate limits.
   */
  postReview(review: PlannedReview, signal: AbortSignal): Promise<void>
  /**
   * Answers (where `reply` is not null) and then resolves threads of ours. On GitHub an App needs the right to write code before it
   * may resolve: there they are folded. `refused` says why neither was possible for some. Throws `WriteUnclear`.
   */
  closeThreads(closings: readonly PlannedClosing[], signal: AbortSignal): Promise<{ refused: string | null }>
  /**
   * Puts one comment into the conversation, or replaces the text of ours. `refused` says why this token may not. Throws
   * `WriteUnclear`.
   */
  putOverview(overview: PlannedOverview, signal: AbortSignal): Promise<{ refused: string | null }>
  /**
   * A lock that all processes with this account share, kept by the host: it lets one account react to a change request in one
   * way only once. False while another one holds it; null where this token may not. Whoever was killed leaves it behind.
   */
  lock(signal: AbortSignal): Promise<boolean | null>
  /** Of this account, whoever took it. */
  unlock(signal: AbortSignal): Promise<void>
  /** Our check on a commit: one cheap request, without what else is ours. Throws as `readState`. */
  readCheck(head: string, signal: AbortSignal): Promise<OwnCheck | null>
  /**
   * Creates or updates our check on the head; with an end, the last write of a publication, so that a check whose key is that of the
   * review seals it. `refused` says why this token may not write one. Throws `WriteUnclear`.
   */
  putCheck(check: PlannedCheck, signal: AbortSignal): Promise<{ refused: string | null }>
}

export type WriterAbilities = {
  /** How a comment offers code for committing: it replaces the lines of the comment, or so many as it counts up from the last. */
  suggestions: 'lines' | 'counted' | null
  /** A comment may span lines; otherwise it is on its last line. */
  multiLine: boolean
  /** Threads can be resolved; otherwise they are only answered, and what has no answer is left alone. */
  resolve: boolean
  /**
   * `run`: has a page with a summary and annotations; `status`: one line. May depend on the kind of token. With a status,
   * all that a page would say goes into the body of a review; likewise with null, where the host has no checks.
   */
  check: 'run' | 'status' | null
  /** Longest body, in characters. */
  bodyLength: number
  /** The host shows comments only within so many files and diff lines, in git's order. */
  shownFiles: number
  shownLines: number
}

/**
 * What may be ours on a change request: everything that this account wrote, as the host says, and what another account
 * wrote with a marker in it, which is ours where the token belonged to that account before.
 */
export type PublishedState = {
  /** The host's id of the account whose token this is. */
  me: string
  /** Ids of other accounts with markers, who may write to the repository; see `publishedState`. */
  writers: readonly string[]
  state: ChangeState
  head: string
  /** The host's id of the repository. */
  repositoryId: string
  /** Everybody may read the repository now. */
  isPublic: boolean
  /** Bodies of reviews, then comments of the conversation (on GitLab all are notes without a place); oldest first. */
  bodies: OwnBody[]
  /** What this token was found not to be allowed to do, and what happens instead, in words. */
  lacks: string[]
  /** Oldest first. */
  threads: OwnThread[]
  /** On this head; null when there is none. */
  check: OwnCheck | null
}

/** `key` as it was put; null while it waits for its end. */
export type OwnCheck = { key: string | null; isOpen: boolean }

/** What somebody wrote. `author`: the host's id of the account; empty for one that was deleted. */
export type Posted = { author: string; body: string }

export type OwnBody = Posted & { id: string }

/** See `PublishedState`: the one rule on what adapters hand over. */
export function mayBeOurs({ author, body }: Posted, me: string): boolean {
  return author === me || body.includes(markerStart)
}

/** A thread by its first comment. */
export type OwnThread = Posted & {
  id: string
  /** The host's id of the first comment. */
  comment: string
  path: string
  /** Where the host shows it now; null when the lines are no longer in the diff. */
  line: number | null
  /** Where it was posted: on which side, line and commit. Null where the host does not say. */
  posted: { side: 'old' | 'new'; line: number; commit: string } | null
  isResolved: boolean
  /** Web address; null when the host gives none. */
  url: string | null
  replies: Posted[]
}

/** One review: what is posted is a body with a marker, and comments with a marker each. Texts are complete, safe Markdown. */
export type PlannedReview = {
  /** Commit that it is about; the host is to refuse or mark comments when the head has moved. */
  head: string
  base: string
  body: string
  comments: PlannedComment[]
}

export type PlannedComment = {
  path: string
  /** Path before the change; the same where it was not renamed. */
  oldPath: string
  side: 'old' | 'new'
  /** First and last line, in one hunk; the same for one line. */
  start: PlannedLine
  end: PlannedLine
  body: string
}

/** Numbers of the side on which the line does not exist are null; `counted` has the number of the next line there instead. */
export type PlannedLine = {
  old: number | null
  new: number | null
  counted: { old: number; new: number }
}

/** `id`: of `OwnBody`, to be replaced; null for a new comment. */
export type PlannedOverview = { id: string | null; body: string }

export type PlannedClosing = { thread: string; reply: string | null }

export type PlannedCheck = {
  head: string
  /** What it shows, hashed: kept where `readState` finds it again. At most 40 characters of `[a-z0-9-]`. */
  key: string
  /** The first two say that the end is still to come, so that a branch rule waits for it. */
  conclusion: 'queued' | 'running' | 'success' | 'neutral' | 'failure'
  /** One line of plain text. */
  title: string
  /** Markdown within `bodyLength`. */
  summary: string
  /** Most important first; sent in batches of what the host takes. Plain text. */
  annotations: PlannedAnnotation[]
  /** Where people read more; absent leaves it to the host. */
  url?: string
  /** Only what waits for its end is changed. */
  ifOpen?: boolean
}

/** Whether it waits for its end. */
export function isOpenCheck({ conclusion }: Pick<PlannedCheck, 'conclusion'>): boolean {
  return conclusion === 'queued' || conclusion === 'running'
}

/** The key of a check whose end is missing, or that no review belongs to. */
export const unfinishedKey = 'unfinished'

export type PlannedAnnotation = {
  path: string
  startLine: number
  endLine: number
  level: 'notice' | 'warning' | 'failure'
  title: string
  message: string
}

/** The host refused the place of at least one comment, and does not say of which. Nothing was posted. */
export class AnchorsRefused extends Error {
  override readonly name = 'AnchorsRefused'
}

/** The connection broke or the host failed in the middle: a write may or may not have been carried out. */
export class WriteUnclear extends Error {
  override readonly name = 'WriteUnclear'
}
