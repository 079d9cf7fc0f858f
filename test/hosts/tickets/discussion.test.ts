/** What was said of a pull request, over a wire that refuses what GitHub refuses. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createGitHubDiscussion } from '../../../src/hosts/tickets/github-discussion.ts'
import { createGitHubTickets } from '../../../src/hosts/tickets/github-tickets.ts'
import { listen } from '../../helpers/listen.ts'
import { type Answered, type Answers, startGitHub, token } from './fake-github.ts'

const commit = 'c'.repeat(40)
const root = '/repos/acme/shop'
const pullsOfCommit = `${root}/commits/${commit}/pulls`
const { signal } = new AbortController()

const said = (id: number, minute: number, more: object = {}) => ({
  id,
  body: `comment ${id}`,
  user: { login: 'ann', type: 'User' },
  author_association: 'MEMBER',
  created_at: `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`,
  ...more,
})
const pull = (number: number, more: object = {}) => ({
  number,
  state: 'open',
  head: { sha: commit },
  ...more,
})

const failure =
  (status: number, headers: Record<string, string> = {}) =>
  (): Answered => ({ status, body: { message: 'no' }, headers })

async function read(answers: Answers, given: string = token) {
  const { url, requests, mistakes } = await startGitHub(answers)
  const options = {
    repository: 'acme/shop',
    moreRepositories: [],
    token: given,
    tokenName: 'GITHUB_TOKEN',
    apiUrl: `${url}/`,
    fetch,
  }
  const answer = createGitHubDiscussion(options).readDiscussion(commit, signal)
  const asked = (list: string) => requests.filter(({ path }) => path.includes(list)).length
  return { answer, asked, mistakes }
}

test('comments, reviews and comments on lines, in the order in which they were said', async () => {
  const { answer, mistakes } = await read({
    [pullsOfCommit]: [pull(1, { state: 'closed' }), pull(2, { head: { sha: 'd'.repeat(40) } }), pull(7)],
    [`${root}/issues/7/comments`]: [
      said(3, 9, { user: { login: 'ci[bot]', type: 'Bot' }, author_association: 'NONE' }),
      said(1, 1, { author_association: 'FIRST_TIME_CONTRIBUTOR', user: null }),
    ],
    [`${root}/pulls/7/reviews`]: [
      said(9, 0, { body: '', created_at: undefined, submitted_at: '2026-01-01T00:00:00Z' }),
      said(2, 0, {
        created_at: undefined,
        submitted_at: '2026-01-01T00:05:00Z',
        author_association: 'OWNER',
      }),
    ],
    [`${root}/pulls/7/comments`]: [
      said(4, 6, { path: 'src/a.ts', line: 3 }),
      said(5, 6, { path: 'b.ts', line: null }),
    ],
  })
  const told = (await answer)?.map(
    ({ author, association, path, line, body }) => `${author} ${association} ${path}:${line} ${body}`,
  )
  expect(told).toEqual([
    'a deleted account stranger null:null comment 1',
    'ann owner null:null comment 2',
    'ann member src/a.ts:3 comment 4',
    'ann member b.ts:null comment 5',
    'ci[bot] bot null:null comment 3',
  ])
  expect(mistakes).toEqual([])
})

test('all pages up to the cap, long bodies cut, and no more than that is asked for', async () => {
  const many = Array.from({ length: 450 }, (_, at) => said(at + 1, 1, { body: 'x'.repeat(9_000) }))
  const { answer, asked } = await read({
    [pullsOfCommit]: [pull(7)],
    [`${root}/issues/7/comments`]: many.slice(0, 150),
    [`${root}/pulls/7/comments`]: many,
    [`${root}/pulls/7/reviews`]: [],
  })
  const found = (await answer) ?? []
  expect([found.length, found[0]?.body.length]).toEqual([200, 4_000])
  expect([asked('/issues/7/comments'), asked('/pulls/7/comments')]).toEqual([2, 2])
})

test('no pull request, a commit that was never pushed, and a repository that may not be seen are none', async () => {
  for (const routes of [
    { [pullsOfCommit]: [] },
    { [pullsOfCommit]: [pull(2, { head: { sha: 'd'.repeat(40) } })] },
    { [pullsOfCommit]: failure(422) },
    {},
  ])
    expect(await (await read(routes)).answer).toBeNull()
})

test.each([
  [403, { 'x-ratelimit-remaining': '0' }, 'asks to wait for 60 seconds (status 403)', 1],
  [403, { 'retry-after': '60' }, 'asks to wait for 60 seconds (status 403)', 1],
  [429, { 'retry-after': '0' }, 'asks to wait for 0 seconds (status 429)', 2],
  [403, {}, 'does not allow this to the token in GITHUB_TOKEN', 1],
  [500, {}, 'answered with status 500', 2],
  [502, {}, 'answered with status 502', 2],
  [302, { location: '/repos/acme/shop/issues/8/comments' }, 'redirects, which is not followed', 1],
])('GitHub answers %i with %o: it %s', async (status, headers, words, times) => {
  const { answer, asked } = await read({
    [pullsOfCommit]: [pull(7)],
    [`${root}/issues/7/comments`]: failure(status, headers),
    [`${root}/pulls/7/comments`]: [],
    [`${root}/pulls/7/reviews`]: [],
  })
  await expect(answer).rejects.toThrow(new Error(`GitHub (${root}/issues/7/comments) ${words}`))
  expect(asked('/issues/7/comments')).toBe(times)
})

test('pages are counted, wherever the host says that the next one is, and its notices are not printed', async () => {
  const elsewhere = await startGitHub({ '/next': [] })
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const many = Array.from({ length: 100 }, (_, at) => said(at + 1, 1))
  const { answer, asked } = await read({
    [pullsOfCommit]: [pull(7)],
    [`${root}/issues/7/comments`]: (page) => ({
      status: 200,
      body: page === 1 ? many : [said(101, 2)],
      headers: { link: `<${elsewhere.url}/next>; rel="next"`, deprecation: 'true' },
    }),
    [`${root}/pulls/7/comments`]: [],
    [`${root}/pulls/7/reviews`]: [],
  })
  expect(await answer).toHaveLength(101)
  expect([asked('/issues/7/comments'), elsewhere.requests, warn.mock.calls]).toEqual([2, [], []])
})

test('a wrong token is refused, and stands in no message', async () => {
  const { answer } = await read({ [pullsOfCommit]: [pull(7)] }, 'wrong-token')
  await expect(answer).rejects.toThrow(
    /^GitHub \(\/repos\/acme\/shop\/commits\/c{40}\/pulls\) does not accept the token in GITHUB_TOKEN$/,
  )
})

test('an answer without end is left, and what is no such list is refused', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (response.write('"'.padEnd(65_536))) if (response.destroyed) return
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  const apiUrl = `http://127.0.0.1:${await listen(server)}`
  const source = createGitHubTickets({
    repository: 'acme/shop',
    moreRepositories: [],
    token,
    tokenName: 'GITHUB_TOKEN',
    apiUrl,
    fetch,
  })
  await expect(source.listOpen(10, signal)).rejects.toThrow(/issues\) is too large$/)
  await expect((await read({ [pullsOfCommit]: { message: 'odd' } })).answer).rejects.toThrow()
})
