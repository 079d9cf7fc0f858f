/**
 * GitHub's API for both halves: Octokit over the shared transport. What a refusal says is turned into what a person can
 * do; the token is in one header and nowhere else.
 */
import { createSign } from 'node:crypto'
import type { Octokit } from '@octokit/core'
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import type { ActorTrust } from '../../domain/review-request.ts'
import { askerOf } from '../remote/answers.ts'
import { type ChangeAddress, type HostAccess, WriteUnclear } from '../remote/contract.ts'

export interface GitHubApi {
  /**
   * One REST request. Throws `change-request-unknown` for 404, `host-refused` with the missing right for 401 and 403,
   * `Refused` for any other 4xx, and what the transport throws.
   */
  request(route: string, parameters: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>
  /** As `request`, when it matters which success it was. */
  requestStatus(
    route: string,
    parameters: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ status: number; data: unknown }>
  /** All elements of a list, from at most `pages` pages of 100. */
  list(
    route: string,
    parameters: Readonly<Record<string, unknown>>,
    pages: number,
    signal: AbortSignal,
  ): Promise<unknown[]>
  /** One GraphQL document. Errors of a mutation are `Refused`. */
  graphql(query: string, variables: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>
  /** The kind of token: only Apps may write check runs. */
  isApp(): boolean
  /** The `Authorization` header for git; null without a token. */
  gitAuthorization(signal: AbortSignal): Promise<string | null>
}

/** The host understood the request and refused it. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Rights of an installation token, in GitHub's words. */
export type Permissions = Readonly<Record<string, 'read' | 'write'>>

const perPage = 100
const Permission = z.object({ permission: z.string() })
/** GitHub's notices of deprecated routes are for developers of this program. */
const silent = { debug() {}, info() {}, warn() {}, error() {} }

export function openGitHubApi(
  address: ChangeAddress,
  access: HostAccess,
  permissions: Permissions,
): GitHubApi {
  const token = tokenOf(address, access, permissions)
  const connect = async (signal: AbortSignal) => {
    const secret = await token(signal)
    return await connection(address, access, secret && `Bearer ${secret}`, signal)
  }
  const requestStatus: GitHubApi['requestStatus'] = async (route, parameters, signal) => {
    const octokit = await connect(signal)
    return await answerTo(access, route, signal, () => octokit.request(route, parameters))
  }
  const request: GitHubApi['request'] = async (route, parameters, signal) =>
    (await requestStatus(route, parameters, signal)).data
  return {
    ...{ request, requestStatus },
    async list(route, parameters, pages, signal) {
      const all: unknown[] = []
      for (let page = 1; page <= pages; page++) {
        const answer = await request(route, { ...parameters, per_page: perPage, page }, signal)
        const elements = z.array(z.unknown()).parse(answer)
        all.push(...elements)
        if (elements.length < perPage) break
      }
      return all
    },
    async graphql(query, variables, signal) {
      const octokit = await connect(signal)
      return await answerTo(access, 'POST /graphql', signal, () => octokit.graphql(query, variables))
    },
    // The token of a workflow is that of an App too.
    isApp: () => access.app !== undefined || (access.token?.startsWith('ghs_') ?? false),
    async gitAuthorization(signal) {
      const secret = await token(signal)
      return secret && `Basic ${Buffer.from(`x-access-token:${secret}`).toString('base64')}`
    },
  }
}

export async function connection(
  { apiUrl }: Pick<ChangeAddress, 'apiUrl'>,
  { fetch }: HostAccess,
  authorization: string | null,
  signal: AbortSignal,
): Promise<Octokit> {
  // It takes 20 ms to load, and most reviews have no host.
  const { Octokit } = await import('@octokit/core')
  const octokit = new Octokit({
    baseUrl: apiUrl,
    userAgent: 'sightline',
    request: { fetch, log: silent, signal },
    log: silent,
  })
  octokit.hook.before('request', (options) => {
    options.headers['x-github-api-version'] = '2022-11-28'
    if (authorization !== null) options.headers.authorization = authorization
  })
  return octokit
}

export async function answerTo<Result>(
  access: HostAccess,
  route: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    const { cause, status, response, errors } = error as Failure
    if (cause instanceof UserError || cause instanceof WriteUnclear) throw cause
    if (errors)
      throw new Refused(
        200,
        errors
          .map(({ message }) => message)
          .join('; ')
          .slice(0, 500),
      )
    if (!response || status === undefined) throw error
    throw refusal(access, route, status, response)
  }
}

type Failure = Error & {
  status?: number
  response?: { headers: Readonly<Record<string, unknown>>; data?: unknown }
  /** Of GraphQL. */
  errors?: readonly { message: string }[]
}

function refusal(
  access: HostAccess,
  route: string,
  status: number,
  { headers, data }: NonNullable<Failure['response']>,
): Error {
  const { message: said } = z.object({ message: z.string() }).catch({ message: '' }).parse(data)
  const who = askerOf(access)
  const place = route.replace(/^(\w+) \/repos\/\{owner\}\/\{repo\}/, '$1 …')
  if (status === 401) return new UserError('host-refused', `${who} is not valid or has expired (${place})`)
  if (status === 403) {
    const needs = String(headers['x-accepted-github-permissions'] ?? headers['x-accepted-oauth-scopes'] ?? '')
    const right = needs === '' ? '' : `; it needs ${needs.replace(/[^\w=,; -]/g, '').slice(0, 200)}`
    return new UserError('host-refused', `${who} may not do this (${place})${right}: ${said.slice(0, 200)}`)
  }
  if (status === 404) return new UserError('change-request-unknown', `${who} does not see it (${place})`)
  return new Refused(status, `${status} to ${place}: ${said.slice(0, 300)}`)
}

/** Being a member of the organization is no right to write in this repository, so the role itself is asked for. */
export async function readTrust(
  api: GitHubApi,
  at: { owner: string; repo: string },
  username: string,
  association: string,
  signal: AbortSignal,
): Promise<ActorTrust> {
  const found = await api
    .request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', { ...at, username }, signal)
    .catch((error: unknown) => {
      if (error instanceof UserError && error.code !== 'host-unavailable') return null
      throw error
    })
  const { permission } = Permission.catch({ permission: 'unknown' }).parse(found)
  if (permission === 'admin') return 'owner'
  if (permission === 'write') return 'member'
  if (permission === 'unknown') return 'unknown'
  if (association === 'FIRST_TIME_CONTRIBUTOR' || association === 'FIRST_TIMER') return 'first-time'
  return association === 'NONE' || association === 'MANNEQUIN' ? 'none' : 'contributor'
}

/** Installation tokens last an hour and are made when they are needed, with no more rights than that. */
function tokenOf(
  address: ChangeAddress,
  access: HostAccess,
  permissions: Permissions,
): (signal: AbortSignal) => Promise<string | null> {
  const { app, token } = access
  if (!app) return async () => token
  let minted: { token: string; until: number } | null = null
  return async (signal) => {
    if (minted && Date.now() < minted.until) return minted.token
    const octokit = await connection(address, access, `Bearer ${appJwt(app)}`, signal)
    const repository = { owner: address.owner.join('/'), repo: address.name }
    const made = await answerTo(access, 'GET /repos/{owner}/{repo}/installation', signal, async () => {
      const { data } = await octokit.request('GET /repos/{owner}/{repo}/installation', repository)
      const { id } = z.object({ id: z.number() }).parse(data)
      const wanted = { installation_id: id, repositories: [address.name], permissions }
      const route = 'POST /app/installations/{installation_id}/access_tokens'
      return (await octokit.request(route, wanted)).data
    })
    const answer = z.object({ token: z.string().min(1), expires_at: z.string() }).parse(made)
    // A minute before it ends, so that no request is under way then.
    minted = { token: answer.token, until: Date.parse(answer.expires_at) - 60_000 }
    return minted.token
  }
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
