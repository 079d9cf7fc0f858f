/** Work items of Azure Boards over the REST API of Azure DevOps, version 7.1. Their texts are HTML, or Markdown since 2025. */
import { z } from 'zod'
import type { Ticket, TicketLine } from '../../domain/ticket.ts'
import { withQuery } from '../remote/api.ts'
import { headersFor, listOf, refusingSignIn } from '../remote/azure-requests.ts'
import type { TicketReference, TicketSource } from '../tickets/contract.ts'
import { cutOf, mostBodyLength, parseCriteria } from '../tickets/ticket-text.ts'
import { openTracker, type TrackerAccess } from './client.ts'
import { htmlText } from './html-text.ts'

/** `url`: of the organization or collection. */
export type AzureBoardsOptions = Omit<TrackerAccess, 'headers'> & {
  token: string
  /** Names of the projects whose work items may be read. */
  projects: readonly string[]
}

const Text = z.string().default('')

const WorkItem = z.object({
  id: z.int().positive(),
  fields: z.object({
    'System.Title': Text,
    'System.TeamProject': Text,
    'System.State': Text,
    'System.Tags': Text,
    'System.Description': Text,
    'Microsoft.VSTS.TCM.ReproSteps': Text,
    'Microsoft.VSTS.Common.AcceptanceCriteria': Text,
    /** Set where the state is one that completes. */
    'Microsoft.VSTS.Common.ClosedDate': z.string().nullish(),
  }),
  /** By names of fields: `html` or `markdown`. Servers that know no Markdown there do not say. */
  multilineFieldsFormat: z.record(z.string(), z.string()).default({}),
})
type WorkItem = z.infer<typeof WorkItem>
type Fields = WorkItem['fields']

const Found = z.object({ workItems: z.array(z.object({ id: z.int().positive() })).default([]) })

/** States of the processes that come with it, in which a work item needs nothing more. */
const closedStates = ['Closed', 'Completed', 'Done', 'Removed']
const perRequest = 200

export function createAzureBoards({ token, projects, ...access }: AzureBoardsOptions): TicketSource {
  const boards = openTracker({
    ...access,
    needs: 'the scope Work Items (Read)',
    headers: headersFor(token),
    fetch: refusingSignIn(access.fetch),
  })
  const organization = decodeURIComponent(access.url).replace(/\/$/, '').split('/').at(-1)
  const idOf = (id: number) => `azure:${organization}#${id}`
  const isReadable = ({ 'System.TeamProject': project }: Fields) =>
    projects.some((one) => one.toLowerCase() === project.toLowerCase())
  const mayRead = ({ kind }: TicketReference) => kind === 'work-item'
  return {
    name: access.name,
    mayRead,
    async find(reference, signal) {
      if (!mayRead(reference)) return null
      const path = `/_apis/wit/workitems/${encodeURIComponent(reference.name)}`
      const answer = await boards.get(path, {}, signal)
      if (answer === null) return null
      // A number says nothing of its project.
      const item = WorkItem.parse(answer)
      if (!isReadable(item.fields)) return null
      return { id: idOf(item.id), ...ticketOf(item), linkedBy: reference.linkedBy }
    },
    async listOpen(limit, signal) {
      const path = withQuery('/_apis/wit/wiql', { $top: limit })
      const answer = await boards.ask(path, { query: openQuery(projects) }, signal)
      const ids = Found.parse(answer ?? {}).workItems.map(({ id }) => id)
      const lines: TicketLine[] = []
      for (let from = 0; from < ids.length; from += perRequest) {
        const wanted = { ids: ids.slice(from, from + perRequest), fields: lineFields, errorPolicy: 'omit' }
        // What may not be read is null.
        const found = listOf(WorkItem.nullable()).parse(
          await boards.ask('/_apis/wit/workitemsbatch', wanted, signal),
        )
        for (const item of found)
          if (item && isReadable(item.fields)) lines.push({ id: idOf(item.id), ...lineOf(item.fields) })
      }
      return lines
    },
  }
}

const lineFields = ['System.Id', 'System.TeamProject', 'System.Title', 'System.Tags']

function openQuery(projects: readonly string[]): string {
  const listed = (values: readonly string[]) =>
    values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')
  return [
    'SELECT [System.Id] FROM WorkItems',
    `WHERE [System.TeamProject] IN (${listed(projects)}) AND [System.State] NOT IN (${listed(closedStates)})`,
    'ORDER BY [System.ChangedDate] DESC',
  ].join(' ')
}

function lineOf(fields: Fields): Pick<Ticket, 'title' | 'labels'> {
  const tags = fields['System.Tags'].split(';').map((tag) => tag.trim())
  return { title: fields['System.Title'].slice(0, 300), labels: tags.filter((tag) => tag !== '').sort() }
}

function ticketOf({ fields, multilineFieldsFormat }: WorkItem): Omit<Ticket, 'id' | 'linkedBy'> {
  const textOf = (name: (typeof textFields)[number]) =>
    multilineFieldsFormat[name]?.toLowerCase() === 'markdown' ? fields[name].trim() : htmlText(fields[name])
  const [description, steps, criteria] = textFields.map(textOf)
  const body = [description, steps, criteria ? `## Acceptance criteria\n\n${criteria}` : '']
    .filter(Boolean)
    .join('\n\n')
  const isClosed =
    Boolean(fields['Microsoft.VSTS.Common.ClosedDate']) || closedStates.includes(fields['System.State'])
  return {
    ...lineOf(fields),
    body: body.slice(0, mostBodyLength),
    state: isClosed ? 'closed' : 'open',
    criteria: parseCriteria(body),
    cut: cutOf(body),
  }
}

const textFields = [
  'System.Description',
  'Microsoft.VSTS.TCM.ReproSteps',
  'Microsoft.VSTS.Common.AcceptanceCriteria',
] as const
