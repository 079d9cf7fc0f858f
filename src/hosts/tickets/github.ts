/** GitHub issues over the REST API. The token is the collector's; no model ever comes near it. */
import { z } from 'zod'
import type { Ticket } from '../../domain/ticket.ts'
import type { TicketHit, TicketReference, TicketSource } from './contract.ts'
import { parseCriteria } from './criteria.ts'
import { cutOf, mostBodyLength } from './from-text.ts'

export type GitHubTicketOptions = {
  /** `owner/repo` of the repository under review. */
  repository: string
  /** Without it only public repositories answer, and seldom. */
  token: string | null
  /** `https://api.github.com`, or the address of an enterprise server. */
  apiUrl: string
  fetch: typeof globalThis.fetch
}

const largestAnswer = 2 * 1024 * 1024

const Issue = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string().nullable(),
  state: z.string(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).default([]),
  pull_request: z.unknown().optional(),
})
type Issue = z.infer<typeof Issue>

export function createGitHubTickets(options: GitHubTicketOptions): TicketSource {
  return {
    name: `GitHub issues of ${options.repository}`,
    async find(reference: TicketReference, signal): Promise<Ticket | null> {
      if (reference.kind !== 'github') return null
      const repository = reference.repository ?? options.repository
      const answer = await get(options, `/repos/${repository}/issues/${reference.name}`, signal)
      if (answer === null) return null
      const issue = Issue.parse(answer)
      return issue.pull_request === undefined ? ticketOf(issue, repository, reference.linkedBy) : null
    },
    async searchOpen(query, limit, signal): Promise<readonly TicketHit[]> {
      const words = query
        .replace(/[^\p{L}\p{N}_-]+/gu, ' ')
        .trim()
        .slice(0, 200)
      if (words === '') return []
      const asked = encodeURIComponent(`${words} repo:${options.repository} is:issue is:open`)
      const answer = await get(options, `/search/issues?q=${asked}&per_page=${Math.min(limit, 30)}`, signal)
      const { items } = z.object({ items: z.array(Issue) }).parse(answer ?? { items: [] })
      return items.map((issue) => ({
        id: `github:${options.repository}#${issue.number}`,
        title: issue.title,
        labels: labelsOf(issue),
      }))
    },
  }
}

/** Null for what does not exist or may not be seen. Throws with the status for anything else. */
async function get(
  { apiUrl, token, fetch }: GitHubTicketOptions,
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
  if (!response.ok)
    throw new Error(`GitHub answered ${response.status} to ${path.split('?')[0]}${limitIn(response)}`)
  const text = await response.text()
  if (text.length > largestAnswer) throw new Error(`GitHub’s answer to ${path.split('?')[0]} is too large`)
  return JSON.parse(text)
}

function limitIn(response: Response): string {
  const isLimit = response.headers.get('x-ratelimit-remaining') === '0'
  return isLimit ? ': the hourly number of requests is used up' : ''
}

function ticketOf(issue: Issue, repository: string, linkedBy: string): Ticket {
  const body = issue.body ?? ''
  return {
    id: `github:${repository}#${issue.number}`,
    title: issue.title.slice(0, 300),
    body: body.slice(0, mostBodyLength),
    state: issue.state === 'open' ? 'open' : 'closed',
    labels: labelsOf(issue),
    linkedBy,
    criteria: parseCriteria(body),
    cut: cutOf(body),
  }
}

function labelsOf({ labels }: Issue): string[] {
  return labels.flatMap((label) => (typeof label === 'string' ? label : (label.name ?? []))).sort()
}
