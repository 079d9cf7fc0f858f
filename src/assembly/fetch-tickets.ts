/**
 * What a host knows of a change: tickets, handed in as text or looked up on GitHub by what the author wrote; what was said
 * of its pull request; and which tickets are open. The token never goes further than here.
 */
import { withinSeconds } from '../base/time-budget.ts'
import type { ReviewRequest } from '../domain/review-request.ts'
import type { Ticket } from '../domain/ticket.ts'
import type { GitHubOptions } from '../hosts/tickets/github-client.ts'
import { createGitHubDiscussion } from '../hosts/tickets/github-discussion.ts'
import { createGitHubTickets } from '../hosts/tickets/github-tickets.ts'
import { findReferences } from '../hosts/tickets/references.ts'
import { ticketFromText } from '../hosts/tickets/ticket-text.ts'

export type TicketOrigin =
  /** As read from a file or standard input; `name` is where from. */
  | { kind: 'text'; text: string; name: string }
  /** `owner/repo`: issues that title, body and branch point to. */
  | {
      kind: 'github'
      repository: string
      branch: string | null
      access?: { apiUrl: string; token: string | null }
    }

export type FetchedTickets = Pick<ReviewRequest, 'tickets' | 'discussion' | 'openTickets' | 'limits'>

type Change = Pick<ReviewRequest, 'title' | 'body' | 'head' | 'discussion'>
type Bounds = {
  seconds: number
  environment: NodeJS.ProcessEnv
  signal: AbortSignal
  /** Of the operator's settings: repositories beside the reviewed one whose tickets may be read. */
  moreRepositories?: readonly string[]
}

const mostOpenTickets = 300

/**
 * Never throws: what cannot be fetched is named in `limits`. Each of the three has the whole time, side by side, so
 * that a long discussion costs no ticket.
 */
export async function fetchTickets(
  origin: TicketOrigin,
  change: Change,
  bounds: Bounds,
): Promise<FetchedTickets> {
  if (origin.kind === 'text') return { tickets: [ticketFromText(origin.text, origin.name)], limits: [] }
  const limits: string[] = []
  const { seconds, environment, signal, moreRepositories = [] } = bounds
  const attempt = async <Value>(what: string, work: (inner: AbortSignal) => Promise<Value>) => {
    try {
      return await withinSeconds(seconds, signal, work)
    } catch (error) {
      signal.throwIfAborted()
      limits.push(`${what} could not be fetched: ${error instanceof Error ? error.message : String(error)}`)
      return null
    }
  }
  const github: GitHubOptions = {
    repository: origin.repository,
    moreRepositories,
    ...(origin.access ?? {
      token: environment.GITHUB_TOKEN || environment.GH_TOKEN || null,
      apiUrl: environment.GITHUB_API_URL || 'https://api.github.com',
    }),
    fetch,
  }
  const tickets: Ticket[] = []
  const source = createGitHubTickets(github)
  const { commit } = change.head
  const [, discussion, openTickets] = await Promise.all([
    attempt('some tickets', async (inner) => {
      for (const reference of findReferences({ ...change, branch: origin.branch })) {
        if (!source.mayRead(reference)) {
          const { repository, name, linkedBy } = reference
          limits.push(
            `the ticket ${repository}#${name} (${linkedBy}) was not fetched: it belongs to another repository (to allow this, add it to \`tickets.repositories\` in your settings)`,
          )
          continue
        }
        const ticket = await source.find(reference, inner)
        if (ticket) tickets.push(ticket)
        else limits.push(`the ticket ${reference.name} (${reference.linkedBy}) could not be found`)
      }
    }),
    // A source that knows its change request has read what was said of it.
    commit === null || change.discussion
      ? null
      : attempt('the discussion', (inner) => createGitHubDiscussion(github).readDiscussion(commit, inner)),
    attempt('the list of open tickets', (inner) => source.listOpen(mostOpenTickets, inner)),
  ])
  return {
    tickets,
    ...(discussion ? { discussion: [...discussion] } : {}),
    ...(openTickets ? { openTickets: [...openTickets] } : {}),
    limits: limits.sort(),
  }
}
