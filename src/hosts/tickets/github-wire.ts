/** One question to GitHub's REST API. The token is the collector's; no model ever comes near it. */

export type GitHubOptions = {
  /** `owner/repo` of the repository under review. */
  repository: string
  /** Without it only public repositories answer, and seldom. */
  token: string | null
  /** `https://api.github.com`, or the address of an enterprise server. */
  apiUrl: string
  fetch: typeof globalThis.fetch
}

const largestAnswer = 2 * 1024 * 1024
/** The most that GitHub gives on one page. */
export const perPage = 100

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
  if ([301, 404, 410].includes(response.status)) return null
  const place = path.split('?')[0]
  if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${place}${limitIn(response)}`)
  const text = await response.text()
  if (text.length > largestAnswer) throw new Error(`GitHub’s answer to ${place} is too large`)
  return JSON.parse(text)
}

function limitIn(response: Response): string {
  const isLimit = response.headers.get('x-ratelimit-remaining') === '0'
  return isLimit ? ': the hourly number of requests is used up' : ''
}
