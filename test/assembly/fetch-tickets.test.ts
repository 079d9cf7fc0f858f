/** What a host knows of a change is fetched side by side; a failure is reported and costs nothing else. */
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { fetchTickets } from '../../src/assembly/fetch-tickets.ts'
import { listen } from '../helpers/listen.ts'
import { type Answers, startGitHub, token } from '../hosts/tickets/fake-github.ts'

const commit = 'a'.repeat(40)
const root = '/repos/acme/shop'
const { signal } = new AbortController()

const issue = (number: number, more: object = {}) => ({
  number,
  title: `Issue ${number}`,
  body: '- [ ] One',
  state: 'open',
  labels: [],
  ...more,
})
const comment = {
  id: 5,
  body: 'Why?',
  user: { login: 'ann', type: 'User' },
  author_association: 'NONE',
  created_at: '2026-01-01T00:00:00Z',
}
const world: Answers = {
  [`${root}/commits/${commit}/pulls`]: [{ number: 7, state: 'open', head: { sha: commit } }],
  [`${root}/issues/7/comments`]: [comment],
  [`${root}/pulls/7/reviews`]: [],
  [`${root}/pulls/7/comments`]: [],
  [`${root}/issues`]: [issue(12), issue(13, { pull_request: { url: 'x' } }), issue(14, { labels: ['bug'] })],
  [`${root}/issues/12`]: issue(12),
  '/repos/ACME/Shop/issues/12': issue(12),
}

const origin = { kind: 'github', repository: 'acme/shop', branch: null } as const
const change = { title: 'x', body: 'Fixes #12', head: { commit, tree: commit } }

test('tickets, discussion and open tickets', async () => {
  const { url, mistakes } = await startGitHub(world)
  const environment = { GITHUB_API_URL: url, GITHUB_TOKEN: token }
  const all = await fetchTickets(origin, change, { seconds: 5, environment, signal })
  expect(mistakes).toEqual([])
  expect(all.tickets?.map(({ id }) => id)).toEqual(['github:acme/shop#12'])
  expect(all.discussion?.map(({ author, body }) => `${author}: ${body}`)).toEqual(['ann: Why?'])
  expect(all.openTickets?.map(({ id }) => id)).toEqual(['github:acme/shop#12', 'github:acme/shop#14'])
  expect(all.limits).toEqual([])
})

test('a failure is reported, and the others are fetched', async () => {
  const reviews = { [`${root}/pulls/7/reviews`]: () => ({ status: 502, body: {} }) }
  const { url } = await startGitHub({ ...world, ...reviews })
  const environment = { GITHUB_API_URL: url, GH_TOKEN: token }
  const some = await fetchTickets(origin, change, { seconds: 5, environment, signal })
  expect(some.tickets).toHaveLength(1)
  expect(some.openTickets).toHaveLength(2)
  expect(some).not.toHaveProperty('discussion')
  expect(some.limits).toEqual([
    'the discussion could not be fetched: GitHub (/repos/acme/shop/pulls/7/reviews) answered with status 502',
  ])
})

test('a wrong token fetches nothing and is in no message; work that was never committed has no discussion', async () => {
  const { url } = await startGitHub(world)
  const wrong = { GITHUB_API_URL: url, GITHUB_TOKEN: 'ghp_wrong-secret' }
  const none = await fetchTickets(origin, change, { seconds: 5, environment: wrong, signal })
  expect(none).toMatchObject({ tickets: [] })
  expect(none.limits).toHaveLength(3)
  expect(JSON.stringify(none)).not.toContain('secret')

  const environment = { GITHUB_API_URL: url, GITHUB_TOKEN: token }
  const loose = { ...change, head: { commit: null, tree: commit } }
  const fetched = await fetchTickets(origin, loose, { seconds: 5, environment, signal })
  expect(fetched.tickets).toHaveLength(1)
  expect(fetched).not.toHaveProperty('discussion')
})

test('a host that hangs costs the time it was given, and an abort is no limit', async () => {
  const environment = { GITHUB_API_URL: `http://127.0.0.1:${await listen(createServer(() => {}))}` }
  const none = await fetchTickets(origin, change, { seconds: 0.2, environment, signal })
  expect(none).toMatchObject({ tickets: [] })
  expect(none.limits).toHaveLength(3)
  for (const limit of none.limits) expect(limit).toContain('could not be fetched: it took longer than 0.2 s')

  const stop = new AbortController()
  const asked = fetchTickets(origin, change, { seconds: 5, environment, signal: stop.signal })
  stop.abort(new Error('stopped'))
  await expect(asked).rejects.toThrow('stopped')
})

test('a commit message chooses no other repository, unless the operator named it', async () => {
  const { url, requests } = await startGitHub({
    ...world,
    '/repos/victim-org/secret/issues/12': issue(12, { title: 'QZ7VICTIM' }),
  })
  const bounds = { seconds: 5, environment: { GITHUB_API_URL: url, GITHUB_TOKEN: token }, signal }
  const stranger = { ...change, body: 'Fixes victim-org/secret#12 and ACME/Shop#12\n\nFixes x/..#3' }
  const fetched = await fetchTickets(origin, stranger, bounds)
  expect(fetched.tickets?.map(({ id }) => id)).toEqual(['github:ACME/Shop#12'])
  expect(fetched.limits.join('\n')).toMatch(
    /^the ticket victim-org\/secret#12 \(.*\) was not fetched: it belongs to another repository/,
  )
  expect(JSON.stringify(fetched)).not.toContain('QZ7VICTIM')
  expect(requests.filter(({ path }) => !/^\/repos\/acme\/shop[/?]/i.test(path))).toEqual([])

  const allowed = await fetchTickets(origin, stranger, { ...bounds, moreRepositories: ['Victim-Org/secret'] })
  expect(allowed.tickets?.map(({ title }) => title)).toContain('QZ7VICTIM')
})
