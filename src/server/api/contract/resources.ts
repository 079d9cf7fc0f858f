/**
 * Every resource of the API, once: its address, who may use it, and the shapes that go in and out. The routes, the OpenAPI
 * document and the tests are all made of this list; the dashboard takes its types from it.
 */
import { z } from 'zod'
import * as changeRequests from './changes.ts'
import { largestBody, PageQuery, type RouteRules, rates, readOnly } from './common.ts'
import * as conversation from './conversation.ts'
import * as operation from './operation.ts'
import * as runs from './runs.ts'
import * as trends from './trends.ts'

export type Resource = RouteRules & {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `apiBase`; parts in braces are parameters. */
  path: string
  summary: string
  query?: z.ZodObject
  body?: z.ZodType
  answer: z.ZodType
  /** It answers with server-sent events of this shape. */
  isStream?: boolean
}

const reads = { scope: 'read', tenant: 'caller', audit: readOnly, bodyBytes: 0, rate: rates.read } as const
const changes = { scope: 'admin', tenant: 'caller', bodyBytes: 0, rate: rates.change } as const
const forAnybody = { scope: 'public', tenant: 'none', rate: rates.anybody } as const
const ofOperator = { scope: 'operator', tenant: 'proven' } as const

export const resources = {
  session: get('/session', 'Who is signed in, and what they may do', operation.Session),
  providers: {
    ...get('/session/providers', 'How to sign in', operation.SignInProviders),
    ...forAnybody,
  },
  beginLocalSession: {
    ...change(
      'POST',
      '/session/local',
      'Sign in with the token that `sightline ui` printed, or an API token',
      operation.Session,
      'session.begin',
    ),
    ...takes(operation.LocalToken),
    scope: 'signed',
    tenant: 'proven',
    rate: rates.signIn,
  },
  changeSession: {
    ...change('PATCH', '/session', 'Show another tenant', operation.Session, 'session.switch'),
    ...takes(operation.SessionChange),
    scope: 'read',
  },
  endSession: { ...change('DELETE', '/session', 'Sign out', operation.Done, 'session.end'), scope: 'read' },
  sessions: {
    ...get('/sessions', 'Who is signed in', operation.SignedInPage),
    query: PageQuery,
    scope: 'admin',
  },
  revokeSession: change('DELETE', '/sessions/{id}', 'Sign somebody out', operation.Done, 'session.revoke'),
  reviews: {
    ...get('/reviews', 'What asked for reviews, newest first, and how each ended', operation.ReviewPage),
    query: PageQuery,
  },
  review: get('/reviews/{review}', 'One of them', operation.ReviewItem),
  changes: {
    ...get('/changes', 'Change requests, the last reviewed first', changeRequests.ChangePage),
    query: runs.RunsQuery,
  },
  change: {
    ...get(
      '/change',
      'One change request: its reviews, findings through time, cost',
      changeRequests.ChangeDetail,
    ),
    query: changeRequests.ChangeQuery,
  },
  runs: { ...get('/runs', 'List runs, newest first', runs.RunPage), query: runs.RunsQuery },
  facets: get('/runs/facets', 'Names that runs can be filtered by', runs.RunFacets),
  run: get('/runs/{run}', 'One run: its result and its stages', runs.RunDetail),
  findings: get('/runs/{run}/findings', 'Findings of a run', runs.RunFindings),
  candidates: get('/runs/{run}/candidates', 'What became of every candidate', runs.RunCandidates),
  diff: { ...get('/runs/{run}/diff', 'The change as a diff', runs.RunDiff), query: runs.DiffQuery },
  evidence: { ...get('/runs/{run}/evidence', 'Evidence of a run', runs.EvidencePage), query: PageQuery },
  coverage: get('/runs/{run}/coverage', 'What was reviewed, and what was not', runs.RunCoverage),
  cost: get('/runs/{run}/cost', 'What a run cost', runs.RunCostAccount),
  timeline: get('/runs/{run}/timeline', 'What happened when', runs.RunTimeline),
  spans: get('/runs/{run}/spans', 'The run as exported spans', runs.RunSpans),
  call: get('/runs/{run}/calls/{call}', 'One call: prompt and answer as they were sent', runs.RunCall),
  retrieval: get('/runs/{run}/retrieval', 'What each way of searching found', runs.RunRetrieval),
  conversation: get(
    '/runs/{run}/conversation',
    'The last conversation about a review',
    conversation.Conversation,
  ),
  ask: {
    ...stream(
      change('POST', '/runs/{run}/ask', 'Ask a question about a review', conversation.AskEvent, 'run.ask'),
    ),
    ...takes(conversation.AskRequest),
    scope: 'review',
  },
  replay: {
    ...stream(change('POST', '/runs/{run}/replay', 'Repeat a run', conversation.ReplayEvent, 'run.replay')),
    ...takes(conversation.ReplayRequest),
    scope: 'review',
  },
  compare: get('/compare/{before}/{after}', 'Compare two runs, finding by finding', runs.RunComparison),
  queue: get('/queue', 'What runs and waits', operation.QueueState),
  queueEvents: stream(get('/queue/events', 'The queue, live', operation.QueueEvent)),
  trends: { ...get('/trends', 'How reviews do over time', trends.Trends), query: trends.TrendsQuery },
  policy: {
    ...get('/policy', 'Effective configuration', operation.PolicyView),
    query: operation.PolicyQuery,
  },
  memory: { ...get('/memory', 'What is remembered', operation.MemoryPage), query: PageQuery },
  audit: { ...get('/audit', 'Who changed what', operation.AuditPage), query: PageQuery, scope: 'admin' },
  repositories: {
    ...get('/repositories', 'Repositories', operation.RepositoryPage),
    query: operation.RepositoriesQuery,
  },
  changeRepository: {
    ...change(
      'PATCH',
      '/repositories/{connection}/{id}',
      'Turn reviews on or off',
      operation.RepositoryItem,
      'repository.update',
    ),
    ...takes(operation.RepositoryChange),
  },
  installations: {
    ...get('/installations', 'Connected accounts', operation.InstallationPage),
    query: PageQuery,
  },
  tokens: { ...get('/tokens', 'API tokens', operation.TokenPage), query: PageQuery, scope: 'admin' },
  makeToken: {
    ...change('POST', '/tokens', 'Make an API token', operation.NewToken, 'token.create'),
    ...takes(operation.TokenRequest),
  },
  endToken: change('DELETE', '/tokens/{id}', 'Revoke an API token', operation.Done, 'token.revoke'),
  workspace: get(
    '/workspace',
    'Which repositories belong together, and who provides what to whom',
    operation.WorkspaceGraph,
  ),
  health: get('/health', 'Whether all parts work', operation.Health),
  openapi: {
    ...get('/openapi.json', 'This document', z.record(z.string(), z.unknown())),
    ...forAnybody,
  },
  operatorTenants: {
    ...get('/operator/tenants', 'All tenants of the server', operation.TenantList),
    ...ofOperator,
  },
  operatorAudit: {
    ...get('/operator/audit', 'What was changed for no tenant in particular', operation.AuditPage),
    ...ofOperator,
    query: PageQuery,
  },
  operatorMakeToken: {
    ...change(
      'POST',
      '/operator/tokens',
      'Make a token of a tenant',
      operation.OperatorToken,
      'token.create',
    ),
    ...takes(operation.OperatorTokenRequest),
    ...ofOperator,
  },
  operatorEndTokens: {
    ...change(
      'DELETE',
      '/operator/tokens/{tenant}',
      'Revoke all tokens of a tenant',
      operation.RevokedTokens,
      'token.revoke',
    ),
    ...ofOperator,
  },
} as const satisfies Record<string, Resource>

export type ResourceName = keyof typeof resources
export type QueryOf<Name extends ResourceName> = (typeof resources)[Name] extends {
  query: infer Q extends z.ZodType
}
  ? z.infer<Q>
  : Record<never, never>
export type BodyOf<Name extends ResourceName> = (typeof resources)[Name] extends {
  body: infer B extends z.ZodType
}
  ? z.infer<B>
  : null
export type AnswerOf<Name extends ResourceName> = z.infer<(typeof resources)[Name]['answer']>

function get<const Path extends string, Answer extends z.ZodType>(
  path: Path,
  summary: string,
  answer: Answer,
) {
  return { method: 'GET', path, summary, answer, ...reads } as const
}

function change<
  const Method extends 'POST' | 'PATCH' | 'DELETE',
  const Path extends string,
  Answer extends z.ZodType,
>(method: Method, path: Path, summary: string, answer: Answer, audit: `${string}.${string}`) {
  return { method, path, summary, answer, audit, ...changes } as const
}

function takes<Body extends z.ZodType>(body: Body) {
  return { body, bodyBytes: largestBody } as const
}

function stream<const R extends Resource>(resource: R) {
  return { ...resource, isStream: true } as const
}
