/** The collector's half: a pull request with its words and people, as Azure DevOps has them now. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Actor, type ActorTrust } from '../../domain/review-request.ts'
import { openAttempts } from '../remote/answers.ts'
import { type HostApi, withQuery } from '../remote/api.ts'
import type { ChangeAddress, ChangeReader, HostAccess } from '../remote/contract.ts'
import { associationOf, byId, hostedChange, mostPeople } from '../remote/hosted-change.ts'
import type { ListedComment } from '../remote/writers.ts'
import { filePages } from '../repository/contract.ts'
import { listOf, openAzureApi } from './client.ts'

/** `descriptor`: Services says by it what an account is; Server has none. */
export const User = z.object({
  id: z.string(),
  displayName: z.string().default(''),
  descriptor: z.string().default(''),
})
export type User = z.infer<typeof User>

const Commit = z.object({ commitId: z.string() })
const Branch = z.string().transform((name) => name.replace('refs/heads/', ''))

export const Pull = z.object({
  pullRequestId: z.int().positive(),
  status: z.enum(['active', 'abandoned', 'completed']),
  title: z.string(),
  description: z.string().nullish(),
  isDraft: z.boolean().default(false),
  createdBy: User,
  creationDate: z.string(),
  ...{ sourceRefName: Branch, targetRefName: Branch },
  /** Absent while the server still prepares the pull request. */
  lastMergeSourceCommit: Commit.nullish(),
  lastMergeTargetCommit: Commit.nullish(),
  /** Of one whose branch is in a fork. */
  forkSource: z.object({}).nullish(),
})

export const Comment = z.object({
  id: z.number(),
  parentCommentId: z.number().default(0),
  author: User,
  content: z.string().default(''),
  commentType: z.string().default('text'),
  isDeleted: z.boolean().default(false),
  publishedDate: z.string(),
  lastContentUpdatedDate: z.string().nullish(),
  usersLiked: z.array(User).default([]),
})

const Position = z.object({ line: z.number() }).nullish()

/** `trackingCriteria`: where it was written, when it was moved along with its lines. */
const Thread = z.object({
  id: z.number(),
  status: z.string().default('unknown'),
  isDeleted: z.boolean().default(false),
  comments: z.array(Comment).default([]),
  threadContext: z
    .object({ filePath: z.string().nullish(), leftFileEnd: Position, rightFileEnd: Position })
    .nullish(),
  pullRequestThreadContext: z
    .object({
      iterationContext: z.object({ secondComparingIteration: z.number() }).nullish(),
      trackingCriteria: z.object({ origLeftFileEnd: Position, origRightFileEnd: Position }).nullish(),
    })
    .nullish(),
})
const openStatuses: ReadonlySet<string> = new Set(['active', 'pending', 'unknown'])

/** A state of the pull request with the commits that it was compared by. */
const Iteration = z.object({ id: z.number(), sourceRefCommit: Commit, commonRefCommit: Commit.nullish() })
export type Iteration = z.infer<typeof Iteration>

/** Every push makes one; `now`: the latest with the head that is meant. */
export type Iterations = { all: readonly Iteration[]; now: Iteration | undefined }
export const noIterations: Iterations = { all: [], now: undefined }

export const states = { active: 'open', abandoned: 'closed', completed: 'merged' } as const

export function openPullReader(address: ChangeAddress, access: HostAccess): ChangeReader {
  const api = openAzureApi(address, access)
  const own = pullOf(api, address)
  return {
    readHead: async (signal) => (await readPull(own, signal)).head,
    async read(signal) {
      const [{ pull, head, base }, repository] = await Promise.all([
        readPull(own, signal),
        api.readRepository(signal),
      ])
      const { attempt, limits } = openAttempts(signal)
      const iterations = await attempt('the iterations', noIterations, () =>
        readIterations(own, head, signal),
      )
      const [comments, linkedIssues, labels] = await Promise.all([
        attempt('the discussion', [], () => readComments(own, iterations, signal)),
        attempt('linked work items', [], async () => WorkItems.parse(await own.get('/workitems', signal))),
        attempt('the labels', [], async () => Labels.parse(await own.get('/labels', signal))),
      ])
      const said = comments.toSorted((a, b) => Date.parse(a.publishedDate) - Date.parse(b.publishedDate))
      const users = byId([pull.createdBy, ...said.map(({ author }) => author)]).slice(0, mostPeople)
      const ids = users.map(({ id }) => id)
      const trusts = await attempt('what people may do', new Map(), () => api.readTrusts(ids, signal))
      const asActor = (user: User) => actorOf(user, trusts.get(user.id) ?? 'unknown')
      return hostedChange(address, {
        ...{ number: pull.pullRequestId, title: pull.title, body: pull.description ?? '' },
        ...{ state: states[pull.status], isDraft: pull.isDraft, isFork: Boolean(pull.forkSource) },
        ...{ baseRef: pull.targetRefName, headRef: pull.sourceRefName },
        ...{ head, base, mergeBase: iterations.now?.commonRefCommit?.commitId ?? null },
        ...{ ...repository, author: asActor(pull.createdBy), authorName: pull.createdBy.displayName },
        ...{ people: users.map(asActor), labels, linkedIssues, limits: limits() },
        headReference: `refs/pull/${address.number}/merge`,
        discussion: said.map(({ author, content: body, place, isResolved: resolved }) => ({
          ...{ author: author.displayName, association: associationOf(asActor(author)), body, resolved },
          ...{ path: place?.path ?? null, line: place?.line ?? null },
        })),
      })
    },
  }
}

