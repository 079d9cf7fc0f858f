/** Sentry over its REST API: open issues whose stack runs through changed files, with the frames that do. */
import { z } from 'zod'
import { framesInChange, type ProductionError } from '../../domain/production-error.ts'
import { openTracker, type TrackerAccess, type TrackerClient } from './client.ts'
import type { ErrorSource } from './contract.ts'

export type SentryOptions = TrackerAccess & {
  organization: string
  /** Slugs of the projects that may be read: `api`. */
  projects: readonly string[]
  /** How far back events count. */
  days: number
}

const Issue = z.object({
  id: z.string().regex(/^\d{1,30}$/),
  shortId: z.string().regex(/^[A-Z0-9_-]{1,80}$/i),
  title: z.string(),
  level: z.string().default('error'),
  status: z.string(),
  /** Sentry counts in text. */
  count: z.coerce.number().int().nonnegative(),
  userCount: z.number().int().nonnegative().nullish(),
  lastSeen: z.string().nullish(),
  project: z.object({ slug: z.string() }),
})
type Issue = z.infer<typeof Issue>

const Frame = z.object({
  filename: z.string().nullish(),
  absPath: z.string().nullish(),
  module: z.string().nullish(),
  function: z.string().nullish(),
  lineNo: z.number().nullish(),
})
const Stack = z.object({ frames: z.array(Frame).nullish() }).nullish()
const Thrown = z.object({ values: z.array(z.object({ stacktrace: Stack })).nullish() }).nullish()
const Event = z.object({ entries: z.array(z.object({ type: z.string(), data: z.unknown() })).default([]) })

/** Files that are asked about, and issues whose stack is read; each is a request. */
const mostFiles = 10
const mostIssues = 10
const issuesAFile = 5

export function createSentry(options: SentryOptions): ErrorSource {
  const { organization, projects } = options
  const sentry = openTracker(options)
  const root = `/api/0/organizations/${encodeURIComponent(organization)}/issues`
  return {
    name: 'Sentry',
    async through(paths, signal) {
      const asked = [...paths.keys()].filter(isSearchable).slice(0, mostFiles)
      const lists = await Promise.all(
        asked.map((path) => issuesOf(sentry, `${root}/`, path, options, signal)),
      )
      const byId = new Map(lists.flat().map((issue) => [issue.id, issue]))
      const issues = [...byId.values()]
        .filter(({ project }) => projects.includes(project.slug))
        .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
        .slice(0, mostIssues)
      const errors = await Promise.all(
        issues.map(async (issue): Promise<ProductionError> => {
          const event = Event.parse(
            (await sentry.get(`${root}/${issue.id}/events/latest/`, {}, signal)) ?? {},
          )
          return errorOf(issue, framesInChange(stackOf(event), paths))
        }),
      )
      return errors.filter(({ frames }) => frames.length > 0)
    },
  }
}

/** A star is Sentry's own sign for any text, and a quote would end the text. */
function isSearchable(path: string): boolean {
  return !/["*\\\s]/.test(path)
}

async function issuesOf(
  sentry: TrackerClient,
  place: string,
  path: string,
  { projects, days }: SentryOptions,
  signal: AbortSignal,
): Promise<Issue[]> {
  // The folders above may have other names in production, and programs for the JVM have none.
  const end = path
    .split('/')
    .slice(isOfJvm(path) ? -1 : -2)
    .join('/')
  const query = {
    query: `is:unresolved project:[${projects.join(', ')}] stack.filename:"*${end}"`,
    // All projects that the token sees; the query narrows them.
    project: '-1',
    statsPeriod: `${days}d`,
    sort: 'freq',
    limit: String(issuesAFile),
  }
  return z.array(Issue).parse((await sentry.get(place, query, signal)) ?? [])
}

/** Of all exceptions of an event; the call that threw comes first, where Sentry has it last. */
function stackOf({ entries }: z.infer<typeof Event>) {
  const stacks = entries.flatMap(({ type, data }) => {
    if (type === 'exception' || type === 'threads')
      return (Thrown.safeParse(data).data?.values ?? []).map(({ stacktrace }) => stacktrace)
    return type === 'stacktrace' ? [Stack.safeParse(data).data] : []
  })
  return stacks.flatMap((stack) =>
    (stack?.frames ?? []).toReversed().flatMap((frame) => {
      const path = pathOf(frame)
      return path === null ? [] : [{ path, line: frame.lineNo ?? null, function: frame.function ?? null }]
    }),
  )
}

/** Programs for the JVM name the file without its folder: there the module has it. */
function pathOf({ filename, absPath, module }: z.infer<typeof Frame>): string | null {
  const written = filename || absPath
  if (!written) return null
  if (written.includes('/') || written.includes('\\') || !module?.includes('.')) return written
  const folders = module.split('.').slice(0, -1)
  return isOfJvm(written) ? [...folders, written].join('/') : written
}

function isOfJvm(path: string): boolean {
  return /\.(?:java|kt|scala|groovy)$/.test(path)
}

function errorOf(issue: Issue, frames: ProductionError['frames']): ProductionError {
  const { shortId, title, level, status, count, userCount, lastSeen } = issue
  return {
    id: `sentry:${shortId}`,
    title: title.slice(0, 400),
    level: level.slice(0, 40),
    state: status === 'unresolved' ? 'open' : 'closed',
    events: count,
    users: userCount ?? null,
    lastSeen: /^\d{4}-\d\d-\d\d/.exec(lastSeen ?? '')?.[0] ?? null,
    frames,
  }
}
