/** GitLab's REST API for both halves, over the shared transport. The token is in one header and nowhere else. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import type { ActorTrust } from '../../domain/review-request.ts'
import { askerOf, Refused } from '../remote/answers.ts'
import { type ChangeAddress, type HostAccess, WriteUnclear } from '../remote/contract.ts'

export interface GitLabApi {
  /** The token of a CI job: it reads a handful of resources and writes nothing. */
  readonly isJob: boolean
  /** `path` below the project. Throws `change-request-unknown`, `host-refused`, `Refused`, and as the transport does. */
  get(path: string, query: Query, signal: AbortSignal): Promise<unknown>
  /** All elements of a list, from at most `pages` pages of 100; with `isWhole`, more are an error. */
  list(
    path: string,
    query: Query,
    options: { pages: number; isWhole: boolean },
    signal: AbortSignal,
  ): Promise<unknown[]>
  send(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: object | null,
    signal: AbortSignal,
  ): Promise<unknown>
  /** The account of the token. */
  readUser(signal: AbortSignal): Promise<{ id: number }>
  /** Whether the account is a bot, as the server says. */
  isBot(userId: number, signal: AbortSignal): Promise<boolean>
  /** Of an account, by its role in the project or in a group above it. */
  readTrust(userId: number, signal: AbortSignal): Promise<ActorTrust>
  /** What follows goes to the project by its id: one that was renamed answers to its old path only when it is read. */
  useId(projectId: number): void
  /** The `Authorization` header for git; null without a token. */
  readonly gitAuthorization: string | null
}

type Query = Readonly<Record<string, string | number>>

const perPage = 100
const Member = z.object({ access_level: z.number() })
/** Levels from which a member may push, and from which one runs the project. */
const developer = 30
const maintainer = 40

export function openGitLabApi({ apiUrl, owner, name }: ChangeAddress, access: HostAccess): GitLabApi {
  const { token, tokenName, fetch } = access
  const isJob = tokenName === 'CI_JOB_TOKEN'
  let own = `${apiUrl}/projects/${encodeURIComponent([...owner, name].join('/'))}`
  const credential: Record<string, string> =
    token === null ? {} : isJob ? { 'job-token': token } : { authorization: `Bearer ${token}` }
  const ask = async (
    url: string,
    method: string,
    body: object | null,
    signal: AbortSignal,
  ): Promise<Response> => {
    const headers = { accept: 'application/json', 'user-agent': 'sightline', ...credential }
    const sent =
      body === null
        ? { headers }
        : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const answer = await fetch(url, { method, ...sent, signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
    if (answer.ok) return answer
    throw await refusal(access, `${method} ${url.slice(own.length) || '/'}`, answer)
  }
  const get: GitLabApi['get'] = async (path, query, signal) =>
    await (await ask(withQuery(`${own}${path}`, query), 'GET', null, signal)).json()
  return {
    isJob,
    get,
    async list(path, query, { pages, isWhole }, signal) {
      const all: unknown[] = []
      for (let page = 1; page <= pages; page++) {
        const answer = await get(path, { ...query, per_page: perPage, page }, signal)
        const elements = z.array(z.unknown()).parse(answer)
        all.push(...elements)
        if (elements.length < perPage) return all
      }
      if (isWhole)
        throw new UserError(
          'host-unavailable',
          `more than ${all.length} entries of ${path} cannot be read back`,
        )
      return all
    },
    async send(method, path, body, signal) {
      const answer = await ask(`${own}${path}`, method, body, signal)
      const text = await answer.text()
      try {
        return text === '' ? null : JSON.parse(text)
      } catch (error) {
        throw new WriteUnclear(`${method} ${path}: the answer is not JSON`, { cause: error })
      }
    },
    async readUser(signal) {
      return z
        .object({ id: z.number() })
        .parse(await (await ask(`${apiUrl}/user`, 'GET', null, signal)).json())
    },
    async isBot(userId, signal) {
      const answer = await (await ask(`${apiUrl}/users/${userId}`, 'GET', null, signal)).json()
      return z.object({ bot: z.boolean().default(false) }).parse(answer).bot
    },
    async readTrust(userId, signal) {
      try {
        const { access_level: level } = Member.parse(await get(`/members/all/${userId}`, {}, signal))
        if (level >= developer) return level >= maintainer ? 'owner' : 'member'
        return level > 0 ? 'contributor' : 'none'
      } catch (error) {
        if (error instanceof UserError && error.code === 'change-request-unknown') return 'none'
        throw error
      }
    },
    useId(projectId) {
      own = `${apiUrl}/projects/${projectId}`
    },
    gitAuthorization:
      token === null
        ? null
        : `Basic ${Buffer.from(`${isJob ? 'gitlab-ci-token' : 'oauth2'}:${token}`).toString('base64')}`,
  }
}

function withQuery(url: string, query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
  return parameters.size === 0 ? url : `${url}?${parameters}`
}

async function refusal(access: HostAccess, place: string, answer: Response): Promise<Error> {
  const who = askerOf(access)
  const said = (await answer.text()).replace(/\s+/g, ' ').slice(0, 300)
  if (answer.status === 401)
    return new UserError('host-refused', `${who} is not valid, has expired, or may not do this (${place})`)
  if (answer.status === 403) {
    const needs = /"scope":"([\w ]+)"/.exec(said)?.[1]
    return new UserError(
      'host-refused',
      `${who} may not do this (${place})${needs ? `; it needs the scope ${needs}` : ''}`,
    )
  }
  if (answer.status === 404)
    return new UserError('change-request-unknown', `${who} does not see it (${place})`)
  return new Refused(`${answer.status} to ${place}: ${said}`)
}
