/**
 * The publisher's half. The API has reviews with comments on single lines, and commit statuses; it has no threads: nothing
 * can be resolved, and comments are listed by review. A comment is answered by an edit that puts the answer above it.
 */
import { z } from 'zod'
import { isRefusal, Refused, refusalOf } from '../remote/answers.ts'
import {
  AnchorsRefused,
  type ChangeAddress,
  type ChangeWriter,
  type HostAccess,
  isOpenCheck,
  keyOfStatus,
  markerStart,
  mayBeOurs,
  type OwnCheck,
  type OwnThread,
  type PlannedCheck,
  type PlannedComment,
  type PublishedState,
  statusLine,
} from '../remote/contract.ts'
import { readWriters } from '../remote/writers.ts'
import { type ForgejoApi, openForgejoApi } from './client.ts'
import { pathOf, readPull, stateOf } from './read-pull.ts'

const statusName = 'sightline'
const longestDescription = 255
const mostPages = 40

export function openPullWriter(address: ChangeAddress, access: HostAccess): ChangeWriter {
  const api = openForgejoApi(address, access)
  /** Comments on lines as they were read: the server gives none of them by its id. */
  let bodies: ReadonlyMap<string, string> = new Map()
  const conversation = `/issues/${address.number}/comments`
  /** Ours on the pull request is the lock. */
  const reactions = `/issues/${address.number}/reactions`
  return {
    abilities: {
      suggestions: null,
      multiLine: false,
      resolve: false,
      check: 'status',
      bodyLength: 60_000,
      // Defaults of the server: MAX_GIT_DIFF_FILES, and lines enough for them.
      shownFiles: 100,
      shownLines: 50_000,
    },
    async readState(signal) {
      const published = await readPublished(api, address, signal)
      bodies = new Map(published.threads.map(({ id, body }) => [id, body]))
      return published
    },
    readCheck: async (head, signal) => await readStatus(api, head, await api.readUser(signal), signal),
    async postReview({ head, body, comments }, signal) {
      const review = { event: 'COMMENT', commit_id: head, body, comments: comments.map(commentOf) }
      try {
        await api.post(`${pathOf(address)}/reviews`, review, signal)
      } catch (error) {
        if (error instanceof Refused && comments.length > 0)
          throw new AnchorsRefused(error.message, { cause: error })
        throw error
      }
    },
    async closeThreads(closings, signal) {
      let refused: string | null = null
      for (const { thread, reply } of closings) {
        const body = bodies.get(thread)
        if (reply === null || body === undefined) continue
        const edited = { body: `${reply}${foldStart}${body}${foldEnd}` }
        // Only its author may, with a token for issues.
        const path = `/issues/comments/${encodeURIComponent(thread)}`
        refused = (await refusalOf(() => api.send('PATCH', path, edited, signal))) ?? refused
      }
      return { refused }
    },
    async putOverview({ id, body }, signal) {
      const refused = await refusalOf(() =>
        id === null
          ? api.post(conversation, { body }, signal)
          : api.send('PATCH', `/issues/comments/${encodeURIComponent(id)}`, { body }, signal),
      )
      return { refused }
    },
    async lock(signal) {
      try {
        // 200 for a reaction that this account made before.
        return (await api.send('POST', reactions, { content: 'eyes' }, signal)).status === 201
      } catch (error) {
        if (isRefusal(error)) return null
        throw error
      }
    },
    async unlock(signal) {
      await api.send('DELETE', reactions, { content: 'eyes' }, signal)
    },
    async putCheck(check, signal) {
      return { refused: await refusalOf(() => putStatus(api, address, check, signal)) }
    },
  }
}

const User = z.object({ id: z.number(), login: z.string() })

const Review = z.object({
  id: z.number(),
  body: z.string(),
  state: z.string(),
  comments_count: z.number().default(0),
  user: User.nullable(),
})

const Comment = z.object({ id: z.number(), body: z.string(), user: User.nullable() })

const ReviewComment = z.object({
  id: z.number(),
  body: z.string(),
  path: z.string(),
  commit_id: z.string(),
  /** Line of the new side; 0 on the old one, whose line is `original_position`. */
  position: z.number().default(0),
  original_position: z.number().default(0),
  html_url: z.string().default(''),
  resolver: z.object({ id: z.number() }).nullish(),
  user: User.nullable(),
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
  const [user, pull, all, conversation] = await Promise.all([
    api.readUser(signal),
    readPull(api, address, signal),
    api.list(`${pathOf(address)}/reviews`, mostPages, signal),
    api.get(`/issues/${address.number}/comments`, signal),
  ])
  const me = String(user.id)
  const ours = z
    .array(Review)
    .parse(all)
    .filter((review) => review.state !== 'PENDING' && mayBeOurs(postedOf(review), me))
  const said = z.array(Comment).parse(conversation)
  const threads: OwnThread[] = []
  const logins = new Map<string, string>()
  for (const { user: author } of [...ours, ...said]) if (author) logins.set(String(author.id), author.login)
  for (const { id, comments_count: count } of ours) {
    if (count === 0) continue
    const path = `${pathOf(address)}/reviews/${id}/comments`
    const comments = z.array(ReviewComment).parse(await api.get(path, signal))
    const found = comments.map((comment) => threadOf(address, comment, pull.head.sha))
    threads.push(...found.filter((thread) => mayBeOurs(thread, me)))
  }
  const bodies = [
    ...ours.filter(({ body }) => body !== ''),
    ...said.filter((one) => mayBeOurs(postedOf(one), me)),
  ].map((one) => ({ id: String(one.id), ...postedOf(one) }))
  const writers = await readWriters({ me, bodies, threads }, async (author) =>
    // A comment on a line is by whoever gave the review.
    logins.has(author) ? api.readTrust(logins.get(author) ?? '', signal) : 'unknown',
  )
  return {
    ...{ me, writers, bodies },
    state: stateOf(pull),
    head: pull.head.sha,
    repositoryId: String(pull.base.repo.id),
    isPublic: !pull.base.repo.private && !pull.base.repo.internal,
    lacks: [],
    threads,
    check: await readStatus(api, pull.head.sha, user, signal),
  }
}

async function readStatus(
  api: ForgejoApi,
  head: string,
  { id: me }: { id: number },
  signal: AbortSignal,
): Promise<OwnCheck | null> {
  const statuses = z.array(Status).parse(await api.get(`/statuses/${head}`, signal))
  const own = statuses.find((one) => one.context === statusName && one.creator?.id === me)
  if (!own) return null
  const isOpen = own.status === 'pending'
  return { key: isOpen ? null : keyOfStatus(own.description), isOpen }
}

/** The server does not move a comment with its lines, so its place is known for the head it was posted on only. */
function threadOf(
  { webUrl, owner, name, number }: ChangeAddress,
  comment: z.infer<typeof ReviewComment>,
  head: string,
): OwnThread {
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
    url: `${webUrl}/${[...owner, name].join('/')}/pulls/${number}#issuecomment-${comment.id}`,
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

/** Neutral does not exist here: only gating makes it fail. */
async function putStatus(
  api: ForgejoApi,
  { webUrl, owner, name, number }: ChangeAddress,
  check: PlannedCheck,
  signal: AbortSignal,
): Promise<void> {
  const ended = check.conclusion === 'failure' ? 'failure' : 'success'
  const status = {
    context: statusName,
    state: isOpenCheck(check) ? 'pending' : ended,
    description: statusLine(check, longestDescription),
    target_url: check.url ?? `${webUrl}/${[...owner, name].join('/')}/pulls/${number}`,
  }
  await api.post(`/statuses/${check.head}`, status, signal)
}
