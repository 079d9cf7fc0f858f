/** Tickets for a change: handed in as text, or looked up on GitHub by what the author wrote. */
import { withinSeconds } from '../base/time-budget.ts'
import type { ReviewRequest } from '../domain/review-request.ts'
import type { Ticket } from '../domain/ticket.ts'
import { ticketFromText } from '../hosts/tickets/from-text.ts'
import { createGitHubTickets } from '../hosts/tickets/github.ts'
import { findReferences } from '../hosts/tickets/references.ts'

export type TicketWish =
  /** As read from a file or standard input; `name` is where from. */
  | { kind: 'text'; text: string; name: string }
  /** `owner/repo`: issues that title, body and branch point to. */
  | { kind: 'github'; repository: string; branch: string | null }

export type Brought = { tickets: Ticket[]; limits: string[] }

/** Never throws: a ticket that cannot be brought is told among the limits. The token never goes further than here. */
export async function bringTickets(
  wish: TicketWish,
  { title, body }: Pick<ReviewRequest, 'title' | 'body'>,
  { seconds, environment, signal }: { seconds: number; environment: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<Brought> {
  if (wish.kind === 'text') return { tickets: [ticketFromText(wish.text, wish.name)], limits: [] }
  const source = createGitHubTickets({
    repository: wish.repository,
    token: environment.GITHUB_TOKEN || environment.GH_TOKEN || null,
    apiUrl: environment.GITHUB_API_URL || 'https://api.github.com',
    fetch,
  })
  const tickets: Ticket[] = []
  const limits: string[] = []
  const references = findReferences({ title, body, branch: wish.branch })
  try {
    await withinSeconds(seconds, signal, async (inner) => {
      for (const reference of references) {
        const ticket = await source.find(reference, inner)
        if (ticket) tickets.push(ticket)
        else limits.push(`the ticket ${reference.name} (${reference.linkedBy}) could not be found`)
      }
    })
  } catch (error) {
    signal.throwIfAborted()
    limits.push(`not all tickets could be brought: ${error instanceof Error ? error.message : String(error)}`)
  }
  return { tickets, limits }
}
