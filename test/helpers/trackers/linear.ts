/**
 * Linear's GraphQL API, as far as issues are read. Queries are checked by the reference implementation of GraphQL with
 * Linear's own type, field and argument names; refusals have Linear's codes.
 */
import { buildSchema, graphql, parse, validate } from 'graphql'
import { startStandIn } from './server.ts'

const schema = buildSchema(`
  scalar DateTime
  input StringComparator { eq: String neq: String in: [String!] nin: [String!] eqIgnoreCase: String contains: String startsWith: String }
  input TeamFilter { key: StringComparator name: StringComparator and: [TeamFilter!] or: [TeamFilter!] }
  input WorkflowStateFilter { name: StringComparator type: StringComparator and: [WorkflowStateFilter!] or: [WorkflowStateFilter!] }
  input IssueFilter { team: TeamFilter state: WorkflowStateFilter title: StringComparator and: [IssueFilter!] or: [IssueFilter!] }
  enum PaginationOrderBy { createdAt updatedAt }
  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  type Team { id: ID! key: String! name: String! }
  type WorkflowState { id: ID! name: String! type: String! }
  type IssueLabel { id: ID! name: String! }
  type IssueLabelConnection { nodes: [IssueLabel!]! pageInfo: PageInfo! }
  type Issue {
    id: ID! identifier: String! number: Float! title: String! description: String url: String! branchName: String!
    state: WorkflowState! team: Team! archivedAt: DateTime trashed: Boolean
    labels(after: String, before: String, first: Int, includeArchived: Boolean, last: Int, orderBy: PaginationOrderBy): IssueLabelConnection!
  }
  type IssueConnection { nodes: [Issue!]! pageInfo: PageInfo! }
  type Query {
    issue(id: String!): Issue!
    issues(after: String, before: String, filter: IssueFilter, first: Int, includeArchived: Boolean, last: Int, orderBy: PaginationOrderBy): IssueConnection!
  }
  type Mutation { issueArchive(id: String!): Boolean! }
`)

export type LinearIssue = {
  identifier: string
  title: string
  description: string | null
  state?: 'triage' | 'backlog' | 'unstarted' | 'started' | 'completed' | 'canceled' | 'duplicate'
  labels?: string[]
  /** Names that it had in other teams. */
  formerly?: string[]
}

export const linearKey = 'lin_api_onlyForTests'
export const linearOauth = 'lin_oauth_onlyForTests'

type Filter = { team?: { key?: { in?: string[] } }; state?: { type?: { nin?: string[] } } }

export async function startLinear(issues: readonly LinearIssue[]) {
  const refuse = (status: number, code: string, message: string) => ({
    status,
    body: { errors: [{ message, extensions: { type: code.toLowerCase(), code } }] },
  })
  return await startStandIn(async ({ method, url, headers, body }) => {
    // A key of a person goes without "Bearer", a token of OAuth with it.
    if (![linearKey, `Bearer ${linearOauth}`].includes(headers.authorization ?? ''))
      throw refuse(401, 'AUTHENTICATION_ERROR', 'Authentication required, not authenticated')
    if (method !== 'POST' || url.pathname !== '/' || headers['content-type'] !== 'application/json')
      throw refuse(400, 'GRAPHQL_VALIDATION_FAILED', 'POST JSON to /graphql')
    const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> }
    const faults = validate(schema, parse(query))
    if (faults.length > 0) throw refuse(400, 'GRAPHQL_VALIDATION_FAILED', faults.map(String).join('\n'))
    const result = await graphql({
      schema,
      source: query,
      variableValues: variables ?? {},
      rootValue: root(issues),
    })
    if (!result.errors) return { status: 200, body: result }
    if (!result.errors.every(({ message }) => message.startsWith('Entity not found')))
      throw refuse(400, 'GRAPHQL_VALIDATION_FAILED', result.errors.map(String).join('\n'))
    const errors = result.errors.map(({ message, path }) => ({
      message,
      path,
      extensions: { type: 'invalid input', code: 'INPUT_ERROR', userError: true },
    }))
    return { status: 200, body: { data: null, errors } }
  })
}

function root(issues: readonly LinearIssue[]) {
  return {
    issue({ id }: { id: string }) {
      const issue = issues.find(({ identifier, formerly }) => identifier === id || formerly?.includes(id))
      if (!issue) throw new Error('Entity not found: Issue')
      return nodeOf(issue)
    },
    issues({
      filter = {},
      first = 50,
      after = null,
    }: {
      filter?: Filter
      first?: number
      after?: string | null
    }) {
      if (first < 1 || first > 250) throw new Error('first is out of bounds')
      const teams = filter.team?.key?.in ?? []
      const closed = filter.state?.type?.nin ?? []
      const found = issues.filter(
        ({ identifier, state = 'started' }) =>
          teams.includes(identifier.split('-')[0] ?? '') && !closed.includes(state),
      )
      const from = after === null ? 0 : found.findIndex(({ identifier }) => identifier === after) + 1
      const nodes = found.slice(from, from + Math.min(first, 2))
      const hasNextPage = from + nodes.length < found.length
      const pageInfo = { hasNextPage, hasPreviousPage: from > 0, endCursor: nodes.at(-1)?.identifier ?? null }
      return { nodes: nodes.map(nodeOf), pageInfo }
    },
  }
}

function nodeOf({ identifier, title, description, state = 'started', labels = [] }: LinearIssue) {
  const [key = '', number = '0'] = identifier.split('-')
  return {
    id: identifier,
    identifier,
    number: Number(number),
    title,
    description,
    url: `https://linear.app/acme/issue/${identifier}`,
    branchName: identifier.toLowerCase(),
    state: { id: state, name: state, type: state },
    team: { id: key, key, name: key },
    labels: {
      nodes: labels.map((name) => ({ id: name, name })),
      pageInfo: { hasNextPage: false, hasPreviousPage: false },
    },
  }
}
