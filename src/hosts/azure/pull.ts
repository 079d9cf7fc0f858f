/** A pull request of Azure DevOps with its iterations, comments and files, for all halves. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Actor, type ActorTrust } from '../../domain/review-request.ts'
import { type HostApi, withQuery } from '../remote/api.ts'
import { listOf } from '../remote/azure-requests.ts'
import type { ChangeAddress } from '../remote/contract.ts'
import type { ListedComment } from '../remote/writers.ts'
import { filePages } from '../repository/contract.ts'

const Text = z.string().default('')
const Flag = z.boolean().default(false)

/** `descriptor`: Services says by it what an account is; Server has none. */
export const User = z.object({ id: z.string(), displayName: Text, descriptor: Text })
export type User = z.infer<typeof User>

const Commit = z.object({ commitId: z.string() })
const Branch = z.string().transform((name) => name.replace('refs/heads/', ''))

export const Pull = z.object({
  pullRequestId: z.int().positive(),
  status: z.enum(['active', 'abandoned', 'completed']),
  title: z.string(),
  description: z.string().nullish(),
  isDraft: Flag,
  createdBy: User,
  creationDate: z.string(),
  sourceRefName: Branch,
  targetRefName: Branch,
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
  content: Text,
  commentType: Text,
  isDeleted: Flag,
  publishedDate: z.string(),
  lastContentUpdatedDate: z.string().nullish(),
  usersLiked: z.array(User).default([]),
})

const Position = z.object({ line: z.number() }).nullish()

/** `trackingCriteria`: where it was written, when it was moved along with its lines. */
const Thread = z.object({
  id: z.number(),
  status: z.string().default('unknown'),
  isDeleted: Flag,
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
type Iteration = z.infer<typeof Iteration>

/** Every push makes one; `now`: the latest with the head that is meant. */
export type Iterations = { all: readonly Iteration[]; now: Iteration | undefined }
export const noIterations: Iterations = { all: [], now: undefined }

const Change = z.object({
  changeTrackingId: z.number(),
  item: z.object({ path: z.string().nullish(), isFolder: Flag }),
  originalPath: z.string().nullish(),
})
const Changes = z.object({ changeEntries: z.array(z.unknown()) })

export const states = { active: 'open', abandoned: 'closed', completed: 'merged' } as const

export function openPull(api: HostApi, { number }: Pick<ChangeAddress, 'number'>) {
  const own = api.below(() => `/pullRequests/${number}`)
  return {
    ...own,
    /** Throws `host-unavailable` while the server has not compared the branches yet. */
    async read(signal: AbortSignal) {
      const pull = Pull.parse(await own.get('', signal))
      const { lastMergeSourceCommit: head, lastMergeTargetCommit: base } = pull
      if (head && base) return { pull, head: head.commitId, base: base.commitId }
      throw new UserError('host-unavailable', 'Azure DevOps is still preparing the pull request')
    },
    /** Without a head, the latest is meant. */
    async readIterations(head: string | null, signal: AbortSignal): Promise<Iterations> {
      const found = listOf(Iteration).parse(await own.get('/iterations', signal))
      const all = found.toSorted((a, b) => a.id - b.id)
      const now = all.findLast(({ sourceRefCommit }) => [null, sourceRefCommit.commitId].includes(head))
      return { all, now }
    },
    /**
     * What people said, and we; the server lists its own words, such as votes and pushes, in the same way. Threads are shown
     * where their lines are now.
     */
    async readComments(iterations: Iterations, signal: AbortSignal) {
      const { now } = iterations
      const path = withQuery('/threads', now ? { $iteration: now.id, $baseIteration: now.id } : {})
      const all = listOf(Thread).parse(await own.get(path, signal))
      return all.flatMap((thread) => {
        const [first] = thread.comments
        if (thread.isDeleted || !first || !isSaid(first)) return []
        const idOf = ({ id }: { id: number }) => `${thread.id}/${id}`
        const isResolved = !openStatuses.has(thread.status)
        const of = { root: idOf(first), isResolved, place: placeOf(thread, iterations) }
        return thread.comments.filter(isSaid).map((one) => ({ ...one, ...of, id: idOf(one) }))
      })
    },
    /** Files of an iteration; `id`: by which the host follows one through the iterations. */
    async readChanges({ now }: Iterations, signal: AbortSignal) {
      if (!now) return []
      const entriesOf = (answer: unknown) => Changes.parse(answer).changeEntries
      const found = await own.list(`/iterations/${now.id}/changes`, { pages: filePages }, signal, entriesOf)
      const files = z.array(Change).parse(found)
      return files.flatMap(({ changeTrackingId, item, originalPath }) => {
        const path = (item.path ?? originalPath ?? '').slice(1)
        return item.isFolder ? [] : [{ id: changeTrackingId, path, oldPath: originalPath?.slice(1) ?? path }]
      })
    },
    /** The comment that begins a thread is its first. */
    answer(thread: string, content: string, signal: AbortSignal) {
      const comment = { content, parentCommentId: 1, commentType: 'text' }
      return own.send('POST', `${threadPath(thread)}/comments`, comment, signal)
    },
  }
}

export type AzurePull = ReturnType<typeof openPull>

/** Of a comment in it: `12/1` is the first of the twelfth. */
export function threadPath(id: string): string {
  return `/threads/${encodeURIComponent(id.split('/')[0] ?? '')}`
}

export function commentPath(id: string): string {
  return `${threadPath(id)}/comments/${encodeURIComponent(id.split('/')[1] ?? '')}`
}

export function isSaid({ isDeleted, commentType }: z.infer<typeof Comment>): boolean {
  return !isDeleted && commentType !== 'system'
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

/** Services says which accounts are services and not people. */
export function actorOf({ id, displayName, descriptor }: User, trust: ActorTrust): Actor {
  return Actor.parse({ id, login: displayName, isBot: /^(?:svc|aadsp)\./.test(descriptor), trust })
}
