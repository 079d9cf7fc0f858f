/** The collector's half: a pull request with its words and people, as Forgejo or Gitea has them now. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Actor, type ActorTrust } from '../../domain/review-request.ts'
import { openAttempts } from '../remote/answers.ts'
import type { ChangeAddress, ChangeReader, HostAccess } from '../remote/contract.ts'
import { associationOf, byId, hostedChange, mostPeople } from '../remote/hosted-change.ts'
import { type Pull, pullWords, readPermission, readPull, User } from '../remote/pull-requests.ts'
import { type ForgejoApi, openForgejoApi } from './client.ts'

export const Comment = z.object({
  id: z.number(),
  body: z.string(),
  user: User.nullable(),
  /** Of comments on lines, with 0 for the side that they are not on. */
  path: z.string().nullish(),
  position: z.number().nullish(),
  original_position: z.number().nullish(),
  resolver: z.object({ id: z.number() }).nullish(),
})

export const Review = Comment.extend({ state: z.string(), comments_count: z.number().default(0) })

const mostPages = 10
const mostReviews = 20

export function openPullReader(address: ChangeAddress, access: HostAccess): ChangeReader {
  const api = openForgejoApi(address, access)
  return {
    readHead: async (signal) => (await readNamed(api, address, signal)).head.sha,
    async read(signal) {
      const pull = await readNamed(api, address, signal)
      const { attempt, limits } = openAttempts(signal)
      const comments = await attempt('the discussion', [], () => readComments(api, address, signal))
      const users = byId([pull.user, ...comments.map(({ user }) => user)].filter((user) => user !== null))
      const people = await Promise.all(users.slice(0, mostPeople).map((user) => readActor(api, user, signal)))
      const actorOf = (user: User | null) => people.find(({ id }) => id === String(user?.id))
      return hostedChange(address, {
        ...{ ...pullWords(pull), mergeBase: pull.merge_base ?? null, linkedIssues: [], people },
        ...{ author: actorOf(pull.user) ?? ghost, authorization: api.gitAuthorization, limits: limits() },
        discussion: comments.map((comment) => ({
          author: comment.user?.login ?? ghost.login,
          association: associationOf(actorOf(comment.user)),
          path: comment.path ?? null,
          line: comment.position || comment.original_position || null,
          body: comment.body,
          resolved: Boolean(comment.resolver),
        })),
      })
    },
  }
}

/** For an account that was deleted. */
const ghost = Actor.parse({ id: '0', login: 'ghost', isBot: false, trust: 'unknown' })

export async function readNamed(
  api: ForgejoApi,
  { number }: ChangeAddress,
  signal: AbortSignal,
): Promise<Pull> {
  const pull = await readPull(api, number, signal)
  api.useName(pull.base.repo.full_name)
  return pull
}

/** Comments on lines are listed by review only; those of the first reviews are read. */
async function readComments(api: ForgejoApi, { number }: ChangeAddress, signal: AbortSignal) {
  const [comments, all] = await Promise.all([
    api.get(`/issues/${number}/comments`, signal),
    api.list(`/pulls/${number}/reviews`, { pages: mostPages, isWhole: true }, signal),
  ])
  const reviews = z.array(Review).parse(all)
  const withLines = reviews.filter((review) => review.comments_count > 0).slice(0, mostReviews)
  const onLines = await Promise.all(
    withLines.map(({ id }) => api.get(`/pulls/${number}/reviews/${id}/comments`, signal)),
  )
  return z.array(Comment).parse([comments, reviews, ...onLines].flat())
}

const trustWords: Readonly<Record<string, ActorTrust>> = {
  owner: 'owner',
  admin: 'owner',
  write: 'member',
  read: 'contributor',
  none: 'none',
}

/** Servers tell rights only to administrators of the repository; and no server says who is a bot. */
async function readActor(api: ForgejoApi, { id, login }: User, signal: AbortSignal): Promise<Actor> {
  const permission = await readPermission(api, login, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    if (error instanceof UserError) return null
    throw error
  })
  return Actor.parse({
    id: String(id),
    login,
    isBot: false,
    trust: trustWords[permission ?? ''] ?? 'unknown',
  })
}
