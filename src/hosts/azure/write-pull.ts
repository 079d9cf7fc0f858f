/**
 * The publisher's half. Azure DevOps has no reviews: every comment is a separate thread, and so is a body, which has no
 * place. Threads without a state that asks for an answer are posted as closed, so that no branch policy waits for them.
 */
import { z } from 'zod'
import { Refused } from '../remote/answers.ts'
import { listOf } from '../remote/azure-requests.ts'
import type {
  ChangeAddress,
  ChangeWriter,
  HostAccess,
  PlannedCheck,
  PlannedComment,
} from '../remote/contract.ts'
import { pageOf } from '../remote/facts.ts'
import { type PostedOn, writesOneByOne } from '../remote/one-by-one.ts'
import { checkOfStatus, statusOf } from '../remote/status.ts'
import { publishedState, splitComments } from '../remote/writers.ts'
import { openAzureApi } from './client.ts'
import { azure } from './facts.ts'
import { type AzurePull, commentPath, type Iterations, openPull, states, threadPath, User } from './pull.ts'

/** What statuses are known by. */
const reviewContext = { genre: 'sightline', name: 'review' }
const lockContext = { genre: 'sightline', name: 'publishing' }

export function openPullWriter(address: ChangeAddress, access: HostAccess): ChangeWriter {
  const api = openAzureApi(address, access)
  const own = openPull(api, address)
  return {
    abilities: azure.abilities,
    async readState(signal) {
      const [me, { pull, head }, { repositoryId, visibility }] = await Promise.all([
        api.readUser(signal),
        own.read(signal),
        api.readRepository(signal),
      ])
      const iterations = await own.readIterations(head, signal)
      const [comments, check] = await Promise.all([
        own.readComments(iterations, signal),
        readReviewStatus(own, me, iterations, signal),
      ])
      const state = {
        ...{ me, head, check, state: states[pull.status], lacks: [] },
        ...{ repositoryId, isPublic: visibility === 'public' },
        ...splitComments(
          comments.map(({ id, root, author, content: body, place, isResolved }) => ({
            ...{ id, root, author: author.id, body, place, isResolved },
            url: `${pageOf(address)}?discussionId=${id.split('/')[0]}`,
          })),
        ),
      }
      return await publishedState(state, (author) => api.readTrust(author, signal))
    },
    async readCheck(head, signal) {
      const [me, iterations] = await Promise.all([api.readUser(signal), own.readIterations(head, signal)])
      return await readReviewStatus(own, me, iterations, signal)
    },
    ...writesOneByOne({
      begin: (signal) => beginThreads(own, signal),
      say: (body, signal) => own.send('POST', '/threads', threadWith(body), signal),
      edit: (id, content, signal) => own.send('PATCH', commentPath(id), { content }, signal),
      remove: (id, signal) => own.send('DELETE', commentPath(id), null, signal),
      answer: own.answer,
      close: (id, signal) => own.send('PATCH', threadPath(id), { status: 'fixed' }, signal),
      putCheck: (check, signal) => putStatus(own, check, check.url ?? pageOf(address), signal),
      lock: {
        async take(signal) {
          const status = { state: 'pending', context: lockContext }
          return Status.parse(await own.send('POST', '/statuses', status, signal)).id
        },
        readAll: async (signal) => readStatuses(own, lockContext, await api.readUser(signal), signal),
        release: (id, signal) => own.send('DELETE', `/statuses/${id}`, null, signal),
      },
    }),
  }
}

function threadWith(content: string) {
  return { comments: [{ content, parentCommentId: 0, commentType: 'text' }], status: 'closed' }
}

const Made = z
  .object({ id: z.number(), comments: z.array(z.object({ id: z.number() })) })
  .transform(({ id, comments }) => comments.map((one) => `${id}/${one.id}`))

/** On the files of the newest iteration, by which the host follows them through later ones. */
async function beginThreads(own: AzurePull, signal: AbortSignal): Promise<PostedOn> {
  const { head } = await own.read(signal)
  const iterations = await own.readIterations(head, signal)
  const changes = await own.readChanges(iterations, signal)
  return {
    head,
    async post(comment) {
      const change = changes.find(({ path }) => path === comment.path)
      if (!change) throw new Refused(404, `${comment.path} is not in the list of changes`)
      const id = iterations.now?.id
      // It is compared with where its branch began.
      const iterationContext = { firstComparingIteration: id, secondComparingIteration: id }
      const thread = {
        ...{ ...threadWith(comment.body), status: 'active', threadContext: linesOf(comment) },
        pullRequestThreadContext: { changeTrackingId: change.id, iterationContext },
      }
      return Made.parse(await own.send('POST', '/threads', thread, signal))
    },
  }
}

/** Between whole lines. */
function linesOf({ path, oldPath, side, start, end }: PlannedComment) {
  const [from, to] = [start[side] ?? end[side], end[side]].map((line) => ({ line, offset: 1 }))
  return side === 'new'
    ? { filePath: `/${path}`, rightFileStart: from, rightFileEnd: to }
    : { filePath: `/${oldPath}`, leftFileStart: from, leftFileEnd: to }
}

const Status = z.object({
  id: z.number(),
  state: z.string().default('notSet'),
  description: z.string().nullable().default(null),
  context: z.object({ genre: z.string().nullish(), name: z.string().nullish() }).nullish(),
  iterationId: z.number().nullish(),
  createdBy: User,
})

/** Of this context and account, oldest first. */
async function readStatuses(own: AzurePull, meant: typeof lockContext, me: string, signal: AbortSignal) {
  const all = listOf(Status).parse(await own.get('/statuses', signal))
  const isMeant = ({ context, createdBy }: z.infer<typeof Status>) =>
    context?.genre === meant.genre && context.name === meant.name && createdBy.id === me
  return all.filter(isMeant).toSorted((a, b) => a.id - b.id)
}

async function readReviewStatus(own: AzurePull, me: string, { now }: Iterations, signal: AbortSignal) {
  const all = await readStatuses(own, reviewContext, me, signal)
  // One of another iteration is about another head.
  return checkOfStatus(all.findLast(({ iterationId }) => now && iterationId === now.id))
}

const stateWords = { queued: 'pending', running: 'pending', success: 'succeeded', failure: 'failed' }

async function putStatus(own: AzurePull, check: PlannedCheck, targetUrl: string, signal: AbortSignal) {
  const { now } = await own.readIterations(check.head, signal)
  if (!now) throw new Refused(404, `the pull request never had the commit ${check.head.slice(0, 12)}`)
  const said = { ...statusOf(check, stateWords), targetUrl, context: reviewContext }
  await own.send('POST', '/statuses', { ...said, iterationId: now.id }, signal)
}
