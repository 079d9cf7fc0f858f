/** The REST API of Forgejo and Gitea for both halves, over the shared transport. The token is in one header and nowhere else. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import type { ActorTrust } from '../../domain/review-request.ts'
import { askerOf, Refused } from '../remote/answers.ts'
import { type ChangeAddress, type HostAccess, WriteUnclear } from '../remote/contract.ts'

export interface ForgejoApi {
  /** `path` below the repository. Throws `change-request-unknown`, `host-refused`, `Refused`, and as the transport does. */
  get(path: string, signal: AbortSignal): Promise<unknown>
  /** As `get`, of what is no JSON. */
  getText(path: string, signal: AbortSignal): Promise<string>
  /** All elements of a list, from at most `pages` pages of 50. */
  list(path: string, pages: number, signal: AbortSignal): Promise<unknown[]>
  post(path: string, body: object, signal: AbortSignal): Promise<unknown>
  /** Any other write. `status`: which success it was. */
  send(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body: object,
    signal: AbortSignal,
  ): Promise<{ status: number }>
  /** The account of the token. */
  readUser(signal: AbortSignal): Promise<{ id: number }>
  /** Of an account. Only the administrators of a repository may ask about others: `unknown` for all else. */
  readTrust(login: string, signal: AbortSignal): Promise<ActorTrust>
  /** What follows goes to this name: a renamed repository answers to its old one only when it is read. */
  useName(owner: string, name: string): void
  /** The `Authorization` header for git; null without a token. */
  readonly gitAuthorization: string | null
}

/** What most servers give at most. */
const perPage = 50
const Permission = z.object({ permission: z.string() })

const trustWords: Readonly<Record<string, ActorTrust>> = {
  owner: 'owner',
  admin: 'owner',
  write: 'member',
  read: 'none',
  none: 'none',
}

export function openForgejoApi({ apiUrl, owner, name }: ChangeAddress, access: HostAccess): ForgejoApi {
  const { token, fetch } = access
  const urlOf = (holder: string, repository: string) =>
    `${apiUrl}/repos/${encodeURIComponent(holder)}/${encodeURIComponent(repository)}`
  let own = urlOf(owner.join('/'), name)
  const askText = async (method: string, url: string, body: object | null, signal: AbortSignal) => {
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'sightline' }
    if (token !== null) headers.authorization = `token ${token}`
    if (body !== null) headers['content-type'] = 'application/json'
    const sent = body === null ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(url, { method, headers, ...sent, signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
    const text = await answer.text()
    if (!answer.ok) throw refusal(access, `${method} ${url.slice(own.length) || '/'}`, answer.status, text)
    return { text, status: answer.status }
  }
  const ask = async (method: string, url: string, body: object | null, signal: AbortSignal) => {
    const { text } = await askText(method, url, body, signal)
    try {
      return text === '' ? null : (JSON.parse(text) as unknown)
    } catch (error) {
      if (method !== 'GET')
        throw new WriteUnclear(`${method} ${url}: the answer is not JSON`, { cause: error })
      throw new UserError('host-unavailable', `${url}: the answer is not JSON`, { cause: error })
    }
  }
  return {
    get: (path, signal) => ask('GET', `${own}${path}`, null, signal),
    getText: async (path, signal) => (await askText('GET', `${own}${path}`, null, signal)).text,
    async list(path, pages, signal) {
      const all: unknown[] = []
      for (let page = 1; page <= pages; page++) {
        const answer = await ask('GET', `${own}${path}?limit=${perPage}&page=${page}`, null, signal)
        const elements = z.array(z.unknown()).parse(answer)
        all.push(...elements)
        // A server may give fewer on a page than it is asked for.
        if (elements.length === 0) return all
      }
      throw new UserError(
        'host-unavailable',
        `more than ${all.length} entries of ${path} cannot be read back`,
      )
    },
    post: (path, body, signal) => ask('POST', `${own}${path}`, body, signal),
    send: async (method, path, body, signal) => await askText(method, `${own}${path}`, body, signal),
    readUser: async (signal) =>
      z.object({ id: z.number() }).parse(await ask('GET', `${apiUrl}/user`, null, signal)),
    async readTrust(login, signal) {
      const url = `${own}/collaborators/${encodeURIComponent(login)}/permission`
      try {
        return trustWords[Permission.parse(await ask('GET', url, null, signal)).permission] ?? 'unknown'
      } catch (error) {
        if (error instanceof UserError && error.code !== 'host-unavailable') return 'unknown'
        throw error
      }
    },
    useName(holder, repository) {
      own = urlOf(holder, repository)
    },
    gitAuthorization: token === null ? null : `Basic ${Buffer.from(`sightline:${token}`).toString('base64')}`,
  }
}

function refusal(access: HostAccess, place: string, status: number, text: string): Error {
  const who = askerOf(access)
  const said = text.replace(/\s+/g, ' ').slice(0, 300)
  if (status === 401 || status === 403)
    return new UserError('host-refused', `${who} may not do this (${place}): ${said}`)
  if (status === 404) return new UserError('change-request-unknown', `${who} does not see it (${place})`)
  return new Refused(`${status} to ${place}: ${said}`)
}
