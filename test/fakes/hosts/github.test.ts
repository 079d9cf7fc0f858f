/** The fake GitHub accepts and refuses what the real one is known to. */
import { execFile, execFileSync } from 'node:child_process'
import { sign } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { startGitHub } from '../../helpers/hosts/github/server.ts'

const lines = (count: number) =>
  `${Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')}\n`
const changed = (count: number, at: number) => lines(count).replace(`line ${at}\n`, `line ${at} changed\n`)

async function setUp() {
  const github = await startGitHub()
  onTestFinished(() => github.close())
  const project = github.world.createProject('acme/shop', {
    files: { 'a.txt': lines(40), 'b.txt': lines(5) },
  })
  const change = project.open({ branch: 'topic', files: { 'a.txt': changed(40, 20) }, body: 'Fixes #9' })
  const app = github.state.addApp('sightline', { pull_requests: 'write', checks: 'write', contents: 'read' })
  const installation = github.state.install(app, [project])
  const { token } = github.state.addInstallationToken(installation)
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    options: { token?: string; headers?: object } = {},
  ) => {
    const answer = await fetch(`${github.apiUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'user-agent': 'test',
        'x-github-api-version': '2022-11-28',
        authorization: `Bearer ${options.token ?? token}`,
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const json = /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text
    return { status: answer.status, body: json, headers: answer.headers }
  }
  const graphql = async (query: string, variables: object = {}, as = token) => {
    const answer = await fetch(`${github.url}/api/graphql`, {
      method: 'POST',
      headers: { 'user-agent': 'test', 'x-github-api-version': '2022-11-28', authorization: `Bearer ${as}` },
      body: JSON.stringify({ query, variables }),
    })
    return (await answer.json()) as {
      data?: Record<string, never>
      errors?: { type?: string; message: string }[]
    }
  }
  return { github, project, change, app, installation, token, ask, graphql }
}

const pull = '/repos/acme/shop/pulls/1'
const comment = { path: 'a.txt', body: 'Look here', line: 20, side: 'RIGHT' }

test('a review with comments on lines is created as a whole', async () => {
  const { github, change, ask } = await setUp()
  const made = await ask('POST', `${pull}/reviews`, {
    commit_id: change.head,
    event: 'COMMENT',
    body: 'Summary',
    comments: [
      comment,
      { ...comment, start_line: 18, start_side: 'RIGHT', line: 21 },
      { ...comment, side: 'LEFT' },
    ],
  })
  expect(made.status).toBe(200)
  expect(made.body).toMatchObject({ state: 'COMMENTED', user: { login: 'sightline[bot]', type: 'Bot' } })
  const { body } = await ask('GET', `${pull}/comments`)
  expect(body).toMatchObject([
    { line: 20, side: 'RIGHT', start_line: null, original_line: 20 },
    { line: 21, start_line: 18, start_side: 'RIGHT' },
    { line: 20, side: 'LEFT' },
  ])
  expect(body[0].diff_hunk).toContain('+line 20 changed')
  expect(github.violations).toEqual([])
  expect(github.writes().map(({ operation }) => operation)).toEqual([
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  ])
})

test.each([
  ['a line outside the hunks', { ...comment, line: 2 }, 'line must be part of the diff'],
  ['a file that did not change', { ...comment, path: 'b.txt', line: 1 }, 'path is invalid'],
  ['a start at the end', { ...comment, start_line: 20 }, 'start line must precede the end line'],
  ['a start outside the hunk', { ...comment, start_line: 3 }, 'must be part of the same hunk'],
  ['a text that is too long', { ...comment, body: 'x'.repeat(65_537) }, 'is too long'],
])('%s refuses the whole review, without saying which comment', async (_, wrong, message) => {
  const { change, ask } = await setUp()
  const made = await ask('POST', `${pull}/reviews`, {
    event: 'COMMENT',
    body: 'x',
    comments: [comment, wrong],
  })
  expect(made.status).toBe(422)
  expect(made.body.message).toBe('Unprocessable Entity')
  expect(made.body.errors).toEqual([expect.stringContaining(message)])
  expect(JSON.stringify(made.body)).not.toContain('b.txt')
  expect([change.threads, change.reviews]).toEqual([[], []])
})

test('an event that does not exist and a commit of another branch are refused', async () => {
  const { project, ask } = await setUp()
  const event = await ask('POST', `${pull}/reviews`, { event: 'LGTM', body: 'x' })
  expect(event).toMatchObject({ status: 422, body: { message: expect.stringContaining('/event') } })
  const elsewhere = project.commit('other', { 'c.txt': 'c\n' })
  const commit = await ask('POST', `${pull}/reviews`, { event: 'COMMENT', body: 'x', commit_id: elsewhere })
  expect(commit).toMatchObject({ status: 422, body: { errors: ['Commit is not part of the pull request'] } })
})

test('threads move with the lines above them and become outdated when their line changes', async () => {
  const { change, ask } = await setUp()
  await ask('POST', `${pull}/reviews`, { event: 'COMMENT', comments: [comment] })
  change.push({ 'a.txt': `new first line\n${changed(40, 20)}` })
  const moved = await ask('GET', `${pull}/comments`)
  expect(moved.body).toMatchObject([{ line: 21, original_line: 20, commit_id: change.head }])
  change.push({ 'a.txt': lines(40) })
  const outdated = await ask('GET', `${pull}/comments`)
  expect(outdated.body).toMatchObject([{ line: null, position: null, original_line: 20 }])
  change.forcePush({ 'a.txt': changed(40, 20) })
  expect((await ask('GET', `${pull}/comments`)).body).toMatchObject([{ line: 20 }])
})

test('a rebase, a squash and a merge from the base keep the place of a thread', async () => {
  const { project, change, ask } = await setUp()
  await ask('POST', `${pull}/reviews`, { event: 'COMMENT', comments: [comment] })
  project.commit('main', { 'a.txt': `top\n${lines(40)}` })
  const places = []
  for (const act of [() => change.mergeFromBase(), () => change.rebase(), () => change.squash()]) {
    act()
    const { body } = await ask('GET', `${pull}/comments`)
    places.push(body[0].line)
  }
  expect(places).toEqual([21, 21, 21])
  expect(change.diff.map(({ path, added }) => [path, added])).toEqual([['a.txt', 1]])
})

test('threads are read and resolved through GraphQL, and resolving needs write access to the contents', async () => {
  const { github, project, change, app, ask, graphql } = await setUp()
  await ask('POST', `${pull}/reviews`, { event: 'COMMENT', comments: [comment] })
  const query = `query Threads($number: Int!) { repository(owner: "acme", name: "shop") { pullRequest(number: $number) {
    headRefOid reviewThreads(first: 50) { nodes { id isResolved line comments(first: 10) { nodes { body viewerDidAuthor author { __typename login } } } } pageInfo { hasNextPage endCursor } } } } }`
  const { data } = await graphql(query, { number: 1 })
  const found = JSON.parse(JSON.stringify(data)).repository.pullRequest
  expect(found).toMatchObject({
    headRefOid: change.head,
    reviewThreads: {
      nodes: [{ isResolved: false, line: 20, comments: { nodes: [{ viewerDidAuthor: true }] } }],
    },
  })
  const close = `mutation Close { reply: addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: "${found.reviewThreads.nodes[0].id}", body: "Fixed" }) { comment { id } }
    done: resolveReviewThread(input: { threadId: "${found.reviewThreads.nodes[0].id}" }) { thread { isResolved } } }`
  const refused = await graphql(close)
  expect(refused.errors).toMatchObject([
    { type: 'FORBIDDEN', message: 'Resource not accessible by integration' },
  ])
  expect(change.threads[0]?.resolvedBy).toBeNull()
  const strong = github.state.addActionsToken(project, { pull_requests: 'write', contents: 'write' })
  await graphql(
    'mutation { resolveReviewThread(input: { threadId: "' +
      found.reviewThreads.nodes[0].id +
      '" }) { thread { id } } }',
    {},
    strong,
  )
  expect(change.threads[0]?.resolvedBy?.login).toBe('github-actions[bot]')
  expect(github.violations).toEqual(['A thread of sightline[bot] is resolved by github-actions[bot]'])
  expect(app.permissions.contents).toBe('read')
})

test('a query that GitHub would not understand is a violation', async () => {
  const { github, graphql } = await setUp()
  const unknown = await graphql(
    '{ repository(owner: "acme", name: "shop") { pullRequest(number: 1) { threads { id } } } }',
  )
  expect(unknown.errors?.[0]?.message).toContain('Cannot query field "threads"')
  const boundless = await graphql(
    '{ repository(owner: "acme", name: "shop") { pullRequest(number: 1) { comments { totalCount } } } }',
  )
  expect(boundless.errors?.[0]?.message).toContain('must provide a `first` or `last`')
  expect(github.violations).toHaveLength(1)
})

test('check runs are for apps, take 50 annotations a request, and add them up', async () => {
  const { github, change, ask } = await setUp()
  const annotation = (line: number) => ({
    ...{ path: 'a.txt', start_line: line, end_line: line, annotation_level: 'warning', message: 'm' },
  })
  const output = (count: number) => ({
    title: 't',
    summary: 's',
    annotations: Array.from({ length: count }, (_, at) => annotation(at + 1)),
  })
  const body = { name: 'sightline', head_sha: change.head, status: 'completed', conclusion: 'neutral' }
  const person = github.state.addToken('ada')
  const byPerson = await ask('POST', '/repos/acme/shop/check-runs', body, { token: person })
  expect(byPerson).toMatchObject({
    status: 403,
    body: { message: 'You must authenticate via a GitHub App.' },
  })
  const tooMany = await ask('POST', '/repos/acme/shop/check-runs', { ...body, output: output(51) })
  expect(tooMany).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('must NOT have more than 50 items') },
  })
  const made = await ask('POST', '/repos/acme/shop/check-runs', { ...body, output: output(50) })
  expect(made).toMatchObject({
    status: 201,
    body: { conclusion: 'neutral', output: { annotations_count: 50 } },
  })
  const more = await ask('PATCH', `/repos/acme/shop/check-runs/${made.body.id}`, { output: output(10) })
  expect(more).toMatchObject({ status: 200, body: { output: { annotations_count: 60 } } })
  const summary = await ask('PATCH', `/repos/acme/shop/check-runs/${made.body.id}`, {
    output: { summary: 'x'.repeat(65_536) },
  })
  expect(summary.status).toBe(422)
  const listed = await ask('GET', `/repos/acme/shop/commits/${change.head}/check-runs?check_name=sightline`)
  expect(listed.body).toMatchObject({ total_count: 1 })
  expect(github.state.checks[0]?.annotations).toHaveLength(60)
  expect(github.violations).toEqual([])
})

test('tokens do what their kind and permissions allow', async () => {
  const { github, project, change, installation, app, ask } = await setUp()
  expect(await ask('GET', pull, undefined, { token: 'ghp_wrong' })).toMatchObject({
    status: 401,
    body: { message: 'Bad credentials' },
  })
  const reader = github.state.addActionsToken(
    project,
    { pull_requests: 'write', contents: 'read' },
    { fromFork: true },
  )
  const refused = await ask('POST', `${pull}/reviews`, { event: 'COMMENT', body: 'x' }, { token: reader })
  expect(refused).toMatchObject({ status: 403, body: { message: 'Resource not accessible by integration' } })
  const fine = github.state.addFineGrainedToken('eve', { contents: 'read' }, [project])
  expect((await ask('GET', pull, undefined, { token: fine })).status).toBe(403)
  github.world.passTime(3601)
  expect((await ask('GET', pull)).status).toBe(401)

  const seconds = Math.floor(github.world.now() / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const jwt = (claims: object) => {
    const unsigned = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`
    return `${unsigned}.${sign('RSA-SHA256', Buffer.from(unsigned), app.privateKey).toString('base64url')}`
  }
  const good = jwt({ iat: seconds - 60, exp: seconds + 500, iss: app.id })
  expect((await ask('GET', '/repos/acme/shop/installation', undefined, { token: good })).body.id).toBe(
    installation.id,
  )
  const path = `/app/installations/${installation.id}/access_tokens`
  const issued = await ask('POST', path, { permissions: { pull_requests: 'read' } }, { token: good })
  expect(issued.status).toBe(201)
  expect((await ask('GET', pull, undefined, { token: issued.body.token })).body.head.sha).toBe(change.head)
  expect((await ask('POST', path, { permissions: { contents: 'write' } }, { token: good })).status).toBe(422)
  const late = jwt({ iat: seconds, exp: seconds + 3600, iss: app.id })
  expect((await ask('POST', path, {}, { token: late })).status).toBe(401)
})

