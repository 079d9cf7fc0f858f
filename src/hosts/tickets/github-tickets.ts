/** GitHub issues over the REST API, whose form those of Forgejo and Gitea have too. */
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

/** `pull_request`: missing for an issue on GitHub, and null on Forgejo. */
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
  return createIssues(
    { title: 'GitHub', prefix: 'github:', newest: { state: 'open', sort: 'updated' }, resourcesOf },
    openGitHubTracker(options),
    options,
  )
}

/** A host whose issues have this form. */
type IssueHost = {
  title: string
  /** Of ids: `forge:`. */
  prefix: string
  /** What lists those that were touched last. */
  newest: Readonly<Record<string, string>>
  /** Path of the resources of a repository. */
  resourcesOf(repository: string): string
}

export function createIssues(
  { title, prefix, newest, resourcesOf }: IssueHost,
  tracker: TrackerClient,
  { repository: own, moreRepositories }: Pick<GitHubOptions, 'repository' | 'moreRepositories'>,
): TicketSource {
  const readable = [own, ...moreRepositories]
  const mayRead = ({ kind, repository }: TicketReference): boolean =>
    kind === 'number' && (repository === null || readable.some((name) => isSameRepository(name, repository)))
  const idOf = (repository: string, { number }: Issue) => `${prefix}${repository}#${number}`
  return {
    name: `${title} issues of ${own}`,
    mayRead,
    async find(reference: TicketReference, signal): Promise<Ticket | null> {
      if (!mayRead(reference)) return null
      const repository = reference.repository ?? own
      const path = `${resourcesOf(repository)}/issues/${encodeURIComponent(reference.name)}`
      const answer = await tracker.get(path, {}, signal)
      if (answer === null) return null
      const issue = Issue.parse(answer)
      return isPull(issue) ? null : ticketOf(issue, idOf(repository, issue), reference.linkedBy)
    },
    async listOpen(limit, signal): Promise<readonly TicketLine[]> {
      const lines: TicketLine[] = []
      const issues = `${resourcesOf(own)}/issues`
      for await (const element of tracker.list(issues, { query: newest, pages: mostPages }, signal)) {
        const issue = Issue.parse(element)
        if (isPull(issue)) continue
        lines.push({ id: idOf(own, issue), title: issue.title.slice(0, 300), labels: labelsOf(issue) })
        if (lines.length === limit) break
      }
      return lines
    },
  }
}

function isPull({ pull_request: pull }: Issue): boolean {
  return pull !== undefined && pull !== null
}

function ticketOf(issue: Issue, id: string, linkedBy: string): Ticket {
  const body = issue.body ?? ''
  return {
    id,
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
