/** The collector's half: a pull request with its words and people, as Azure DevOps has them now. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Actor, type ActorTrust } from '../../domain/review-request.ts'
import { openAttempts } from '../remote/answers.ts'
import type { HostApi } from '../remote/api.ts'
import type { ChangeAddress, ChangeReader, HostAccess, RepositoryPlace } from '../remote/contract.ts'
import { associationOf, byId, hostedChange, mostPeople } from '../remote/hosted-change.ts'
import { filePages } from '../repository/contract.ts'
import { listOf, openAzureApi, Repository } from './client.ts'

/** `descriptor`: Services says by it what an account is; Server has none. */
export const User = z.object({
  id: z.string(),
  displayName: z.string().default(''),
  descriptor: z.string().default(''),
})
export type User = z.infer<typeof User>

const Commit = z.object({ commitId: z.string() })

export const Pull = z.object({
  pullRequestId: z.int().positive(),
  status: z.enum(['active', 'abandoned', 'completed']),
  title: z.string(),
  description: z.string().nullish(),
  isDraft: z.boolean().default(false),
  createdBy: User,
  creationDate: z.string(),
  sourceRefName: z.string(),
  targetRefName: z.string(),
  /** Absent while the server still prepares the pull request. */
  lastMergeSourceCommit: Commit.nullish(),
  lastMergeTargetCommit: Commit.nullish(),
  /** Of one whose branch is in a fork. */
  forkSource: z.object({}).nullish(),
  repository: Repository,
})
export type Pull = z.infer<typeof Pull>

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
export type Comment = z.infer<typeof Comment>

const Position = z.object({ line: z.number() }).nullish()
const openStatuses: ReadonlySet<string> = new Set(['active', 'pending', 'unknown'])

const Thread = z
  .object({
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
        /** Where it was written, when it was moved along with its lines. */
        trackingCriteria: z.object({ origLeftFileEnd: Position, origRightFileEnd: Position }).nullish(),
      })
      .nullish(),
  })
  .transform(({ threadContext: shown, pullRequestThreadContext: context, status, ...thread }) => {
    const { iterationContext, trackingCriteria: from } = context ?? {}
    const line = shown?.rightFileEnd?.line ?? shown?.leftFileEnd?.line ?? null
    const side = shown?.rightFileEnd ? ('new' as const) : ('old' as const)
    return {
      ...{ ...thread, isResolved: !openStatuses.has(status) },
      /** Null for one in the conversation; without a line for one on a file. */
      place: shown?.filePath ? { path: shown.filePath.slice(1), side, line, isMoved: Boolean(from) } : null,
      wroteOn: from?.origRightFileEnd?.line ?? from?.origLeftFileEnd?.line ?? line,
      iteration: iterationContext?.secondComparingIteration ?? null,
    }
  })
export type Thread = z.infer<typeof Thread>

/** A state of the pull request with the commits that it was compared by. Every push makes one. */
const Iteration = z.object({ id: z.number(), sourceRefCommit: Commit, commonRefCommit: Commit.nullish() })
export type Iteration = z.infer<typeof Iteration>

export const states = { active: 'open', abandoned: 'closed', completed: 'merged' } as const

export function openPullReader(address: ChangeAddress, access: HostAccess): ChangeReader {
  const api = openAzureApi(address, access)
  const own = pullOf(api, address)
  return {
    readHead: async (signal) => commitsOf(await readPull(own, signal)).head,
    async read(signal) {
      const [pull, repository] = await Promise.all([readPull(own, signal), api.readRepository(signal)])
      const { head, base } = commitsOf(pull)
      const { attempt, limits } = openAttempts(signal)
      const [threads, linkedIssues, labels, iterations] = await Promise.all([
        attempt('the discussion', [], () => readThreads(own, null, signal)),
        attempt('linked work items', [], async () => WorkItems.parse(await own.get('/workitems', signal))),
        attempt('the labels', [], async () => Labels.parse(await own.get('/labels', signal))),
        attempt('the iterations', [], () => readIterations(own, signal)),
      ])
      const said = threads
        .flatMap((thread) => thread.comments.map((comment) => ({ comment, thread })))
        .toSorted((a, b) => Date.parse(a.comment.publishedDate) - Date.parse(b.comment.publishedDate))
      const users = byId([pull.createdBy, ...said.map(({ comment }) => comment.author)]).slice(0, mostPeople)
      const ids = users.map(({ id }) => id)
      const trusts = await attempt('what people may do', new Map(), () => api.readTrusts(ids, signal))
      const asActor = (user: User) => actorOf(user, trusts.get(user.id) ?? 'unknown')
      return hostedChange(address, {
        ...{ number: pull.pullRequestId, title: pull.title, body: pull.description ?? '' },
        ...{ state: states[pull.status], isDraft: pull.isDraft, isFork: Boolean(pull.forkSource) },
        baseRef: pull.targetRefName.replace('refs/heads/', ''),
        headRef: pull.sourceRefName.replace('refs/heads/', ''),
        ...{ head, base, mergeBase: iterationOf(iterations, head)?.commonRefCommit?.commitId ?? null },
        ...repositoryWords(address, repository),
        ...{ author: asActor(pull.createdBy), authorName: pull.createdBy.displayName },
        ...{ people: users.map(asActor), labels, linkedIssues, limits: limits() },
        ...{ authorization: api.gitAuthorization, headReference: `refs/pull/${address.number}/merge` },
        discussion: said.map(({ comment, thread }) => ({
          author: comment.author.displayName,
          association: associationOf(asActor(comment.author)),
          path: thread.place?.path ?? null,
          line: thread.place?.line ?? null,
          body: comment.content,
          resolved: thread.isResolved,
        })),
      })
    },
  }
}

