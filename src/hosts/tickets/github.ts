/** GitHub issues over the REST API. The token is the collector's; no model ever comes near it. */
import { z } from 'zod'
import type { Ticket, TicketLine } from '../../domain/ticket.ts'
import type { TicketReference, TicketSource } from './contract.ts'
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
const mostPages = 5

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
    async listOpen(limit, signal): Promise<readonly TicketLine[]> {
      const lines: TicketLine[] = []
      // Pull requests come in the same list and do not count; five pages are enough for any limit of ours.
      for (let page = 1; page <= mostPages && lines.length < limit; page++) {
        const path = `/repos/${options.repository}/issues?state=open&sort=updated&per_page=100&page=${page}`
        const issues = z.array(Issue).parse((await get(options, path, signal)) ?? [])
        for (const issue of issues)
          if (issue.pull_request === undefined && lines.length < limit)
            lines.push({
              id: idOf(options.repository, issue),
              title: issue.title.slice(0, 300),
              labels: labelsOf(issue),
            })
        if (issues.length < 100) break
      }
      return lines
    },
  }
}

function idOf(repository: string, { number }: Issue): string {
  return `github:${repository}#${number}`
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
    id: idOf(repository, issue),
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
