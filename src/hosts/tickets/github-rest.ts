/** Reads of GitHub's REST API: one request, or the pages of a list. The token goes to this host and to no other. */

export type GitHubHost = {
  /** Without it only public repositories answer, and seldom. */
  token: string | null
  /** `https://api.github.com`, or the address of an enterprise server. */
  apiUrl: string
  fetch: typeof globalThis.fetch
}

const largestAnswer = 2 * 1024 * 1024
const pageSize = 100

/** Moved, unknown, gone, and a commit that this repository does not have. */
const absent = [301, 404, 410, 422]

/** Null for what does not exist or may not be seen. Throws with the status for anything else. */
export async function readOne(
  { apiUrl, token, fetch }: GitHubHost,
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

/** `more`: the list goes on beyond the pages that were read. A list that does not exist is empty. */
export async function readPages(
  host: GitHubHost,
  path: string,
  mostPages: number,
  signal: AbortSignal,
): Promise<{ items: unknown[]; more: boolean }> {
  const items: unknown[] = []
  const joint = path.includes('?') ? '&' : '?'
  for (let page = 1; page <= mostPages; page++) {
    const answer = await readOne(host, `${path}${joint}per_page=${pageSize}&page=${page}`, signal)
    const found = Array.isArray(answer) ? answer.slice(0, pageSize) : []
    items.push(...found)
    if (found.length < pageSize) return { items, more: false }
  }
  return { items, more: true }
}

async function textOf(response: Response, tooLarge: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop cancels the body, so that a server cannot send for ever.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > largestAnswer) throw new Error(tooLarge)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function limitIn({ status, headers }: Response): string {
  if (headers.get('x-ratelimit-remaining') === '0') return ': the hourly number of requests is used up'
  const isLimit = (status === 403 || status === 429) && headers.has('retry-after')
  return isLimit ? ': it asks to wait' : ''
}