test('lists come in pages with links, the large diff is refused, and the file list ends at 3,000', async () => {
  const { project, ask } = await setUp()
  const files = Object.fromEntries(Array.from({ length: 3005 }, (_, index) => [`many/${index}.txt`, 'x\n']))
  project.open({ branch: 'large', files: { ...files, 'huge.txt': lines(3500) } })
  const first = await ask('GET', '/repos/acme/shop/pulls/2/files?per_page=100')
  expect(first.body).toHaveLength(100)
  expect(first.body[0]).toMatchObject({ filename: 'huge.txt', changes: 3500 })
  expect(first.body[0]).not.toHaveProperty('patch')
  expect(first.headers.get('link')).toMatch(/page=2>; rel="next".*page=30>; rel="last"/)
  expect((await ask('GET', '/repos/acme/shop/pulls/2/files?per_page=100&page=31')).body).toEqual([])
  const diff = await ask('GET', '/repos/acme/shop/pulls/2', undefined, {
    headers: { accept: 'application/vnd.github.diff' },
  })
  expect(diff).toMatchObject({ status: 406, body: { errors: [{ code: 'too_large' }] } })
  const small = await ask('GET', pull, undefined, { headers: { accept: 'application/vnd.github.diff' } })
  expect(small.body).toContain('diff --git a/a.txt b/a.txt')
})

