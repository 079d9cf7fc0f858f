/**
 * What others know of a change: tickets, handed in as text, or looked up by what the author wrote on its host and in the
 * operator's trackers; what was said of its pull request; which tickets are open; and which errors in production run
 * through its files. No token goes further than here.
 */
import { withinSeconds } from '../base/time-budget.ts'
import type { ReviewRequest } from '../domain/review-request.ts'
import type { Ticket } from '../domain/ticket.ts'
import type { TicketReference, TicketSource } from '../hosts/tickets/contract.ts'
import { findReferences, referenceName } from '../hosts/tickets/references.ts'
import { type IssueOrigin, openIssues } from '../hosts/tickets/registry.ts'
import { ticketFromText } from '../hosts/tickets/ticket-text.ts'
import type { OpenedTrackers } from '../hosts/trackers/registry.ts'

export type TicketOrigin =
  /** As read from a file or standard input; `name` is where from. */
  { kind: 'text'; text: string; name: string } | IssueOrigin

export type FetchedTickets = Pick<
  ReviewRequest,
  'tickets' | 'discussion' | 'openTickets' | 'errors' | 'limits'
>

type Change = Pick<ReviewRequest, 'title' | 'body' | 'head' | 'discussion' | 'messages' | 'changeRequest'>
type Bounds = {
  /** For the host of the change. */
  seconds: number
  environment: NodeJS.ProcessEnv
  signal: AbortSignal
  /** Of the operator's settings: repositories beside the reviewed one whose tickets may be read. */
  moreRepositories?: readonly string[]
  /** Null, or not given: none is asked. */
  trackers?: OpenedTrackers | null
  /** What changed files are called before the change, and in it; for the errors of production. */
  paths?: ReadonlyMap<string, string>
  /** The branch, where no origin names it. */
  branch?: string | null
}

const mostOpenTickets = 300

/**
 * Never throws: what cannot be fetched is named in `limits`. Each service has its whole time, side by side, so that a long
 * discussion costs no ticket. Without an origin only the trackers are asked.
 */
export async function fetchTickets(
  origin: TicketOrigin | null,
  change: Change,
  bounds: Bounds,
): Promise<FetchedTickets> {
  const { seconds, environment, signal, moreRepositories = [], trackers = null, paths = new Map() } = bounds
  const limits: string[] = [...(trackers?.limits ?? [])]
  const attempt = async <Value>(
    what: string,
    time: number,
    work: (inner: AbortSignal) => Promise<Value>,
  ): Promise<Value | null> => {
    try {
      return await withinSeconds(time, signal, work)
    } catch (error) {
      signal.throwIfAborted()
      limits.push(`${what} could not be fetched: ${error instanceof Error ? error.message : String(error)}`)
      return null
    }
  }
  const host =
    origin === null || origin.kind === 'text' ? null : openIssues(origin, environment, moreRepositories)
  const sources = [
    ...(host ? [{ source: host.tickets, time: seconds, of: '' }] : []),
    ...(trackers?.tickets ?? []).map((source) => ({
      source,
      time: trackers?.seconds ?? seconds,
      of: ` of ${source.name}`,
    })),
  ]
  const branch = origin === null || origin.kind === 'text' ? (bounds.branch ?? null) : origin.branch
  const linked = change.changeRequest?.linkedIssues
  const references =
    sources.length > 0
      ? findReferences({ ...change, branch, linked, numbers: host?.numbers ?? 'number' })
      : []
  // What the operator's settings name goes before the host of the change: a number may be of either.
  const inTurn = [...(trackers?.tickets ?? []), ...(host ? [host.tickets] : [])]
  const asked = shareOut(references, inTurn)
  const refused = asked.refused.filter(({ isGuess }) => isGuess !== true)
  limits.push(...refused.map((reference) => refusalOf(reference, trackers !== null)))
  const { commit } = change.head
  const errorSource = trackers?.errors ?? null
  const [found, discussion, open, errors] = await Promise.all([
    Promise.all(
      sources.map(({ source, time, of }) => {
        const tickets: Ticket[] = []
        const find = attempt(`some tickets${of}`, time, async (inner) => {
          for (const reference of asked.of.get(source) ?? []) {
            const ticket = await findInTurn(inTurn, reference, inner)
            if (ticket) tickets.push(ticket)
            else limits.push(`the ticket ${named(reference)} could not be found`)
          }
        })
        return find.then(() => tickets)
      }),
    ),
    // A source that knows its change request has read what was said of it.
    commit === null || change.discussion || !host?.discussion
      ? null
      : attempt(
          'the discussion',
          seconds,
          (inner) => host.discussion?.readDiscussion(commit, inner) ?? Promise.resolve(null),
        ),
    Promise.all(
      sources.map(({ source, time, of }) =>
        attempt(`the list of open tickets${of}`, time, (inner) => source.listOpen(mostOpenTickets, inner)),
      ),
    ),
    errorSource === null || paths.size === 0
      ? null
      : attempt(`errors of ${errorSource.name}`, trackers?.seconds ?? seconds, (inner) =>
          errorSource.through(paths, inner),
        ),
  ])
  const openTickets = open.flatMap((list) => list ?? [])
  const given = origin?.kind === 'text' ? [ticketFromText(origin.text, origin.name)] : []
  return {
    ...(origin !== null || sources.length > 0 ? { tickets: [...given, ...found.flat()] } : {}),
    ...(discussion ? { discussion: [...discussion] } : {}),
    ...(open.some((list) => list !== null) ? { openTickets } : {}),
    ...(errors ? { errors: [...errors] } : {}),
    limits: limits.sort(),
  }
}

/**
 * Which source is asked for which ticket: the first that may read it. Who writes a commit message must not choose what the
 * operator's tokens read, so what none may read is refused in words.
 */
function shareOut(
  references: readonly TicketReference[],
  sources: readonly TicketSource[],
): { of: ReadonlyMap<TicketSource, TicketReference[]>; refused: TicketReference[] } {
  const of = new Map<TicketSource, TicketReference[]>(sources.map((source) => [source, []]))
  const refused: TicketReference[] = []
  for (const reference of references) {
    const source = sources.find((one) => one.mayRead(reference))
    if (source) of.get(source)?.push(reference)
    else refused.push(reference)
  }
  return { of, refused }
}

/** Of those that may read it, the first that has it. */
async function findInTurn(
  sources: readonly TicketSource[],
  reference: TicketReference,
  signal: AbortSignal,
): Promise<Ticket | null> {
  for (const source of sources) {
    const ticket = source.mayRead(reference) ? await source.find(reference, signal) : null
    if (ticket) return ticket
  }
  return null
}

function named(reference: TicketReference): string {
  return `${referenceName(reference)} (${reference.linkedBy})`
}

function refusalOf(reference: TicketReference, hasTrackers: boolean): string {
  const { kind, repository } = reference
  if (kind === 'key' && !hasTrackers) return `the ticket ${named(reference)} could not be found`
  const place = `the ticket ${named(reference)} was not fetched`
  if (kind !== 'number') return `${place}: no tracker in your settings has its project`
  if (repository === null) return `${place}: the issues of this repository are not known here`
  return `${place}: it belongs to another repository (to allow this, add it to \`tickets.repositories\` in your settings)`
}
