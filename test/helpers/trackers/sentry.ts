/** Sentry's REST API, as far as errors are looked for: search of issues by files of their stacks, and the latest event. */
import { demandQuery, type Said, startStandIn } from './server.ts'

export type SentryIssue = {
  id: string
  shortId: string
  title: string
  project: string
  events: number
  status?: 'unresolved' | 'resolved' | 'ignored'
  lastSeen?: string
  users?: number
  /** As Sentry has them: the call that threw last. */
  frames: SentryFrame[]
}

export type SentryFrame = {
  filename: string
  function: string | null
  lineNo: number | null
  module?: string
}

export const sentryToken = 'sntryu_only-for-tests'

const issues = /^\/api\/0\/organizations\/acme\/issues\/$/
const latest = /^\/api\/0\/organizations\/acme\/issues\/(\d+)\/events\/latest\/$/
const query =
  /^is:unresolved project:\[([a-z0-9_-]+(?:, [a-z0-9_-]+)*)\] stack\.filename:"\*([^"*]+)"$|^is:unresolved$/

export async function startSentry(known: readonly SentryIssue[]) {
  return await startStandIn(({ method, url, headers }): Said => {
    if (headers.authorization !== `Bearer ${sentryToken}`)
      throw { status: 401, body: { detail: 'Invalid token' } }
    if (method !== 'GET')
      throw { status: 403, body: { detail: 'You do not have permission to perform this action.' } }
    const one = latest.exec(url.pathname)
    if (one) {
      demandQuery(url, {})
      const issue = known.find(({ id }) => id === one[1])
      return issue ? { status: 200, body: eventOf(issue) } : { status: 404, body: { detail: 'Not found' } }
    }
    if (url.pathname === '/api/0/organizations/') return { status: 200, body: [organization] }
    if (!issues.test(url.pathname))
      return { status: 404, body: { detail: 'The requested resource does not exist' } }
    demandQuery(url, {
      query,
      project: /^-1$/,
      collapse: /^(?:stats|lifetime|filtered|unhandled|base)$/,
      statsPeriod: /^[1-9]\d?d$/,
      sort: /^(?:date|new|freq|user|trends|inbox)$/,
      limit: /^(?:[1-9]\d?|100)$/,
    })
    const [, projects = '', end = ''] = query.exec(url.searchParams.get('query') ?? '') ?? []
    const found = known
      .filter(
        ({ project, status = 'unresolved' }) =>
          status === 'unresolved' && (projects === '' || projects.split(', ').includes(project)),
      )
      .filter(({ frames }) => frames.some(({ filename }) => filename.endsWith(end)))
      .sort((a, b) => b.events - a.events)
    return { status: 200, body: found.slice(0, Number(url.searchParams.get('limit') ?? 100)).map(shown) }
  })
}

const organization = {
  id: '1',
  slug: 'acme',
  name: 'Acme',
  links: { organizationUrl: 'https://acme.sentry.test', regionUrl: '' },
}

function shown({
  id,
  shortId,
  title,
  project,
  events,
  status = 'unresolved',
  lastSeen,
  users = 0,
}: SentryIssue) {
  return {
    id,
    shortId,
    title,
    culprit: 'somewhere',
    level: 'error',
    status,
    count: String(events),
    userCount: users,
    firstSeen: '2026-01-01T00:00:00.000000Z',
    lastSeen: lastSeen ?? '2026-11-20T08:00:00.000000Z',
    permalink: `https://acme.sentry.io/issues/${id}/`,
    project: { id: '1', name: project, slug: project, platform: 'python' },
    metadata: { type: title.split(':')[0] },
  }
}

function eventOf({ frames, title }: SentryIssue) {
  return {
    eventID: 'a'.repeat(32),
    entries: [
      {
        type: 'exception',
        data: {
          values: [
            {
              type: title.split(':')[0],
              value: title,
              stacktrace: {
                frames: frames.map((frame) => ({
                  absPath: `/srv/${frame.filename}`,
                  module: null,
                  inApp: true,
                  ...frame,
                })),
              },
            },
          ],
        },
      },
      { type: 'request', data: { url: 'https://shop.test/' } },
    ],
  }
}