test('limits: the hour, a burst of writes, and a write during the pause is a violation', async () => {
  const { github, ask } = await setUp()
  github.limits.settings = { ...github.limits.settings, contentPerMinute: 2, retryAfterSeconds: 7 }
  const post = () => ask('POST', `${pull}/reviews`, { event: 'COMMENT', body: 'x' })
  expect([(await post()).status, (await post()).status]).toEqual([200, 200])
  const third = await post()
  expect([third.status, third.headers.get('retry-after')]).toEqual([403, '7'])
  expect(third.body.message).toContain('secondary rate limit')
  expect(github.violations).toEqual([])
  await post()
  expect(github.violations).toEqual([expect.stringContaining('A write during a secondary rate limit')])
  github.world.passTime(70)
  expect((await post()).status).toBe(200)
  github.limits.settings = { ...github.limits.settings, perHour: 3 }
  const used = await ask('GET', pull)
  expect([used.status, used.headers.get('x-ratelimit-remaining')]).toEqual([403, '0'])
  expect(github.writes()).toHaveLength(3)
})

test('an unchanged answer is not sent again and not counted', async () => {
  const { ask } = await setUp()
  const first = await ask('GET', pull)
  const etag = first.headers.get('etag') ?? ''
  const second = await ask('GET', pull, undefined, { headers: { 'if-none-match': etag } })
  expect(second.status).toBe(304)
  const third = await ask('GET', pull)
  expect([first, third].map(({ headers }) => headers.get('x-ratelimit-used'))).toEqual(['1', '2'])
})