const WorkItems = listOf(z.object({ id: z.string() }).transform(({ id }) => id))
const Labels = listOf(z.object({ name: z.string(), active: z.boolean().default(true) })).transform((labels) =>
  labels.flatMap(({ name, active }) => (active ? [name] : [])),
)

/** What is below one pull request. */
export function pullOf(api: HostApi, { number }: Pick<ChangeAddress, 'number'>): HostApi {
  return api.below(() => `/pullRequests/${number}`)
}

/** Throws `host-unavailable` while the server has not compared the branches yet. */
export async function readPull(own: HostApi, signal: AbortSignal) {
  const pull = Pull.parse(await own.get('', signal))
  const { lastMergeSourceCommit: head, lastMergeTargetCommit: base } = pull
  if (!head || !base)
    throw new UserError('host-unavailable', 'Azure DevOps is still preparing the pull request')
  return { pull, head: head.commitId, base: base.commitId }
}

/**
 * What people said, and we; the server lists its own words, such as votes and pushes, in the same way. `id`: `12/1`, a thread and
 * a comment in it. Threads are shown where their lines are now.
 */
export async function readComments(own: HostApi, iterations: Iterations, signal: AbortSignal) {
  const { now } = iterations
  const path = withQuery('/threads', now ? { $iteration: now.id, $baseIteration: now.id } : {})
  const all = listOf(Thread).parse(await own.get(path, signal))
  return all.flatMap((thread) => {
    const [first] = thread.comments
    if (thread.isDeleted || !first || !isSaid(first)) return []
    const root = `${thread.id}/${first.id}`
    const isResolved = !openStatuses.has(thread.status)
    const place = placeOf(thread, iterations)
    const of = { root, isResolved, place }
    return thread.comments.filter(isSaid).map((one) => ({ ...one, ...of, id: `${thread.id}/${one.id}` }))
  })
}

/** Null in the conversation. Without a line for one on a file, and where it is about another iteration and was not moved. */
function placeOf(
  { threadContext: shown, pullRequestThreadContext: context }: z.infer<typeof Thread>,
  { all, now }: Iterations,
): ListedComment['place'] {
  if (!shown?.filePath) return null
  const { iterationContext, trackingCriteria: moved } = context ?? {}
  const end = shown.rightFileEnd ?? shown.leftFileEnd
  const wrote = moved?.origRightFileEnd ?? moved?.origLeftFileEnd ?? end
  const at = all.find(({ id }) => id === iterationContext?.secondComparingIteration)
  const side = shown.rightFileEnd ? 'new' : 'old'
  return {
    path: shown.filePath.slice(1),
    line: end && (moved || at === now) ? end.line : null,
    posted: at && wrote ? { side, line: wrote.line, commit: at.sourceRefCommit.commitId } : null,
  }
}

export function isSaid({ isDeleted, commentType }: z.infer<typeof Comment>): boolean {
  return !isDeleted && commentType !== 'system'
}

/** Without a head, the latest is meant. */
export async function readIterations(
  own: HostApi,
  head: string | null,
  signal: AbortSignal,
): Promise<Iterations> {
  const found = listOf(Iteration).parse(await own.get('/iterations', signal))
  const all = found.toSorted((a, b) => a.id - b.id)
  const now = all.findLast(({ sourceRefCommit }) => [null, sourceRefCommit.commitId].includes(head))
  return { all, now }
}

const Change = z.object({
  changeTrackingId: z.number(),
  item: z.object({ path: z.string().nullish(), isFolder: z.boolean().default(false) }),
  originalPath: z.string().nullish(),
})
const Changes = z.object({ changeEntries: z.array(z.unknown()) })

/** Files of an iteration; `id`: by which the host follows one through the iterations. */
export async function readChanges(own: HostApi, { id }: Iteration, signal: AbortSignal) {
  const entriesOf = (answer: unknown) => Changes.parse(answer).changeEntries
  const found = await own.list(`/iterations/${id}/changes`, { pages: filePages }, signal, entriesOf)
  const files = z.array(Change).parse(found)
  return files.flatMap(({ changeTrackingId, item, originalPath }) => {
    const path = (item.path ?? originalPath ?? '').slice(1)
    return item.isFolder ? [] : [{ id: changeTrackingId, path, oldPath: originalPath?.slice(1) ?? path }]
  })
}

/** Services says which accounts are services and not people. */
export function actorOf({ id, displayName, descriptor }: User, trust: ActorTrust): Actor {
  return Actor.parse({ id, login: displayName, isBot: /^(?:svc|aadsp)\./.test(descriptor), trust })
}
