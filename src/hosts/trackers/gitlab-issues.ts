/** Issues of GitLab projects over the REST API, version 4. */
import { z } from 'zod'
import { isSameRepository } from '../../domain/repository-name.ts'
import type { TicketLine } from '../../domain/ticket.ts'
import type { TicketReference, TicketSource } from '../tickets/contract.ts'
import { cutOf, mostBodyLength, parseCriteria } from '../tickets/ticket-text.ts'
import { openTracker, type TrackerAccess } from './client.ts'

export type GitLabIssueOptions = TrackerAccess & {
  /** `group/subgroup/name` of the project under review. */
  project: string
  /** Further ones whose issues may be read, named by the operator. */
  moreProjects: readonly string[]
}

const Issue = z.object({
  iid: z.number(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.string(),
  labels: z.array(z.string()).default([]),
})

/** Enough for any limit of ours. */
const mostPages = 5

export function createGitLabIssues(options: GitLabIssueOptions): TicketSource {
  const { project, moreProjects } = options
  const gitlab = openTracker(options)
  const readable = [project, ...moreProjects]
  // As the operator writes it: one ticket has one id, however a change spells it.
  const placeOf = ({ kind, repository }: TicketReference): string | undefined =>
    kind === 'number'
      ? readable.find((name) => repository === null || isSameRepository(name, repository))
      : undefined
  const issuesOf = (name: string) => `/projects/${encodeURIComponent(name)}/issues`
  return {
    name: `GitLab issues of ${project}`,
    mayRead: (reference) => placeOf(reference) !== undefined,
    async find(reference, signal) {
      const place = placeOf(reference)
      if (place === undefined) return null
      const answer = await gitlab.get(`${issuesOf(place)}/${encodeURIComponent(reference.name)}`, {}, signal)
      if (answer === null) return null
      const { iid, title, description, state, labels } = Issue.parse(answer)
      const body = description ?? ''
      return {
        id: `gitlab:${place}#${iid}`,
        title: title.slice(0, 300),
        body: body.slice(0, mostBodyLength),
        state: state === 'opened' ? 'open' : 'closed',
        labels: labels.toSorted(),
        linkedBy: reference.linkedBy,
        criteria: parseCriteria(body),
        cut: cutOf(body),
      }
    },
    async listOpen(limit, signal) {
      const lines: TicketLine[] = []
      const newest = { query: { state: 'opened', order_by: 'updated_at' }, pages: mostPages }
      for await (const element of gitlab.list(issuesOf(project), newest, signal)) {
        const { iid, title, labels } = Issue.parse(element)
        lines.push({ id: `gitlab:${project}#${iid}`, title: title.slice(0, 300), labels })
        if (lines.length === limit) break
      }
      return lines
    },
  }
}