test('a renamed repository redirects, and a deleted fork leaves its commits', async () => {
  const { github, project, ask } = await setUp()
  const fork = project.fork('eve')
  const change = project.open({ branch: 'patch', from: fork, author: 'eve', files: { 'b.txt': 'b\n' } })
  expect((await ask('GET', '/repos/acme/shop/pulls/2')).body.head.repo.full_name).toBe('eve/shop')
  change.deleteFork()
  expect((await ask('GET', '/repos/acme/shop/pulls/2')).body.head).toMatchObject({
    repo: null,
    sha: change.head,
  })
  const listed = execFileSync('git', ['--git-dir', project.repository.path, 'cat-file', '-t', change.head], {
    encoding: 'utf8',
  })
  expect(listed.trim()).toBe('commit')
  project.rename('acme/store')
  const moved = await ask('GET', pull)
  expect([moved.status, moved.headers.get('location')]).toEqual([
    301,
    `${github.apiUrl}/repositories/${project.id}/pulls/1`,
  ])
  const followed = await ask('GET', `/repositories/${project.id}/pulls/1`)
  expect(followed.body.number).toBe(1)
})

test('git fetches over HTTP, blobless, by any commit, with the token of the project; pushes are refused', async () => {
  const { github, project, change, token } = await setUp()
  project.isPrivate = true
  const folder = temporaryFolder()
  const git = async (as: string, ...args: string[]) => {
    const header = `Authorization: Basic ${Buffer.from(`x-access-token:${as}`).toString('base64')}`
    const options = { env: { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_GLOBAL: '/dev/null' } }
    return promisify(execFile)('git', ['-C', folder, '-c', `http.extraHeader=${header}`, ...args], options)
  }
  await git(token, 'init', '--quiet')
  const address = `${github.url}/acme/shop.git`
  await expect(git('ghs_wrong', 'fetch', address, change.head)).rejects.toThrow()
  await git(
    token,
    'fetch',
    '--quiet',
    '--filter=blob:none',
    '--depth=1',
    address,
    change.head,
    'refs/pull/1/head',
  )
  const { stdout } = await git(token, 'cat-file', '--batch-check', '--batch-all-objects', '--unordered')
  expect(stdout).toContain(`${change.head} commit`)
  expect(stdout).not.toContain(' blob ')
  await expect(git(token, 'push', address, 'FETCH_HEAD:refs/heads/evil')).rejects.toThrow()
  expect(project.repository.resolve('refs/heads/evil')).toBeNull()
})

