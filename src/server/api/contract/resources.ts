/**
 * Every resource of the API, once: its address, who may use it, and the shapes that go in and out. The routes, the OpenAPI
 * document and the tests are all made of this list; the dashboard takes its types from it.
 */
import type { z } from 'zod'
import { PageQuery } from './common.ts'
import * as conversation from './conversation.ts'
import * as operation from './operation.ts'
import * as runs from './runs.ts'
import * as trends from './trends.ts'

export type Resource = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `apiBase`; parts in braces are parameters. */
  path: string
  summary: string
  /** `public`: without signing in. */
  scope: 'public' | operation.TokenScope
  query?: z.ZodObject
  body?: z.ZodType
  answer: z.ZodType
  /** It answers with server-sent events of this shape. */
  isStream?: boolean
}

export const resources = {
  session: get('/session', 'Who is signed in, and what they may do', operation.Session),
  providers: { ...get('/session/providers', 'How to sign in', operation.SignInProviders), scope: 'public' },
  beginLocalSession: {
    ...change(
      'POST',
      '/session/local',
      'Sign in with the token that `sightline ui` printed, or an API token',
      operation.Session,
    ),
    scope: 'public',
    body: operation.LocalToken,
  },
  changeSession: {
    ...change('PATCH', '/session', 'Show another tenant', operation.Session),
    scope: 'read',
    body: operation.SessionChange,
  },
  endSession: { ...change('DELETE', '/session', 'Sign out', operation.Done), scope: 'read' },
  sessions: {
    ...get('/sessions', 'Who is signed in', operation.SignedInPage),
    query: PageQuery,
    scope: 'admin',
  },
  revokeSession: change('DELETE', '/sessions/{id}', 'Sign somebody out', operation.Done),
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
    ...stream(change('POST', '/runs/{run}/ask', 'Ask a question about a review', conversation.AskEvent)),
    scope: 'review',
    body: conversation.AskRequest,
  },
  replay: {
    ...stream(change('POST', '/runs/{run}/replay', 'Repeat a run', conversation.ReplayEvent)),
    scope: 'review',
    body: conversation.ReplayRequest,
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
    ...change('PATCH', '/repositories/{connection}/{id}', 'Turn reviews on or off', operation.RepositoryItem),
    body: operation.RepositoryChange,
  },
  installations: {
    ...get('/installations', 'Connected accounts', operation.InstallationPage),
    query: PageQuery,
  },
  tokens: { ...get('/tokens', 'API tokens', operation.TokenPage), query: PageQuery, scope: 'admin' },
  makeToken: {
    ...change('POST', '/tokens', 'Make an API token', operation.NewToken),
    body: operation.TokenRequest,
  },
  endToken: change('DELETE', '/tokens/{id}', 'Revoke an API token', operation.Done),
  health: get('/health', 'Whether all parts work', operation.Health),
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
  return { method: 'GET', path, summary, scope: 'read', answer } as const
}

function change<
  const Method extends 'POST' | 'PATCH' | 'DELETE',
  const Path extends string,
  Answer extends z.ZodType,
>(method: Method, path: Path, summary: string, answer: Answer) {
  return { method, path, summary, scope: 'admin', answer } as const
}

function stream<const R extends Resource>(resource: R) {
  return { ...resource, isStream: true } as const
}