const WorkItems = listOf(z.object({ id: z.string() }).transform(({ id }) => id))
const Labels = listOf(z.object({ name: z.string(), active: z.boolean().default(true) })).transform((labels) =>
  labels.flatMap(({ name, active }) => (active ? [name] : [])),
)

const visibilities: Readonly<Record<string, 'public' | 'internal'>> = {
  public: 'public',
  organization: 'internal',
}

export function repositoryWords(
  { owner }: Pick<RepositoryPlace, 'owner'>,
  { id, name, project }: Repository,
) {
  return {
    // Organization or collection, project and repository.
    fullName: [...owner.slice(0, -1), project.name, name].join('/'),
    ...{ repositoryId: id, visibility: visibilities[project.visibility] ?? ('private' as const) },
  }
}

/** What is below one pull request. */
export function pullOf(api: HostApi, { number }: Pick<ChangeAddress, 'number'>): HostApi {
  return api.below(() => `/pullRequests/${number}`)
}

export async function readPull(own: HostApi, signal: AbortSignal): Promise<Pull> {
  return Pull.parse(await own.get('', signal))
}

/** Throws `host-unavailable` while the server has not compared the branches yet. */
export function commitsOf({ lastMergeSourceCommit: head, lastMergeTargetCommit: base }: Pull) {
  if (!head || !base)
    throw new UserError('host-unavailable', 'Azure DevOps is still preparing the pull request')
  return { head: head.commitId, base: base.commitId }
}

/** With something said by people or by us. The server lists its own words, such as votes and pushes, as threads too. */
export async function readThreads(
  own: HostApi,
  iteration: number | null,
  signal: AbortSignal,
): Promise<Thread[]> {
  // With an iteration, threads are shown where their lines are in it.
  const shown = iteration === null ? '' : `?$iteration=${iteration}&$baseIteration=${iteration}`
  const all = listOf(Thread).parse(await own.get(`/threads${shown}`, signal))
  const isSaid = (comment: Comment | undefined) =>
    comment && !comment.isDeleted && comment.commentType !== 'system'
  return all
    .filter(({ isDeleted, comments: [first] }) => !isDeleted && isSaid(first))
    .map((thread) => ({ ...thread, comments: thread.comments.filter(isSaid) }))
}

/** Oldest first. */
export async function readIterations(own: HostApi, signal: AbortSignal): Promise<Iteration[]> {
  return listOf(Iteration)
    .parse(await own.get('/iterations', signal))
    .toSorted((a, b) => a.id - b.id)
}

/** The latest with this head. */
export function iterationOf(iterations: readonly Iteration[], head: string): Iteration | undefined {
  return iterations.findLast(({ sourceRefCommit }) => sourceRefCommit.commitId === head)
}

const Change = z
  .object({
    changeTrackingId: z.number(),
    item: z.object({ path: z.string().nullish(), isFolder: z.boolean().default(false) }),
    originalPath: z.string().nullish(),
  })
  .transform(({ changeTrackingId: id, item, originalPath }) => {
    const path = (item.path ?? originalPath ?? '').slice(1)
    return { id, isFolder: item.isFolder, path, oldPath: originalPath?.slice(1) ?? path }
  })
export type Change = z.infer<typeof Change>
const Changes = z.object({ changeEntries: z.array(z.unknown()) })

/** Files of an iteration; `id`: by which the host follows one through the iterations. */
export async function readChanges(own: HostApi, iteration: number, signal: AbortSignal): Promise<Change[]> {
  const entriesOf = (answer: unknown) => Changes.parse(answer).changeEntries
  const found = await own.list(`/iterations/${iteration}/changes`, { pages: filePages }, signal, entriesOf)
  return z
    .array(Change)
    .parse(found)
    .filter(({ isFolder }) => !isFolder)
}

/** Services says which accounts are services and not people. */
export function actorOf({ id, displayName, descriptor }: User, trust: ActorTrust): Actor {
  return Actor.parse({ id, login: displayName, isBot: /^(?:svc|aadsp)\./.test(descriptor), trust })
}
