/**
 * The publisher's half. Azure DevOps has no reviews: every comment is a separate thread, and so is a body, which has no
 * place. Threads without a state that asks for an answer are posted as closed, so that no branch policy waits for them.
 */
import { z } from 'zod'
import { Refused, refusalOf, unlessRefused } from '../remote/answers.ts'
import type { HostApi } from '../remote/api.ts'
import {
  type ChangeAddress,
  type ChangeWriter,
  type HostAccess,
  isOpenCheck,
  type OwnThread,
  type PlannedCheck,
  type PlannedComment,
  type PlannedReview,
} from '../remote/contract.ts'
import { pageOf } from '../remote/facts.ts'
import { checkOfStatus, statusLine, statusState } from '../remote/status.ts'
import { closeOneByOne, postOneByOne, publishedState, takeFirst } from '../remote/writers.ts'
import { listOf, openAzureApi } from './client.ts'
import { azure } from './facts.ts'
import {
  type Comment,
  commitsOf,
  type Iteration,
  iterationOf,
  pullOf,
  readChanges,
  readIterations,
  readPull,
  readThreads,
  states,
  type Thread,
  User,
} from './read-pull.ts'

const genre = 'sightline'
const reviewStatus = 'review'
const lockStatus = 'publishing'
const longestDescription = 255

export function openPullWriter(address: ChangeAddress, access: HostAccess): ChangeWriter {
  const api = openAzureApi(address, access)
  const own = pullOf(api, address)
  const readLocks = async (signal: AbortSignal) =>
    await readStatuses(own, lockStatus, await api.readUser(signal), signal)
  const removeStatus = (id: number, signal: AbortSignal) =>
    own.send('DELETE', `/statuses/${id}`, null, signal)
  return {
    abilities: azure.abilities,
    async readState(signal) {
      const [me, pull, repository, iterations] = await Promise.all([
        api.readUser(signal),
        readPull(own, signal),
        api.readRepository(signal),
        readIterations(own, signal),
      ])
      const { head } = commitsOf(pull)
      const iteration = iterationOf(iterations, head)?.id ?? null
      const [threads, check] = await Promise.all([
        readThreads(own, iteration, signal),
        readReviewStatus(own, me, iteration, signal),
      ])
      const state = {
        ...{ me, head, check, state: states[pull.status], lacks: [] },
        ...{ repositoryId: repository.id, isPublic: repository.project.visibility === 'public' },
        bodies: threads.flatMap(({ id, place, comments: [first] }) =>
          first && !place ? [{ id: `${id}/${first.id}`, ...postedOf(first) }] : [],
        ),
        threads: threads.flatMap((thread) => threadOf(address, thread, iterations, iteration)),
      }
      return await publishedState(state, async (author) => {
        const trusts = await unlessRefused(() => api.readTrusts([author], signal))
        return trusts?.get(author) ?? 'unknown'
      })
    },
    async readCheck(head, signal) {
      const [me, iterations] = await Promise.all([api.readUser(signal), readIterations(own, signal)])
      return await readReviewStatus(own, me, iterationOf(iterations, head)?.id ?? null, signal)
    },
    postReview: (review, signal) => postThreads(own, review, signal),
    closeThreads: (closings, signal) =>
      closeOneByOne(closings, {
        answer: (thread, reply) => own.send('POST', `/threads/${thread}/comments`, replyOf(reply), signal),
        close: (thread) => own.send('PATCH', `/threads/${thread}`, { status: 'fixed' }, signal),
      }),
    putOverview: async ({ id, body }, signal) => ({
      refused: await refusalOf(() =>
        id === null
          ? own.send('POST', '/threads', threadWith(body), signal)
          : own.send('PATCH', commentPath(id), { content: body }, signal),
      ),
    }),
    lock: (signal) =>
      takeFirst({
        async take() {
          const status = { state: 'pending', context: { genre, name: lockStatus } }
          return Status.parse(await own.send('POST', '/statuses', status, signal)).id
        },
        readAll: () => readLocks(signal),
        release: (id) => removeStatus(id, signal),
      }),
    async unlock(signal) {
      for (const { id } of await readLocks(signal)) await removeStatus(id, signal)
    },
    putCheck: async (check, signal) => ({
      refused: await refusalOf(() => putStatus(own, check, check.url ?? pageOf(address), signal)),
    }),
  }
}

/** `12/1`: a thread and a comment in it. */
export function commentPath(id: string): string {
  const [thread = '', comment = ''] = id.split('/')
  return `/threads/${encodeURIComponent(thread)}/comments/${encodeURIComponent(comment)}`
}

