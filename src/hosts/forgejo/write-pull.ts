/**
 * The publisher's half. The API has reviews with comments on single lines, and commit statuses; it has no threads: nothing
 * can be resolved, and comments are listed by review. A comment is answered by an edit that puts the answer above it.
 */
import { z } from 'zod'
import { refusalOf } from '../remote/answers.ts'
import {
  type ChangeAddress,
  type ChangeWriter,
  type HostAccess,
  markerStart,
  mayBeOurs,
  type OwnCheck,
  type OwnThread,
  type PlannedComment,
  type PublishedState,
} from '../remote/contract.ts'
import { pageOf } from '../remote/facts.ts'
import {
  lockReaction,
  postReview,
  putComment,
  putStatus,
  reactionsOf,
  stateOf,
  takeLock,
  visibilityOf,
} from '../remote/pull-requests.ts'
import { checkOfStatus } from '../remote/status.ts'
import { publishedState } from '../remote/writers.ts'
import { type ForgejoApi, openForgejoApi } from './client.ts'
import { forgejo } from './facts.ts'
import { Comment, Review, readNamed } from './read-pull.ts'

const statusName = 'sightline'
const longestDescription = 255
const mostPages = 40

export function openPullWriter(address: ChangeAddress, access: HostAccess): ChangeWriter {
  const api = openForgejoApi(address, access)
  /** Comments on lines as they were read: the server gives none of them by its id. */
  let bodies: ReadonlyMap<string, string> = new Map()
  const { number } = address
  return {
    abilities: forgejo.abilities,
    async readState(signal) {
      const published = await readPublished(api, address, signal)
      bodies = new Map(published.threads.map(({ id, body }) => [id, body]))
      return published
    },
    readCheck: async (head, signal) => await readStatus(api, head, await api.readUser(signal), signal),
    postReview: (review, signal) =>
      postReview(api, number, review, review.comments.map(commentOf), () => true, signal),
    async closeThreads(closings, signal) {
      let refused: string | null = null
      for (const { thread, reply } of closings) {
        const body = bodies.get(thread)
        if (reply === null || body === undefined) continue
        const edited = { id: thread, body: `${reply}${foldStart}${body}${foldEnd}` }
        // Only its author may, with a token for issues.
        refused = (await refusalOf(() => putComment(api, number, edited, signal))) ?? refused
      }
      return { refused }
    },
    putOverview: async (overview, signal) => ({
      refused: await refusalOf(() => putComment(api, number, overview, signal)),
    }),
    lock: async (signal) => (await takeLock(api, number, signal))?.isTaken ?? null,
    async unlock(signal) {
      await api.ask('DELETE', reactionsOf(number), lockReaction, signal)
    },
    async putCheck(check, signal) {
      const url = check.url ?? pageOf(address)
      const status = { context: statusName, longest: longestDescription, url }
      return { refused: await refusalOf(() => putStatus(api, check, status, signal)) }
    },
  }
}

const ReviewComment = Comment.extend({
  path: z.string(),
  commit_id: z.string(),
  /** Line of the new side; 0 on the old one, whose line is `original_position`. */
  position: z.number().default(0),
  original_position: z.number().default(0),
})

const Status = z.object({
  context: z.string(),
  description: z.string().default(''),
  status: z.string(),
  creator: z.object({ id: z.number() }).nullish(),
})

async function readPublished(
  api: ForgejoApi,
  address: ChangeAddress,
  signal: AbortSignal,
): Promise<PublishedState> {
  const { number } = address
  const [user, pull, all, conversation] = await Promise.all([
    api.readUser(signal),
    readNamed(api, address, signal),
    api.list(`/pulls/${number}/reviews`, { pages: mostPages, isWhole: true }, signal),
    api.get(`/issues/${number}/comments`, signal),
  ])
  const me = String(user)
  const ours = z
    .array(Review)
    .parse(all)
    .filter((review) => review.state !== 'PENDING' && mayBeOurs(postedOf(review), me))
  const said = z.array(Comment).parse(conversation)
  const { sha: head } = pull.head
  const threads: OwnThread[] = []
  for (const { id } of ours.filter(({ comments_count: count }) => count > 0)) {
    const comments = await api.get(`/pulls/${number}/reviews/${id}/comments`, signal)
    threads.push(
      ...z
        .array(ReviewComment)
        .parse(comments)
        .map((comment) => threadOf(address, comment, head)),
    )
  }
  // A comment on a line is by whoever gave the review.
  const logins = new Map([...ours, ...said].map(({ user }) => [String(user?.id ?? ''), user?.login ?? '']))
  const own = {
    ...{ me, head, threads, state: stateOf(pull), lacks: [] },
    repositoryId: String(pull.base.repo.id),
    isPublic: visibilityOf(pull.base.repo) === 'public',
    bodies: [...ours.filter(({ body }) => body !== ''), ...said].map((one) => ({
      id: String(one.id),
      ...postedOf(one),
    })),
    check: await readStatus(api, head, user, signal),
  }
  return await publishedState(own, async (author) =>
    logins.has(author) ? api.readTrust(logins.get(author) ?? '', signal) : 'unknown',
  )
}

async function readStatus(
  api: ForgejoApi,
  head: string,
  me: number,
  signal: AbortSignal,
): Promise<OwnCheck | null> {
  const statuses = z.array(Status).parse(await api.get(`/statuses/${head}`, signal))
  const own = statuses.find((one) => one.context === statusName && one.creator?.id === me)
  return checkOfStatus(own && { ...own, state: own.status })
}

/** The server does not move a comment with its lines, so its place is known for the head it was posted on only. */
function threadOf(address: ChangeAddress, comment: z.infer<typeof ReviewComment>, head: string): OwnThread {
  const side = comment.position > 0 ? ('new' as const) : ('old' as const)
  const { author, body } = postedOf(comment)
  const { answer, folded } = partsOf(body)
  const line = side === 'new' ? comment.position : comment.original_position
  return {
    id: String(comment.id),
    comment: String(comment.id),
    ...{ author, body: folded ?? body },
    path: comment.path,
    line: comment.commit_id === head && line > 0 ? line : null,
    posted: line > 0 ? { side, line, commit: comment.commit_id } : null,
    isResolved: Boolean(comment.resolver) || folded !== null,
    url: `${pageOf(address)}#issuecomment-${comment.id}`,
    replies: folded === null ? [] : [{ author, body: answer }],
  }
}

const foldStart = '\n\n<details><summary>What was found</summary>\n\n'
const foldEnd = '\n\n</details>'

/** A comment that was answered: the answer with its marker, and what it was before. */
function partsOf(body: string): { answer: string; folded: string | null } {
  const at = body.indexOf(foldStart)
  const isAnswered = at !== -1 && body.slice(0, at).includes(markerStart) && body.endsWith(foldEnd)
  if (!isAnswered) return { answer: '', folded: null }
  return { answer: body.slice(0, at), folded: body.slice(at + foldStart.length, -foldEnd.length) }
}

function postedOf({ user, body }: Pick<z.infer<typeof Comment>, 'user' | 'body'>) {
  return { author: String(user?.id ?? ''), body }
}

/** Positions are line numbers; 0 stands for the other side. */
function commentOf({ path, side, end, body }: PlannedComment) {
  return {
    path,
    body,
    new_position: side === 'new' ? (end.new ?? 0) : 0,
    old_position: side === 'old' ? (end.old ?? 0) : 0,
  }
}
