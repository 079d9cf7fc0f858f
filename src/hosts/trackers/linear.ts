/** Linear over its GraphQL API. Descriptions are Markdown. */
import { z } from 'zod'
import type { TicketLine } from '../../domain/ticket.ts'
import type { TicketReference, TicketSource } from '../tickets/contract.ts'
import { isKeyOf } from '../tickets/references.ts'
import { cutOf, mostBodyLength, parseCriteria } from '../tickets/ticket-text.ts'
import { openTracker, type TrackerAccess } from './client.ts'

export type LinearOptions = TrackerAccess & {
  /** Keys of the teams whose issues may be read: `ENG`. */
  teams: readonly string[]
}

const issueQuery = `query Issue($id: String!) {
  issue(id: $id) { identifier title description state { type } labels(first: 20) { nodes { name } } team { key } }
}`

const openQuery = `query OpenIssues($filter: IssueFilter!, $first: Int!, $after: String) {
  issues(filter: $filter, first: $first, after: $after, orderBy: updatedAt) {
    nodes { identifier title labels(first: 20) { nodes { name } } }
    pageInfo { hasNextPage endCursor }
  }
}`

const Labels = z.object({ nodes: z.array(z.object({ name: z.string() })) })

const Issue = z.object({
  identifier: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.object({ type: z.string() }),
  labels: Labels,
  team: z.object({ key: z.string() }),
})

const Issues = z.object({
  nodes: z.array(z.object({ identifier: z.string(), title: z.string(), labels: Labels })),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
})

const Answer = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(z.object({ extensions: z.looseObject({ code: z.string().optional() }).optional() }))
    .optional(),
})

/** Types of states in which an issue needs nothing more. */
const closedTypes = ['completed', 'canceled', 'duplicate']
const perPage = 100

export function createLinear(options: LinearOptions): TicketSource {
  const { teams } = options
  const linear = openTracker(options)
  const ask = async (query: string, variables: object, signal: AbortSignal) => {
    const answer = Answer.parse(await linear.ask('', { query, variables }, signal))
    const codes = (answer.errors ?? []).map(({ extensions }) => extensions?.code ?? 'an error')
    // An issue that does not exist is an error of the input, and no other input of ours can be wrong.
    if (codes.length > 0 && codes.every((code) => code === 'INPUT_ERROR')) return null
    if (codes.length > 0) throw new Error(`Linear answered with ${codes[0]?.slice(0, 60)}`)
    return answer.data ?? null
  }
  const mayRead = (reference: TicketReference) => reference.kind === 'key' && isKeyOf(reference.name, teams)
  return {
    name: 'Linear',
    mayRead,
    async find(reference, signal) {
      if (!mayRead(reference)) return null
      const data = await ask(issueQuery, { id: reference.name }, signal)
      if (!data?.issue) return null
      const { identifier, title, description, state, labels, team } = Issue.parse(data.issue)
      // An issue that was moved to another team answers to its old name.
      if (!isKeyOf(`${team.key}-1`, teams)) return null
      const body = description ?? ''
      return {
        id: `linear:${identifier}`,
        title: title.slice(0, 300),
        body: body.slice(0, mostBodyLength),
        state: closedTypes.includes(state.type) ? 'closed' : 'open',
        labels: namesOf(labels),
        linkedBy: reference.linkedBy,
        criteria: parseCriteria(body),
        cut: cutOf(body),
      }
    },
    async listOpen(limit, signal) {
      const lines: TicketLine[] = []
      const filter = { team: { key: { in: teams } }, state: { type: { nin: closedTypes } } }
      let after: string | null = null
      while (lines.length < limit) {
        const first = Math.min(perPage, limit - lines.length)
        const data = await ask(openQuery, { filter, first, after }, signal)
        if (!data) break
        const { nodes, pageInfo }: z.infer<typeof Issues> = Issues.parse(data.issues)
        for (const { identifier, title, labels } of nodes)
          lines.push({ id: `linear:${identifier}`, title: title.slice(0, 300), labels: namesOf(labels) })
        if (!pageInfo.hasNextPage || !pageInfo.endCursor || nodes.length === 0) break
        after = pageInfo.endCursor
      }
      return lines.slice(0, limit)
    },
  }
}

function namesOf({ nodes }: z.infer<typeof Labels>): string[] {
  return nodes.map(({ name }) => name).sort()
}