/** The comment that begins a thread is its first. */
export function replyOf(content: string) {
  return { content, parentCommentId: 1, commentType: 'text' }
}

function threadWith(content: string) {
  return { comments: [{ content, parentCommentId: 0, commentType: 'text' }], status: 'closed' }
}

function postedOf({ author, content }: Comment) {
  return { author: author.id, body: content }
}

function threadOf(
  address: ChangeAddress,
  { id, comments: [first, ...replies], place, iteration: at, wroteOn, isResolved }: Thread,
  iterations: readonly Iteration[],
  now: number | null,
): OwnThread[] {
  if (!first || !place || place.line === null || wroteOn === null) return []
  const { path, side, line, isMoved } = place
  const commit = iterations.find((one) => one.id === at)?.sourceRefCommit.commitId
  return [
    {
      ...{ id: String(id), comment: `${id}/${first.id}`, ...postedOf(first), path, isResolved },
      line: isMoved || at === now ? line : null,
      posted: commit === undefined ? null : { side, line: wroteOn, commit },
      url: `${pageOf(address)}?discussionId=${id}`,
      replies: replies.map(postedOf),
    },
  ]
}

const Made = z.object({ id: z.number(), comments: z.array(z.object({ id: z.number() })) })

async function postThreads(own: HostApi, review: PlannedReview, signal: AbortSignal): Promise<void> {
  const { head } = commitsOf(await readPull(own, signal))
  const iteration = iterationOf(await readIterations(own, signal), head)?.id ?? 0
  const changes = iteration === 0 ? [] : await readChanges(own, iteration, signal)
  const tracked = new Map(changes.map(({ path, id }) => [path, id]))
  await postOneByOne(review, {
    head,
    async post(comment) {
      const place = placeOf(comment, iteration, tracked.get(comment.path))
      const thread = { ...threadWith(comment.body), status: 'active', ...place }
      const { id, comments } = Made.parse(await own.send('POST', '/threads', thread, signal))
      return comments.map((one) => `${id}/${one.id}`)
    },
    remove: (id) => own.send('DELETE', commentPath(id), null, signal),
  })
  if (review.body !== '') await own.send('POST', '/threads', threadWith(review.body), signal)
}

/** Between whole lines; the iteration is compared with where its branch began. */
function placeOf(
  { path, oldPath, side, start, end }: PlannedComment,
  iteration: number,
  changeTrackingId: number | undefined,
) {
  if (changeTrackingId === undefined) throw new Refused(404, `${path} is not in the list of changes`)
  const [from, to] = [start[side] ?? end[side], end[side]].map((line) => ({ line, offset: 1 }))
  const lines =
    side === 'new' ? { rightFileStart: from, rightFileEnd: to } : { leftFileStart: from, leftFileEnd: to }
  const iterationContext = { firstComparingIteration: iteration, secondComparingIteration: iteration }
  return {
    threadContext: { filePath: `/${side === 'new' ? path : oldPath}`, ...lines },
    pullRequestThreadContext: { changeTrackingId, iterationContext },
  }
}

const Context = z.object({ genre: z.string().nullish(), name: z.string().nullish() })

const Status = z.object({
  id: z.number(),
  state: z.string().default('notSet'),
  description: z.string().nullable().default(null),
  context: Context.nullish(),
  iterationId: z.number().nullish(),
  createdBy: User,
})

/** Of this name and account, oldest first. */
async function readStatuses(own: HostApi, name: string, me: string, signal: AbortSignal) {
  const all = listOf(Status).parse(await own.get('/statuses', signal))
  return all
    .filter((one) => one.context?.genre === genre && one.context.name === name && one.createdBy.id === me)
    .toSorted((a, b) => a.id - b.id)
}

async function readReviewStatus(own: HostApi, me: string, iteration: number | null, signal: AbortSignal) {
  const all = await readStatuses(own, reviewStatus, me, signal)
  return checkOfStatus(all.findLast(({ iterationId }) => iterationId === iteration))
}

async function putStatus(own: HostApi, check: PlannedCheck, targetUrl: string, signal: AbortSignal) {
  const iteration = iterationOf(await readIterations(own, signal), check.head)
  if (!iteration) throw new Refused(404, `the pull request never had the commit ${check.head.slice(0, 12)}`)
  const end = statusState(check) === 'success' ? 'succeeded' : 'failed'
  const status = {
    iterationId: iteration.id,
    state: isOpenCheck(check) ? 'pending' : end,
    description: statusLine(check, longestDescription),
    context: { genre, name: reviewStatus },
    targetUrl,
  }
  await own.send('POST', '/statuses', status, signal)
}
