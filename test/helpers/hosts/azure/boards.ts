/** Azure Boards, as far as work items are read. Requests and answers are compared with the published API. */
import type { ApiAnswer, ApiRequest } from '../engine/server.ts'
import { readApi } from '../openapi.ts'
import { Refusal } from './routes.ts'
import type { WorkItem } from './state.ts'

/** The true host takes the same paths without a project, and without a team. */
const published = readApi('boards', (definitions, operations) => {
  for (const [name, operation] of Object.entries(operations))
    operations[name.replace(/\/\{project\}(\/\{team\})?/, '')] = operation
  // Published as objects, and texts and numbers on the wire.
  const { properties } = definitions.WorkItem as { properties: { [name: string]: unknown } }
  properties.fields = { type: 'object' }
  // What is left out of a batch is null.
  const answer = operations['POST /{organization}/_apis/wit/workitemsbatch']?.answers['200']
  Object.assign(answer ?? {}, { items: { anyOf: [answer?.items, { type: 'null' }] } })
})

export function isOfBoards(path: string): boolean {
  return path.includes('/_apis/wit/')
}

export function answerBoards(
  request: ApiRequest,
  items: readonly WorkItem[],
  violations: string[],
): ApiAnswer {
  const operation = published.match(request.method, request.path)
  if (!operation) throw new Refusal(404, 'The resource cannot be found.')
  const { name, parameters } = operation
  for (const wrong of published.checkQuery(name, request.query)) violations.push(`${name}: query${wrong}`)
  if (request.method === 'POST') {
    const { wrong, unknown } = published.checkBody(name, request.body)
    for (const one of unknown) violations.push(`${name}: ${one}`)
    if (wrong.length > 0) throw new Refusal(400, wrong.join(', '))
  }
  const body = answerOf(request, items, parameters.id)
  const wrong = published.checkAnswer(name, 200, body)
  if (wrong.length > 0) violations.push(`The fake answers ${name} wrongly: ${wrong.join('; ')}`)
  return { status: 200, body: Array.isArray(body) ? { count: body.length, value: body } : body }
}

function answerOf({ path, query, body }: ApiRequest, items: readonly WorkItem[], id: string | undefined) {
  if (id !== undefined) return shown(find(items, Number(id)))
  if (path.endsWith('/wiql')) return search(items, (body as { query: string }).query, query.$top)
  const { ids, fields, errorPolicy } = body as { ids: number[]; fields?: string[]; errorPolicy?: string }
  if (ids.length === 0 || ids.length > 200) throw new Refusal(400, 'VS403474: between 1 and 200 ids')
  const isThere = (id: number) => items.some((item) => item.id === id && !item.isHidden)
  return ids.map((one) => (errorPolicy === 'omit' && !isThere(one) ? null : shown(find(items, one), fields)))
}

function find(items: readonly WorkItem[], id: number): WorkItem {
  const item = items.find((one) => one.id === id && !one.isHidden)
  if (item) return item
  const message = `TF401232: Work item ${id} does not exist, or you do not have permissions to read it.`
  throw new Refusal(404, message, 'WorkItemUnauthorizedAccessException')
}

const quoted = "'(?:[^']|'')*'"
const list = `\\((${quoted}(?:, ${quoted})*)\\)`
/** The one form of query that a list of open work items takes. */
const openWiql = new RegExp(
  `^SELECT \\[System\\.Id\\] FROM WorkItems WHERE \\[System\\.TeamProject\\] IN ${list} AND \\[System\\.State\\] NOT IN ${list} ORDER BY \\[System\\.ChangedDate\\] DESC$`,
)

function search(items: readonly WorkItem[], query: string, top: string | undefined) {
  const found = openWiql.exec(query)
  const most = Number(top ?? 20_000)
  if (!found || !(most >= 1 && most <= 20_000))
    throw new Refusal(400, `TF51006: The query is not valid: ${query}`)
  const [projects, closed] = found
    .slice(1)
    .map((values) =>
      [...values.matchAll(new RegExp(quoted, 'g'))].map(([value]) =>
        value.slice(1, -1).replaceAll("''", "'"),
      ),
    )
  // Also those that may not be read, which a query does not know.
  const open = items.filter(
    ({ project, state = 'New' }) => projects?.includes(project) && !closed?.includes(state),
  )
  return {
    ...{ queryType: 'flat', queryResultType: 'workItem', asOf: '2026-01-01T00:00:00Z' },
    columns: [{ referenceName: 'System.Id', name: 'ID', url: '' }],
    workItems: open.slice(0, most).map(({ id }) => ({ id, url: '' })),
  }
}

function shown(
  { id, project, title, state = 'New', tags, more, markdown }: WorkItem,
  wanted?: readonly string[],
) {
  const fields = {
    ...{ 'System.Id': id, 'System.TeamProject': project, 'System.Title': title, 'System.State': state },
    ...(tags === undefined ? {} : { 'System.Tags': tags }),
    ...more,
  }
  const formats = Object.fromEntries(
    Object.keys(more ?? {}).map((name) => [name, markdown?.includes(name) ? 'markdown' : 'html']),
  )
  return {
    ...{ id, rev: 1, url: '' },
    fields: wanted
      ? Object.fromEntries(Object.entries(fields).filter(([name]) => wanted.includes(name)))
      : fields,
    ...(wanted ? {} : { multilineFieldsFormat: formats }),
  }
}
