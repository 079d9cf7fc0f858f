/** GitHub's REST and GraphQL APIs for all halves, with a token or with those that an App mints. */
import { createSign } from 'node:crypto'
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import type { ActorTrust } from '../../domain/review-request.ts'
import { Refused } from '../remote/answers.ts'
import { basicAuthorization, type HostApi, openApi } from '../remote/api.ts'
import type { HostAccess, RepositoryPlace } from '../remote/contract.ts'
import { readPermission, repositoryPath } from '../remote/pull-requests.ts'

/** Paths are below the repository. */
export interface GitHubApi extends HostApi {
  /** One GraphQL document. Errors are `Refused`. */
  graphql(query: string, variables: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>
  /** Of an account, by its role here and by what GitHub says of its past. */
  readTrust(login: string, association: string, signal: AbortSignal): Promise<ActorTrust>
  /** What follows goes to this name: a renamed repository answers to its old one only when it is read. */
  useName(fullName: string): void
  /** The kind of token: only Apps may write check runs. */
  readonly isApp: boolean
  /** The `Authorization` header for git; null without a token. */
  gitAuthorization(signal: AbortSignal): Promise<string | null>
}

/** Rights of an installation token, in GitHub's words. */
export type Permissions = Readonly<Record<string, 'read' | 'write'>>

export const perPage = 100

export function openGitHubApi(
  address: RepositoryPlace,
  access: HostAccess,
  permissions: Permissions,
): GitHubApi {
  const { apiUrl, owner, name } = address
  const token = tokenOf(address, access, permissions)
  let fullName = [...owner, name].join('/')
  const own = openRoot(apiUrl, access, token).below(() => repositoryPath(fullName))
  // That of an Enterprise server is beside the REST API, and no part of it.
  const documents = openRoot(apiUrl.replace(/\/api\/v3$/, '/api'), access, token)
  return {
    ...own,
    async graphql(query, variables, signal) {
      const answer = await documents.send('POST', '/graphql', { query, variables }, signal)
      const { data, errors } = Document.parse(answer)
      if (!errors) return data
      const words = errors.map(({ message }) => message).join('; ')
      throw new Refused(200, words.slice(0, 500))
    },
    async readTrust(login, association, signal) {
      const permission = await readPermission(own, login, signal)
      if (permission === null || permission === 'unknown') return 'unknown'
      if (permission === 'admin') return 'owner'
      if (permission === 'write') return 'member'
      if (association === 'FIRST_TIME_CONTRIBUTOR' || association === 'FIRST_TIMER') return 'first-time'
      return association === 'NONE' || association === 'MANNEQUIN' ? 'none' : 'contributor'
    },
    useName(now) {
      fullName = now
    },
    // The token of a workflow is that of an App too.
    isApp: access.app !== undefined || (access.token?.startsWith('ghs_') ?? false),
    async gitAuthorization(signal) {
      const secret = await token(signal)
      return secret && basicAuthorization('x-access-token', secret)
    },
  }
}

const Document = z.object({
  data: z.unknown(),
  errors: z.array(z.object({ message: z.string() })).optional(),
})

export function openRoot(
  apiUrl: string,
  access: HostAccess,
  token: (signal: AbortSignal) => Promise<string | null>,
): HostApi {
  return openApi({
    ...{ apiUrl, access, page: { parameter: 'per_page', size: perPage } },
    async headers(signal) {
      const secret = await token(signal)
      return {
        accept: 'application/vnd.github.v3+json',
        'x-github-api-version': '2022-11-28',
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      }
    },
    rightIn({ headers }) {
      const needs = headers.get('x-accepted-github-permissions') ?? headers.get('x-accepted-oauth-scopes')
      return needs?.replace(/[^\w=,; -]/g, '').slice(0, 200)
    },
  })
}

/** Installation tokens last an hour and are made when they are needed, with no more rights than that. */
function tokenOf(
  { apiUrl, owner, name }: RepositoryPlace,
  access: HostAccess,
  permissions: Permissions,
): (signal: AbortSignal) => Promise<string | null> {
  const { app, token } = access
  if (!app) return async () => token
  const api = openRoot(apiUrl, access, async () => appJwt(app))
  let minted: MintedToken | null = null
  return async (signal) => {
    // A minute before it ends, so that no request is under way then.
    if (minted && Date.now() < minted.expiresAt - 60_000) return minted.token
    const { id } = z
      .object({ id: z.number() })
      .parse(await api.get(`${repositoryPath([...owner, name].join('/'))}/installation`, signal))
    minted = await mintToken(api, String(id), { repositories: [name], permissions }, signal)
    return minted.token
  }
}

/** `expiresAt`: milliseconds. */
export type MintedToken = { token: string; expiresAt: number }
const Minted = z.object({ token: z.string().min(1), expires_at: z.string() })

export async function mintToken(
  api: HostApi,
  installation: string,
  wanted: { permissions: Permissions } & Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<MintedToken> {
  const path = `/app/installations/${installation}/access_tokens`
  const { token, expires_at: expires } = Minted.parse(await api.send('POST', path, wanted, signal))
  return { token, expiresAt: Date.parse(expires) }
}

/** As GitHub wants it: RS256, not older than ten minutes, issued a minute ago in case the clocks differ. */
export function appJwt({ id, privateKey }: NonNullable<HostAccess['app']>): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ iat: now - 60, exp: now + 540, iss: id })}`
  try {
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`
  } catch (error) {
    throw new UserError('host-refused', 'the private key of the GitHub App cannot be used; it must be PEM', {
      cause: error,
    })
  }
}
