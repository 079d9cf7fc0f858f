/** Jira Cloud over its REST API, version 3. Descriptions come as documents, see `document-text.ts`. */
import { z } from 'zod'
import type { Ticket, TicketLine } from '../../domain/ticket.ts'
import type { TicketReference, TicketSource } from '../tickets/contract.ts'
import { isKeyOf } from '../tickets/references.ts'
import { cutOf, mostBodyLength, parseCriteria } from '../tickets/ticket-text.ts'
import { openTracker, type TrackerAccess } from './client.ts'
import { documentText } from './document-text.ts'

export type JiraOptions = TrackerAccess & {
  /** Keys of the projects that may be read: `PAY`. */
  projects: readonly string[]
  /** A field that holds acceptance criteria beside the description: `customfield_10031`. */
  criteriaField: string | null
}

const Issue = z.object({
  key: z.string(),
  fields: z.looseObject({
    summary: z.string(),
    description: z.unknown().optional(),
    labels: z.array(z.string()).default([]),
    status: z.object({ statusCategory: z.object({ key: z.string() }).optional() }).nullish(),
  }),
})
type Issue = z.infer<typeof Issue>

const Page = z.object({ issues: z.array(Issue).default([]), nextPageToken: z.string().nullish() })

/** The most that a page of Jira has when fields are asked for. */
const perPage = 100
const mostPages = 5

export function createJira(options: JiraOptions): TicketSource {
  const { projects, criteriaField } = options
  const jira = openTracker(options)
  const mayRead = (reference: TicketReference) =>
    reference.kind === 'key' && isKeyOf(reference.name, projects)
  return {
    name: 'Jira',
    mayRead,
    async find(reference, signal) {
      if (!mayRead(reference)) return null
      const fields = ['summary', 'description', 'status', 'labels', ...(criteriaField ? [criteriaField] : [])]
      const path = `/rest/api/3/issue/${encodeURIComponent(reference.name)}`
      const answer = await jira.get(path, { fields: fields.join(',') }, signal)
      if (answer === null) return null
      const issue = Issue.parse(answer)
      // An issue that was moved answers to its old key.
      return isKeyOf(issue.key, projects) ? ticketOf(issue, reference.linkedBy, criteriaField) : null
    },
    async listOpen(limit, signal) {
      const jql = `project in (${projects.map((key) => `"${key}"`).join(', ')}) AND statusCategory != Done ORDER BY updated DESC`
      const lines: TicketLine[] = []
      let token: string | null = null
      for (let page = 0; page < mostPages && lines.length < limit; page++) {
        const query = {
          jql,
          fields: 'summary,labels',
          maxResults: String(Math.min(perPage, limit - lines.length)),
          ...(token === null ? {} : { nextPageToken: token }),
        }
        const { issues, nextPageToken }: z.infer<typeof Page> = Page.parse(
          (await jira.get('/rest/api/3/search/jql', query, signal)) ?? {},
        )
        for (const { key, fields } of issues)
          if (isKeyOf(key, projects))
            lines.push({ id: `jira:${key}`, title: fields.summary.slice(0, 300), labels: fields.labels })
        if (!nextPageToken) break
        token = nextPageToken
      }
      return lines.slice(0, limit)
    },
  }
}

function ticketOf({ key, fields }: Issue, linkedBy: string, criteriaField: string | null): Ticket {
  const criteria = criteriaField === null ? '' : documentText(fields[criteriaField])
  const body = [
    documentText(fields.description),
    ...(criteria === '' ? [] : ['## Acceptance criteria', criteria]),
  ].join('\n\n')
  const category = fields.status?.statusCategory?.key
  return {
    id: `jira:${key}`,
    title: fields.summary.slice(0, 300),
    body: body.slice(0, mostBodyLength),
    state: category === undefined ? 'unknown' : category === 'done' ? 'closed' : 'open',
    labels: fields.labels.toSorted(),
    linkedBy,
    criteria: parseCriteria(body),
    cut: cutOf(body),
  }
}