test('faults happen at the request that was chosen, before or after the effect', async () => {
  const { github, change, ask } = await setUp()
  const post = () => ask('POST', `${pull}/reviews`, { event: 'COMMENT', body: 'x' })
  const isPost = ({ method }: { method: string }) => method === 'POST'
  github.faults.at(1, { kind: 'drop-before' }, isPost)
  await expect(post()).rejects.toThrow('fetch failed')
  expect(change.reviews).toHaveLength(0)
  github.faults.at(1, { kind: 'drop-after' }, isPost)
  await expect(post()).rejects.toThrow('fetch failed')
  expect(change.reviews).toHaveLength(1)
  github.faults.at(1, { kind: 'fail-after', status: 502 }, isPost)
  expect((await post()).status).toBe(502)
  expect(change.reviews).toHaveLength(2)
  const before = change.head
  github.faults.at(2, { kind: 'run', action: () => void change.push({ 'a.txt': 'other\n' }) })
  const heads = [await ask('GET', pull), await ask('GET', pull)].map(({ body }) => body.head.sha)
  expect(heads).toEqual([before, change.head])
  expect(change.head).not.toBe(before)
})

test("somebody else's comment is not to be touched, and an unknown parameter is a slip", async () => {
  const { github, change, ask } = await setUp()
  const note = change.comment('eve', 'hello')
  await ask('PATCH', `/repos/acme/shop/issues/comments/${note.id}`, { body: 'x' })
  await ask('POST', `${pull}/reviews`, { event: 'COMMENT', body: 'x', marker: 1 })
  expect(github.violations).toEqual([
    expect.stringContaining('touches a comment of eve'),
    expect.stringContaining('(marker)'),
  ])
  const person = github.state.addToken('mallory')
  await ask('PATCH', `/repos/acme/shop/issues/comments/${note.id}`, { body: 'x' }, { token: person })
  expect(github.violations.at(-1)).toContain('touches a comment of eve')
  expect(note.body).toBe('hello')
})
