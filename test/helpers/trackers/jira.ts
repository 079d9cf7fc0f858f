/** Jira Cloud's REST API, version 3, as far as tickets are read: basic and bearer tokens, fields, JQL in pages. */
import { type Asked, demandQuery, type Said, startStandIn } from './server.ts'

export type JiraIssue = {
  key: string
  summary: string
  description: unknown
  labels?: string[]
  category?: 'new' | 'indeterminate' | 'done'
  more?: Record<string, unknown>
  /** Keys that it had before it was moved. */
  formerly?: string[]
}

export const jiraUser = 'bot@acme.test'
export const jiraToken = 'jira-token-only-for-tests'

const accepted = [
  `Basic ${Buffer.from(`${jiraUser}:${jiraToken}`).toString('base64')}`,
  `Bearer ${jiraToken}`,
]

export async function startJira(issues: readonly JiraIssue[]) {
  return await startStandIn((asked) => {
    const { method, url, headers } = asked
    if (!accepted.includes(headers.authorization ?? ''))
      throw {
        status: 401,
        body: { errorMessages: ['Client must be authenticated to access this resource.'] },
      }
    if (method !== 'GET') throw { status: 403, body: { errorMessages: ['This token may only read.'] } }
    if (url.pathname === '/rest/api/3/search/jql') return search(asked, issues)
    const key = /^\/rest\/api\/3\/issue\/([^/]+)$/.exec(decodeURIComponent(url.pathname))?.[1]
    if (key === undefined) return { status: 404, body: { errorMessages: ['no such resource'] } }
    demandQuery(url, { fields: /^[a-z_0-9]+(?:,[a-z_0-9]+)*$/ })
    const issue = issues.find((one) => one.key === key || one.formerly?.includes(key))
    return issue ? { status: 200, body: shown(issue, url) } : missing
  })
}

const missing: Said = {
  status: 404,
  body: { errorMessages: ['Issue does not exist or you do not have permission to see it.'], errors: {} },
}

/** The one form of query that a list of open issues takes; the old search was removed from the API. */
const openJql =
  /^project in \(("[A-Z][A-Z0-9_]*"(?:, "[A-Z][A-Z0-9_]*")*)\) AND statusCategory != Done ORDER BY updated DESC$/i

function search({ url }: Asked, issues: readonly JiraIssue[]): Said {
  demandQuery(url, {
    jql: openJql,
    fields: /^[a-z_0-9,]+$/,
    maxResults: /^(?:[1-9]\d?|100)$/,
    nextPageToken: /^after-\d+$/,
  })
  const projects = [...(openJql.exec(url.searchParams.get('jql') ?? '')?.[1] ?? '').matchAll(/"(\w+)"/g)].map(
    ([, key]) => key,
  )
  const open = issues.filter(
    ({ key, category }) => category !== 'done' && projects.includes(key.split('-')[0]),
  )
  const from = Number(/\d+/.exec(url.searchParams.get('nextPageToken') ?? '')?.[0] ?? 0)
  // Jira gives fewer than it was asked for when it likes.
  const size = Math.min(Number(url.searchParams.get('maxResults') ?? 50), 2)
  const last = from + size >= open.length
  return {
    status: 200,
    body: {
      issues: open.slice(from, from + size).map((issue) => shown(issue, url)),
      isLast: last,
      ...(last ? {} : { nextPageToken: `after-${from + size}` }),
    },
  }
}

function shown({ key, summary, description, labels = [], category = 'new', more = {} }: JiraIssue, url: URL) {
  const all: Record<string, unknown> = {
    summary,
    description,
    labels,
    status: { name: category, statusCategory: { id: 2, key: category } },
    ...more,
  }
  const wanted = (url.searchParams.get('fields') ?? '').split(',')
  return {
    id: '10001',
    key,
    self: `https://acme.atlassian.net/rest/api/3/issue/10001`,
    fields: Object.fromEntries(wanted.flatMap((name) => (name in all ? [[name, all[name]]] : []))),
  }
}
