/** The collector's half: a pull request with its words and people, as Forgejo or Gitea has them now. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Actor, type ActorTrust } from '../../domain/review-request.ts'
import { identityOf, openAttempts } from '../remote/answers.ts'
import {
  type ChangeAddress,
  type ChangeReader,
  type HostAccess,
  type HostedChange,
  markerStart,
} from '../remote/contract.ts'
import { type ForgejoApi, openForgejoApi } from './client.ts'

const User = z.object({ id: z.number(), login: z.string() })
type User = z.infer<typeof User>

export const Pull = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string().default(''),
  state: z.enum(['open', 'closed']),
  merged: z.boolean().default(false),
  draft: z.boolean().default(false),
  user: User.nullable(),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  merge_base: z.string(),
  /** The repository is null when the fork was deleted. */
  head: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ id: z.number() }).nullable() }),
  base: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.object({
      id: z.number(),
      name: z.string(),
      owner: z.object({ login: z.string() }),
      private: z.boolean(),
      internal: z.boolean().default(false),
    }),
  }),
})
export type Pull = z.infer<typeof Pull>

const Comment = z.object({
  body: z.string(),
  user: User.nullable(),
  /** Of comments on lines, with 0 for the side that they are not on. */
  path: z.string().nullish(),
  position: z.number().nullish(),
  original_position: z.number().nullish(),
  resolver: z.object({ id: z.number() }).nullish(),
})

const Review = z.object({ id: z.number(), comments_count: z.number().default(0) }).and(Comment)

const longestBody = 4_000
const mostPeople = 20
const mostEntries = 200
const mostPages = 10
const mostReviews = 20

export function openPullReader(address: ChangeAddress, access: HostAccess): ChangeReader {
  const api = openForgejoApi(address, access)
  return {
    readHead: async (signal) => (await readPull(api, address, signal)).head.sha,
    async read(signal) {
      const pull = await readPull(api, address, signal)
      const { attempt, limits } = openAttempts(signal)
      const comments = await attempt('the discussion', [], () => readComments(api, address, signal))
      const people = new Map(
        [pull.user, ...comments.map(({ user }) => user)].flatMap((user) => (user ? [[user.id, user]] : [])),
      )
      const known = [...people.values()].slice(0, mostPeople)
      const actors = await Promise.all(known.map((user) => readActor(api, user, signal)))
      return hosted(address, api, pull, { comments, actors, limits: limits() })
    },
  }
}

export function pathOf({ number }: ChangeAddress): string {
  return `/pulls/${number}`
}

export async function readPull(api: ForgejoApi, address: ChangeAddress, signal: AbortSignal): Promise<Pull> {
  const pull = Pull.parse(await api.get(pathOf(address), signal))
  const { owner, name } = pull.base.repo
  api.useName(owner.login, name)
  return pull
}

export function stateOf({ merged, state }: Pull): HostedChange['state'] {
  return merged ? 'merged' : state
}

/** Comments on lines are listed by review only; those of the first reviews are read. */
async function readComments(api: ForgejoApi, address: ChangeAddress, signal: AbortSignal) {
  const [comments, all] = await Promise.all([
    api.get(`/issues/${address.number}/comments`, signal),
    api.list(`${pathOf(address)}/reviews`, mostPages, signal),
  ])
  const reviews = z.array(Review).parse(all)
  const withLines = reviews.filter((review) => review.comments_count > 0).slice(0, mostReviews)
  const onLines = await Promise.all(
    withLines.map(({ id }) => api.get(`${pathOf(address)}/reviews/${id}/comments`, signal)),
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
  const make = (trust: ActorTrust) => Actor.parse({ id: String(id), login, isBot: false, trust })
  try {
    const path = `/collaborators/${encodeURIComponent(login)}/permission`
    const { permission } = z.object({ permission: z.string() }).parse(await api.get(path, signal))
    return make(trustWords[permission] ?? 'unknown')
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof UserError) return make('unknown')
    throw error
  }
}

type Read = { comments: z.infer<typeof Comment>[]; actors: Actor[]; limits: string[] }

function hosted(address: ChangeAddress, api: ForgejoApi, pull: Pull, read: Read): HostedChange {
  const { number, base, head, user } = pull
  // As it is called now, which may be another name than in the address.
  const { owner, name } = base.repo
  const web = `${address.webUrl}/${owner.login}/${name}`
  const author =
    read.actors.find(({ id }) => id === String(user?.id)) ??
    Actor.parse({ id: '0', login: 'ghost', isBot: false, trust: 'unknown' })
  const identity = identityOf(
    {
      number,
      url: `${web}/pulls/${number}`,
      isDraft: pull.draft,
      isFork: head.repo?.id !== base.repo.id,
      baseRef: base.ref,
      headRef: head.ref,
      author,
      participants: read.actors.filter(({ id }) => id !== author.id),
      labels: (pull.labels ?? []).map(({ name }) => name),
      linkedIssues: [],
    },
    {
      host: address.host,
      id: String(base.repo.id),
      owner: [owner.login],
      name,
      visibility: base.repo.private ? 'private' : base.repo.internal ? 'internal' : 'public',
    },
  )
  return {
    ...identity,
    state: stateOf(pull),
    title: pull.title,
    body: pull.body,
    author: user?.login ?? null,
    head: head.sha,
    base: base.sha,
    mergeBase: pull.merge_base,
    fetch: {
      url: `${web}.git`,
      authorization: api.gitAuthorization,
      headRef: `refs/pull/${number}/head`,
      baseRef: `refs/heads/${base.ref}`,
    },
    discussion: read.comments
      .filter(({ body }) => body.trim() !== '' && !body.includes(markerStart))
      .slice(0, mostEntries)
      .map((comment) => ({
        author: comment.user?.login ?? 'ghost',
        association: associationOf(read.actors.find(({ id }) => id === String(comment.user?.id))),
        path: comment.path ?? null,
        line: comment.position || comment.original_position || null,
        body: comment.body.slice(0, longestBody),
        resolved: Boolean(comment.resolver),
      })),
    limits: read.limits,
  }
}

function associationOf(actor: Actor | undefined): HostedChange['discussion'][number]['association'] {
  if (!actor || actor.trust === 'unknown') return 'unknown'
  if (actor.trust === 'owner' || actor.trust === 'member' || actor.trust === 'contributor') return actor.trust
  return 'stranger'
}
