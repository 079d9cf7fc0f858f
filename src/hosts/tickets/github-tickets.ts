/** GitHub issues over the REST API. */
import { z } from 'zod'
import { isRepositoryName, isSameRepository } from '../../domain/repository-name.ts'
import type { Ticket, TicketLine } from '../../domain/ticket.ts'
import { openTracker, type TrackerClient } from '../trackers/client.ts'
import type { TicketReference, TicketSource } from './contract.ts'
import { cutOf, mostBodyLength, parseCriteria } from './ticket-text.ts'

export type GitHubOptions = {
  /** `owner/repo` of the repository under review. */
  repository: string
  /** Further ones whose tickets may be read, named by the operator. */
  moreRepositories: readonly string[]
  /** Without it only public repositories answer, and seldom. */
  token: string | null
  /** Variable that it is from, for messages. */
  tokenName: string | null
  /** `https://api.github.com`, or the address of an enterprise server. */
  apiUrl: string
  fetch: typeof globalThis.fetch
}

/** The token is the collector's; no model ever comes near it. */
export function openGitHubTracker({ apiUrl, token, tokenName, fetch }: GitHubOptions): TrackerClient {
  return openTracker({
    name: 'GitHub',
    url: apiUrl,
    tokenName: token === null ? null : (tokenName ?? 'the settings'),
    headers: {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    // Moved, and a commit that was never pushed.
    absent: [301, 422],
    fetch,
  })
}

/** Path of the resources of a repository. Throws for anything else, which could be part of the path of another resource. */
export function resourcesOf(repository: string): string {
  if (!isRepositoryName(repository)) throw new Error('the name of the repository is not OWNER/REPO')
  return `/repos/${repository}`
}

/** Pull requests come in the same list and do not count; this is enough for any limit of ours. */
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

export function createGitHubTickets(options: GitHubOptions): TicketSource {
  const readable = [options.repository, ...options.moreRepositories]
  const github = openGitHubTracker(options)
  const mayRead = ({ kind, repository }: TicketReference): boolean =>
    kind === 'number' && (repository === null || readable.some((name) => isSameRepository(name, repository)))
  return {
    name: `GitHub issues of ${options.repository}`,
    mayRead,
    async find(reference: TicketReference, signal): Promise<Ticket | null> {
      if (!mayRead(reference)) return null
      const repository = reference.repository ?? options.repository
      const answer = await github.get(
        `${resourcesOf(repository)}/issues/${encodeURIComponent(reference.name)}`,
        {},
        signal,
      )
      if (answer === null) return null
      const issue = Issue.parse(answer)
      return issue.pull_request === undefined ? ticketOf(issue, repository, reference.linkedBy) : null
    },
    async listOpen(limit, signal): Promise<readonly TicketLine[]> {
      const lines: TicketLine[] = []
      const issues = `${resourcesOf(options.repository)}/issues`
      const newest = { query: { state: 'open', sort: 'updated' }, pages: mostPages }
      for await (const element of github.list(issues, newest, signal)) {
        const issue = Issue.parse(element)
        if (issue.pull_request !== undefined) continue
        const { title } = issue
        lines.push({
          id: idOf(options.repository, issue),
          title: title.slice(0, 300),
          labels: labelsOf(issue),
        })
        if (lines.length === limit) break
      }
      return lines
    },
  }
}

function idOf(repository: string, { number }: Issue): string {
  return `github:${repository}#${number}`
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
