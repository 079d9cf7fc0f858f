/** GitHub issues over the REST API. */
import { z } from 'zod'
import { isSameRepository } from '../../domain/repository-name.ts'
import type { Ticket, TicketLine } from '../../domain/ticket.ts'
import type { TicketReference, TicketSource } from './contract.ts'
import { type GitHubOptions, openGitHub } from './github-client.ts'
import { cutOf, mostBodyLength, parseCriteria } from './ticket-text.ts'

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
  const github = openGitHub(options)
  const mayRead = ({ kind, repository }: TicketReference): boolean =>
    kind === 'number' && (repository === null || readable.some((name) => isSameRepository(name, repository)))
  return {
    name: `GitHub issues of ${options.repository}`,
    mayRead,
    async find(reference: TicketReference, signal): Promise<Ticket | null> {
      if (!mayRead(reference)) return null
      const repository = reference.repository ?? options.repository
      const answer = await github.get(repository, 'issues/{number}', { number: reference.name }, signal)
      if (answer === null) return null
      const issue = Issue.parse(answer)
      return issue.pull_request === undefined ? ticketOf(issue, repository, reference.linkedBy) : null
    },
    async listOpen(limit, signal): Promise<readonly TicketLine[]> {
      const lines: TicketLine[] = []
      const newest = { state: 'open', sort: 'updated', pages: mostPages }
      for await (const element of github.list(options.repository, 'issues', newest, signal)) {
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
