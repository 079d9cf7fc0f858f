/** One question to GitHub's REST API. The token is the collector's; no model ever comes near it. */
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

/** The path of a repository's resources. Throws for what is no name, and could be the path of something else. */
export function pathOfRepository(name: string): string {
  if (!isRepositoryName(name)) throw new Error('the name of the repository is not OWNER/REPO')
  return `/repos/${name}`
}

const largestAnswer = 2 * 1024 * 1024
/** The most that GitHub gives on one page. */
export const perPage = 100
/** Moved, unknown, gone, and a commit that was never pushed. */
const absent = [301, 404, 410, 422]

/** Null for what does not exist or may not be seen. Throws with the status for anything else. */
export async function askGitHub(
  { apiUrl, token, fetch }: GitHubOptions,
  path: string,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await fetch(`${apiUrl.replace(/\/$/, '')}${path}`, {
    headers: {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': 'sightline',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    // A transferred issue is answered with a redirect, which must not take the token to another host.
    redirect: 'manual',
    signal,
  })
  const place = path.split('?')[0]
  if (response.ok) return JSON.parse(await textOf(response, `GitHub’s answer to ${place} is too large`))
  await response.body?.cancel()
  if (absent.includes(response.status)) return null
  throw new Error(`GitHub answered ${response.status} to ${place}${limitIn(response)}`)
}

/** Leaving the loop early cancels the body, so that no server sends for ever. */
async function textOf(response: Response, tooLarge: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > largestAnswer) throw new Error(tooLarge)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function limitIn({ status, headers }: Response): string {
  if (headers.get('x-ratelimit-remaining') === '0') return ': the hourly number of requests is used up'
  return (status === 403 || status === 429) && headers.has('retry-after') ? ': it asks to wait' : ''
}
