/** The REST API of Bitbucket Cloud for all halves. */
import { z } from 'zod'
import { Actor, type ActorTrust } from '../../domain/review-request.ts'
import { unlessRefused } from '../remote/answers.ts'
import { basicAuthorization, type HostApi, openApi } from '../remote/api.ts'
import type { HostAccess, RepositoryPlace } from '../remote/contract.ts'
import { fromHost } from '../remote/without-html.ts'

/** An id is given in braces, which no other host has. */
export const Id = z
  .string()
  .regex(/^\{[0-9A-Fa-f-]{36}\}$/)
  .transform((uuid) => uuid.slice(1, -1))

/** `type`: `user` for people; others are apps and teams. */
export const User = z.object({
  uuid: Id,
  type: z.string(),
  display_name: z.string().default(''),
  nickname: z.string().optional(),
})
export type User = z.infer<typeof User>

export const Comment = z.object({
  id: z.number(),
  content: z.object({ raw: z.string().nullish() }).transform(({ raw }) => fromHost(raw ?? '')),
  /** Null for an account that was deleted. */
  user: User.nullish(),
  created_on: z.string(),
  updated_on: z.string().nullish(),
  deleted: z.boolean().default(false),
  /** Of a review that its author has not finished: others do not see it. */
  pending: z.boolean().default(false),
  parent: z.object({ id: z.number() }).nullish(),
  inline: z
    .object({
      path: z.string(),
      from: z.number().nullish(),
      to: z.number().nullish(),
      outdated: z.boolean().nullish(),
    })
    .nullish(),
  resolution: z.object({ type: z.string() }).nullish(),
})
export type Comment = z.infer<typeof Comment>

/** Paths are below the repository. */
export interface BitbucketApi extends HostApi {
  /** The account of the token, by its id. */
  readUser(signal: AbortSignal): Promise<string>
  /** Of an account. Only administrators of a repository may ask: `unknown` for all else. */
  readTrust(id: string, signal: AbortSignal): Promise<ActorTrust>
  readActor(user: User, signal: AbortSignal): Promise<Actor>
  /** Those that are there for everybody, oldest first. */
  readComments(
    number: number,
    options: { pages: number; isWhole?: boolean },
    signal: AbortSignal,
  ): Promise<Comment[]>
  /** The `Authorization` header for git; null without a token. */
  readonly gitAuthorization: string | null
}

const perPage = 100

const trustWords: Readonly<Record<string, ActorTrust>> = {
  admin: 'owner',
  write: 'member',
  read: 'contributor',
}
const Permissions = z.array(z.object({ permission: z.string() }))
const Page = z.object({ values: z.array(z.unknown()), next: z.string().optional() })

export function openBitbucketApi(address: RepositoryPlace, access: HostAccess): BitbucketApi {
  const { apiUrl, owner, name, repositoryId } = address
  const slugOrId = repositoryId === undefined ? name : `{${repositoryId}}`
  const [workspace, slug] = [...owner, slugOrId].map(encodeURIComponent)
  const { header, git } = credentialsOf(access.token)
  const root = openApi({
    ...{ apiUrl, access },
    headers: async () => header,
    page: {
      ...{ parameter: 'pagelen', size: perPage },
      elements: (answer) => Page.parse(answer).values,
      next: (answer) => Page.parse(answer).next ?? null,
    },
    rightIn({ text }) {
      const scope = /"required":\s*\["([\w:-]+)"/.exec(text)?.[1]
      return scope && `the scope ${scope}`
    },
  })
  const own = root.below(() => `/repositories/${workspace}/${slug}`)
  const readTrust = async (id: string, signal: AbortSignal): Promise<ActorTrust> => {
    const path = `/workspaces/${workspace}/permissions/repositories/${slug}`
    const query = { q: `user.uuid="{${id}}"` }
    const found = await unlessRefused(() => root.list(path, { pages: 1, query }, signal))
    if (found?.length === 0) return 'none'
    return trustWords[Permissions.parse(found ?? [])[0]?.permission ?? ''] ?? 'unknown'
  }
  return {
    ...own,
    readUser: async (signal) => z.object({ uuid: Id }).parse(await root.get('/user', signal)).uuid,
    readTrust,
    async readActor(user, signal) {
      return Actor.parse({ ...personOf(user), trust: await readTrust(user.uuid, signal) })
    },
    async readComments(number, options, signal) {
      const all = await own.list(`/pullrequests/${number}/comments`, options, signal)
      return z
        .array(Comment)
        .parse(all)
        .filter(({ deleted, pending }) => !deleted && !pending)
    },
    gitAuthorization: git,
  }
}

export function personOf({
  uuid: id,
  nickname,
  display_name: name,
  type,
}: User): Omit<z.input<typeof Actor>, 'trust'> {
  return { id, login: nickname ?? name, isBot: type !== 'user' }
}

/** An API token belongs to the e-mail address of its account, and is given behind it: `bot@example.com:ATATT…`. */
export function credentialsOf(token: string | null): { header: Record<string, string>; git: string | null } {
  if (token === null) return { header: {}, git: null }
  const [, email, secret] = /^([^:@]+@[^:@]+):(.+)$/s.exec(token) ?? []
  if (email === undefined || secret === undefined)
    return { header: { authorization: `Bearer ${token}` }, git: basicAuthorization('x-token-auth', token) }
  return {
    header: { authorization: basicAuthorization(email, secret) },
    git: basicAuthorization('x-bitbucket-api-token-auth', secret),
  }
}
