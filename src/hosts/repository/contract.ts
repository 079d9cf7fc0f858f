/**
 * What a server asks of a host besides one change request: which changes are open, which files one touches, who wrote a
 * comment. Only reads. The adapters use the clients of the hosts' own folders.
 */
import type { z } from 'zod'
import { Actor, type RepositoryIdentity } from '../../domain/review-request.ts'
import type { ChangeAddress, GitOrigin, HostAccess, OwnThread, RepositoryPlace } from '../remote/contract.ts'

export interface RepositoryReader {
  /** As it is now. Every method throws as `ChangeReader.read` does; absent where a package for a host does not say. */
  lookUp?(signal: AbortSignal): Promise<HostedRepository>
  readFiles(number: number, signal: AbortSignal): Promise<ChangedFiles>
  /** Open change requests, at most `mostOpen` of them, the newest first. */
  listOpen(signal: AbortSignal): Promise<ListedChange[]>
  /** What one changes, as the host shows it; at most `mostPatched` files. */
  readPatches(number: number, signal: AbortSignal): Promise<PatchedFile[]>
  /**
   * Of two commits, whether `newer` was made on top of `older`. Null when the host does not know one of them, or cannot
   * compare.
   */
  isAncestor(older: string, newer: string, signal: AbortSignal): Promise<boolean | null>
  /** Null when it was deleted. */
  readComment(comment: CommentPlace, signal: AbortSignal): Promise<HostedComment | null>
  /** What people said with an emoji of the comments that begin these threads; those of bots are left out. */
  readReactions(number: number, threads: readonly ReactedThread[], signal: AbortSignal): Promise<Reaction[]>
}

/** `fetch`: its branches; `HEAD` is the default one. */
export type HostedRepository = {
  repository: RepositoryIdentity
  fetch: Pick<GitOrigin, 'url' | 'authorization'>
}

export type ReactedThread = Pick<OwnThread, 'id' | 'comment'>

/** `thread`: its id. */
export type Reaction = { thread: string; says: Saying; by: Actor }

export type Saying = 'up' | 'down' | 'confused'

/** By the names that the hosts give them; others, such as eyes or a laugh, say nothing of a finding. */
const sayings: ReadonlyMap<string, Saying> = new Map([
  ...['+1', 'thumbsup', 'heart', 'hooray', 'tada', 'rocket'].map((name) => [name, 'up'] as const),
  ...['-1', 'thumbsdown'].map((name) => [name, 'down'] as const),
  ['confused', 'confused'],
])

/** Each person is looked up once, and none for an emoji that says nothing of a finding. */
export async function peopleWho<User extends { login: string }>(
  given: readonly { thread: string; emoji: string; user: User }[],
  lookUp: (user: User) => Promise<z.input<typeof Actor>>,
): Promise<Reaction[]> {
  const known = new Map<string, Actor>()
  const reactions: Reaction[] = []
  for (const { thread, emoji, user } of given) {
    const says = sayings.get(emoji.toLowerCase())
    if (!says) continue
    const by = known.get(user.login) ?? Actor.parse(await lookUp(user))
    known.set(user.login, by)
    if (!by.isBot) reactions.push({ thread, says, by })
  }
  return reactions
}

export type ChangedFiles = {
  paths: string[]
  /** Added and removed, as far as the host says. */
  lines: number
  /** False when there are more files than were read. */
  isWhole: boolean
}

/** Of at most `filePages` pages of so many files. */
export function changedFiles(
  files: readonly { path: string; lines: number }[],
  perPage: number,
): ChangedFiles {
  return {
    paths: files.map(({ path }) => path),
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    isWhole: files.length < filePages * perPage,
  }
}

export type ListedChange = {
  number: number
  /** Its first digits where the lists of a host have no more, at least twelve. */
  head: string
  /** When anything about it changed, in milliseconds. */
  updatedAt: number
  /** Foreign text, the description as far as lists of the host have it. */
  title: string
  body: string
  /** Login; null when the account was deleted. */
  author: string | null
  isDraft: boolean
  /** The one that it is made on, in the repository itself or in a fork. */
  branch: string
  isFork: boolean
}

/** `patch`: from the first `@@` on; null where the host left it out. */
export type PatchedFile = { path: string; oldPath: string; patch: string | null }

/** Of a diff as git prints it; a file whose name git quotes is left out. */
export function patchesOf(diff: string): PatchedFile[] {
  return diff.split(/^(?=diff --git )/m).flatMap((section) => {
    const start = section.search(/^@@ /m)
    const header = start === -1 ? section : section.slice(0, start)
    const names = /^diff --git a\/(.+) b\/(.+)$/m.exec(header)
    const oldPath = /^(?:--- a\/|rename from )(.+)$/m.exec(header)?.[1] ?? names?.[1]
    const path = /^(?:\+\+\+ b\/|rename to )(.+)$/m.exec(header)?.[1] ?? names?.[2]
    if (oldPath === undefined || path === undefined) return []
    return [{ path, oldPath, patch: start === -1 ? null : section.slice(start) }]
  })
}

export type HostedComment = {
  /** Foreign text. */
  body: string
  /** What the author may do here, by their role and not by their past. */
  author: Actor
  isEdited: boolean
  /** The host's id of the comment that begins its thread, when this is an answer to it. */
  thread: string | null
}

/** Where a comment is: the conversation of the change request, or a thread on a line. */
export type CommentPlace = { number: number; id: string; place: 'conversation' | 'thread' }

/** Shows under a comment that it was read. Needs the right to comment; throws as `ChangeWriter` does. */
export type AcknowledgeComment = (
  address: ChangeAddress,
  access: HostAccess,
  comment: CommentPlace,
  signal: AbortSignal,
) => Promise<void>

export type CommentAnswer = {
  /** Complete, safe Markdown. */
  body: string
  /** Lines that no other answer has, one of which it ends with: the first now, the others in earlier versions. */
  marks: readonly [string, ...string[]]
  /** Awaited right before the answer is posted; what it throws prevents that. */
  beforeWrite?: (() => Promise<void>) | undefined
}

/**
 * Answers a comment where it was written, unless an answer with one of the marks is there: whoever died before it was on record
 * that it had answered is repeated. Returns whether it posted. Needs and throws the same.
 */
export type AnswerComment = (
  address: ChangeAddress,
  access: HostAccess,
  comment: CommentPlace,
  answer: CommentAnswer,
  signal: AbortSignal,
) => Promise<boolean>

/** Answers a comment with `post`, unless one of `there` is the answer already. Returns whether it posted. */
export async function answerOnce(
  there: readonly { body?: string | null | undefined }[],
  { body, marks, beforeWrite }: CommentAnswer,
  post: (body: string) => Promise<unknown>,
): Promise<boolean> {
  if (there.some((one) => marks.some((mark) => one.body?.includes(mark)))) return false
  await beforeWrite?.()
  await post(`${body}\n\n${marks[0]}`)
  return true
}

/** Pages of comments among which an earlier answer is looked for. */
export const answerPages = 20

export type OpenRepository = (place: RepositoryPlace, access: HostAccess) => RepositoryReader

export const mostOpen = 1000
/** Pages of the list of files; what is beyond is more than any policy asks about. */
export const filePages = 10
/** A change of more files is a sweep that says little about any of them. */
export const mostPatched = 100
