/** The REST API of Bitbucket Data Center for all halves. Paths have the name of a plugin first; most are of `api`. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Actor, type ActorTrust } from '../../domain/review-request.ts'
import { Refused, unlessRefused } from '../remote/answers.ts'
import { type HostApi, openApi } from '../remote/api.ts'
import type { HostAccess, RepositoryPlace } from '../remote/contract.ts'
import { fromHost } from '../remote/without-html.ts'

/** `name`: what it is mentioned by. `SERVICE` is what has no person, such as the token of a project. */
export const User = z.object({
  id: z.number(),
  name: z.string(),
  displayName: z.string().default(''),
  type: z.string().default('NORMAL'),
})
export type User = z.infer<typeof User>

/** `orphaned`: its line is no longer in the diff. Otherwise the host moves it along with its line. */
const Anchor = z.object({
  path: z.string(),
  line: z.number().nullish(),
  orphaned: z.boolean().default(false),
})

const Reaction = z.object({ emoticon: z.object({ shortcut: z.string() }), users: z.array(User).default([]) })

const Fields = z.object({
  id: z.number(),
  version: z.number(),
  text: z.string().default(''),
  author: User,
  createdDate: z.number(),
  updatedDate: z.number().nullish(),
  /** `PENDING`: of a review that its author has not finished, who alone sees it. */
  state: z.string().default('OPEN'),
  threadResolved: z.boolean().default(false),
  anchor: Anchor.nullish(),
  properties: z.object({ reactions: z.array(Reaction).default([]) }).default({ reactions: [] }),
})
/** Answers are within what they answer. */
const Nested = Fields.extend({ comments: z.array(z.unknown()).default([]) })

export const Pending = Fields.pick({ id: true, version: true, text: true, state: true })

/** `root`: the comment that begins the thread, which may be itself. */
export type Comment = z.infer<typeof Fields> & { root: number }

/** `own`: below the repository, which is at `place` in the API of every plugin. Lists are in `values`. */
export interface BitbucketDcApi {
  readonly root: HostApi
  readonly own: HostApi
  readonly place: string
  /** The account of the token by its id, and the version of the server: 9.4 is 9004. */
  readSelf(signal: AbortSignal): Promise<{ me: string; version: number }>
  /** What an account may do in the repository, by itself or as a member of groups. */
  readTrust(user: User, signal: AbortSignal): Promise<ActorTrust>
  readActor(user: User, signal: AbortSignal): Promise<Actor>
  /** Those that are there for everybody, oldest first. */
  readComments(
    number: number,
    options: { pages: number; isWhole?: boolean },
    signal: AbortSignal,
  ): Promise<Comment[]>
  /** The raw diff of a pull request. */
  readDiff(number: number, signal: AbortSignal): Promise<string>
  /** For comments and git; null without a token. */
  readonly authorization: string | null
}

export const perPage = 100

export const Page = z.object({
  values: z.array(z.unknown()),
  isLastPage: z.boolean().default(true),
  nextPageStart: z.number().nullish(),
})
const Version = z.object({ version: z.string() })
const Users = z.array(User)

/** From most to least. */
const trusts = [
  ['REPO_ADMIN', 'owner'],
  ['REPO_WRITE', 'member'],
  ['REPO_READ', 'contributor'],
] as const
/** Of accounts whose names hold the one that is meant. */
const userPages = 5

export function openBitbucketDcApi(address: RepositoryPlace, access: HostAccess): BitbucketDcApi {
  const { apiUrl, owner, name } = address
  const authorization = access.token === null ? null : `Bearer ${access.token}`
  const open = (accept: string) =>
    openApi({
      ...{ apiUrl, access },
      page: {
        parameter: 'limit',
        size: perPage,
        elements: (answer) => Page.parse(answer).values,
        next: nextPage,
      },
      headers: async () => ({ accept, ...(authorization === null ? {} : { authorization }) }),
    })
  const place = `/projects/${[...owner, 'repos', name].map(encodeURIComponent).join('/')}`
  const root = open('application/json')
  const own = root.below(() => `/api/latest${place}`)
  const readTrust: BitbucketDcApi['readTrust'] = async (user, signal) => {
    const within = { 'permission.projectKey': owner.join('/'), 'permission.repositorySlug': name }
    const found = await unlessRefused(async () => {
      for (const [permission, trust] of trusts) {
        const options = { pages: userPages, query: { filter: user.name, permission, ...within } }
        const users = Users.parse(await root.list('/api/latest/users', options, signal))
        if (users.some(({ id }) => id === user.id)) return trust
      }
      return 'none'
    })
    return found ?? 'unknown'
  }
  return {
    ...{ root, own, place, readTrust, authorization },
    async readSelf(signal) {
      const { headers, text } = await root.ask('GET', '/api/latest/application-properties', null, signal)
      const me = headers.get('x-auserid')
      if (!me) throw new UserError('host-refused', 'the server does not say whose token it is')
      const [major = 0, minor = 0] = Version.parse(JSON.parse(text)).version.split('.').map(Number)
      return { me, version: major * 1000 + minor }
    },
    async readActor(user, signal) {
      return Actor.parse({ ...personOf(user), trust: await readTrust(user, signal) })
    },
    async readComments(number, options, signal) {
      return commentsOf(await own.list(`/pull-requests/${number}/activities`, options, signal))
    },
    async readDiff(number, signal) {
      const path = `/api/latest${place}/pull-requests/${number}.diff`
      return (await open('text/plain').ask('GET', path, null, signal)).text
    },
  }
}

export function personOf({ id, name: login, type }: User): Omit<z.input<typeof Actor>, 'trust'> {
  return { id: String(id), login, isBot: type === 'SERVICE' }
}

function nextPage(answer: unknown, address: string): string | null {
  const { isLastPage, nextPageStart } = Page.parse(answer)
  if (isLastPage || nextPageStart == null) return null
  const next = new URL(address)
  next.searchParams.set('start', String(nextPageStart))
  return next.href
}

const Activity = z.object({
  action: z.string(),
  commentAction: z.string().nullish(),
  comment: z.looseObject({ id: z.number() }).nullish(),
})

/** `activities`: the newest first. Only they tell all comments; where one was answered or edited, they tell it once more. */
function commentsOf(activities: readonly unknown[]): Comment[] {
  const all = new Map<number, Comment>()
  const deleted = new Set<number>()
  for (const one of activities.toReversed()) {
    const { action, commentAction, comment } = Activity.parse(one)
    if (action !== 'COMMENTED' || !comment) continue
    if (commentAction === 'DELETED') deleted.add(comment.id)
    if (commentAction === 'ADDED') for (const each of flattened(comment)) all.set(each.id, each)
  }
  return [...all.values()]
    .filter(({ id, state }) => state !== 'PENDING' && !deleted.has(id))
    .sort((a, b) => a.id - b.id)
}

function flattened(found: unknown, root?: number): Comment[] {
  const { comments, ...comment } = Nested.parse(found)
  const text = fromHost(comment.text)
  const own = { ...comment, text, root: root ?? comment.id }
  return [own, ...comments.flatMap((one) => flattened(one, own.root))]
}

/** An edit names the version that it is made on. When somebody was faster, it is refused, and made once more on theirs. */
export async function withVersion<Result>(
  own: HostApi,
  path: string,
  write: (version: number) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const attempt = async () => await write(Pending.parse(await own.get(path, signal)).version)
  return await attempt().catch((error: unknown) => {
    if (error instanceof Refused && error.status === 409) return attempt()
    throw error
  })
}
