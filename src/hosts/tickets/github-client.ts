/**
 * GitHub's REST API for the collector: Octokit over a bounded `fetch`. It reads only the repositories it is given, follows
 * no redirect and retries nothing, because all that a host knows of a change has to be here within seconds. The token is
 * the collector's; no model ever comes near it.
 */
import { z } from 'zod'
import { readBounded } from '../../base/read-bounded.ts'
import { trimTrailing } from '../../base/trim-text.ts'
import { isRepositoryName } from '../../domain/repository-name.ts'

export type GitHubOptions = {
  /** `owner/repo` of the repository under review. */
  repository: string
  /** Further ones whose tickets may be read, named by the operator. */
  moreRepositories: readonly string[]
  /** Without it only public repositories answer, and seldom. */
  token: string | null
  /** `https://api.github.com`, or the address of an enterprise server. */
  apiUrl: string
  fetch: typeof globalThis.fetch
}

export interface GitHubClient {
  /**
   * One resource of a repository, by a path such as `issues/{number}`. Null for what does not exist or may not be seen.
   * Throws with the status for any other refusal, and for a name that is not `owner/repo`.
   */
  get(repository: string, path: string, parameters: Parameters, signal: AbortSignal): Promise<unknown>
  /** The elements of a list, from at most `pages` pages of 100. Throws as `get` does. */
  list(
    repository: string,
    path: string,
    parameters: Parameters & { pages: number },
    signal: AbortSignal,
  ): AsyncGenerator<unknown>
}

/** Those that the path does not name go into the query. */
type Parameters = Readonly<Record<string, string | number>>

const largestAnswer = 2 * 1024 * 1024
/** The most that GitHub gives on one page. */
const perPage = 100
/** Moved, unknown, deleted, and a commit that was never pushed. */
const absent = [301, 404, 410, 422]

export function openGitHub({ apiUrl, token, fetch }: GitHubOptions): GitHubClient {
  const baseUrl = trimTrailing(apiUrl, '/')
  const headers = {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  }
  const get: GitHubClient['get'] = async (repository, path, parameters, signal) => {
    // Anything else could be part of the path of another resource.
    if (!isRepositoryName(repository)) throw new Error('the name of the repository is not OWNER/REPO')
    const [{ Octokit }, { RequestError }] = await libraries()
    const octokit = new Octokit({
      baseUrl,
      userAgent: 'sightline',
      // A transferred issue is answered with a redirect, which must not take the token to another host.
      request: { fetch: boundedFetch(fetch, baseUrl), redirect: 'manual', log: silent, signal },
    })
    const route = `GET /repos/${repository}/${path}`
    const place = pathIn(octokit.request.endpoint(route, parameters).url, baseUrl)
    try {
      const { status, data } = await octokit.request(route, { ...parameters, headers })
      return dataOf(status, data, place)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof RequestError) || !error.response) throw error
      return dataOf(error.status, null, `${place}${limitIn(error.status, error.response.headers)}`)
    }
  }
  return {
    get,
    async *list(repository, path, { pages, ...parameters }, signal) {
      for (let page = 1; page <= pages; page++) {
        const answer = await get(repository, path, { ...parameters, per_page: perPage, page }, signal)
        const elements = z.array(z.unknown()).parse(answer ?? [])
        yield* elements
        if (elements.length < perPage) return
      }
    },
  }
}

/** They take 30 ms to load, and most reviews have no token and no remote. */
function libraries() {
  return Promise.all([import('@octokit/core'), import('@octokit/request-error')])
}

/** GitHub's notices of deprecated routes are for developers of this program. */
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** What a refusal says itself is left unread: it is foreign text, and the status is enough. */
function boundedFetch(send: typeof fetch, baseUrl: string): typeof fetch {
  return async (input, init) => {
    const answer = await send(input, init)
    const { status, headers } = answer
    if (!answer.ok) {
      await answer.body?.cancel()
      return new Response(null, { status, headers })
    }
    const text = await readBounded(answer, largestAnswer)
    if (text !== null) return new Response(text === '' ? null : text, { status, headers })
    throw new Error(`The answer of GitHub to ${pathIn(String(input), baseUrl)} is too large`)
  }
}

function pathIn(url: string, baseUrl: string): string {
  return url.slice(baseUrl.length).replace(/\?.*/s, '')
}

function dataOf(status: number, data: unknown, place: string): unknown {
  if (status >= 200 && status <= 299) return data
  if (absent.includes(status)) return null
  throw new Error(`GitHub answered ${status} to ${place}`)
}

function limitIn(status: number, headers: Readonly<Record<string, unknown>>): string {
  if (headers['x-ratelimit-remaining'] === '0') return ': the hourly number of requests is used up'
  return (status === 403 || status === 429) && 'retry-after' in headers ? ': GitHub asks to wait' : ''
}
