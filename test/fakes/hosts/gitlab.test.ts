/** The fake GitLab accepts and refuses what the real one is known to. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { startGitLab } from '../../helpers/hosts/gitlab/server.ts'

const lines = (count: number) =>
  `${Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')}\n`
const changed = lines(40).replace('line 20\n', 'line 20 changed\nline 20 added\n')

async function setUp() {
  const gitlab = await startGitLab()
  onTestFinished(() => gitlab.close())
  const project = gitlab.world.createProject('acme/tools/shop', {
    files: { 'a.txt': lines(40), 'b.txt': 'b\n' },
  })
  const change = project.open({ branch: 'topic', files: { 'a.txt': changed } })
  const token = gitlab.state.addProjectToken(project)
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    headers: object = { 'private-token': token },
  ) => {
    const answer = await fetch(`${gitlab.apiUrl}/projects/acme%2Ftools%2Fshop${path}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = /json/.test(answer.headers.get('content-type') ?? '')
    return { status: answer.status, body: isJson ? JSON.parse(text) : text, headers: answer.headers }
  }
  const refs = () => {
    const version = change.versions.at(-1)
    return {
      base_sha: version?.base,
      start_sha: version?.start,
      head_sha: version?.head,
      position_type: 'text',
    }
  }
  const place = (numbers: object) => ({ ...refs(), old_path: 'a.txt', new_path: 'a.txt', ...numbers })
  return { gitlab, project, change, token, ask, refs, place }
}

const merge = '/merge_requests/1'
const code = (old: number, fresh: number) =>
  `${createHash('sha1').update('a.txt').digest('hex')}_${old}_${fresh}`

test('discussions are put on added, removed and unchanged lines, and on ranges by line codes', async () => {
  const { gitlab, ask, place } = await setUp()
  const range = {
    start: { line_code: code(20, 21), type: 'new' },
    end: { line_code: code(21, 21), type: 'new' },
  }
  const places = [
    { new_line: 21 },
    { old_line: 20 },
    { old_line: 19, new_line: 19 },
    { old_line: 5, new_line: 5 },
    { new_line: 21, line_range: range },
  ]
  for (const numbers of places) {
    const { status } = await ask('POST', `${merge}/discussions`, { body: 'x', position: place(numbers) })
    expect([numbers, status]).toEqual([numbers, 201])
  }
  const { body } = await ask('GET', `${merge}/discussions`)
  expect(body.map((one: { notes: { position: object }[] }) => one.notes[0]?.position)).toMatchObject(places)
  expect(gitlab.violations).toEqual([`No line of a.txt has the line code ${code(20, 21)}`])
})

test.each([
  ['a line that is unchanged given as added', { new_line: 19 }],
  ['both numbers of an added line', { old_line: 21, new_line: 21 }],
  ['numbers that do not belong together', { old_line: 30, new_line: 30 }],
  ['a line beyond the file', { new_line: 400 }],
  ['another file', { new_line: 1, new_path: 'b.txt', old_path: 'b.txt' }],
  ['commits of no version', { new_line: 20, start_sha: 'a'.repeat(40) }],
])('%s is refused', async (_, numbers) => {
  const { change, ask, place } = await setUp()
  const answer = await ask('POST', `${merge}/discussions`, { body: 'x', position: place(numbers) })
  expect(answer).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('must be a valid line code') },
  })
  expect(change.threads).toEqual([])
})

test('drafts are seen by their author only and published at once', async () => {
  const { gitlab, change, ask, place } = await setUp()
  await ask('POST', `${merge}/draft_notes`, { note: 'On a line', position: place({ new_line: 20 }) })
  await ask('POST', `${merge}/draft_notes`, { note: 'Summary' })
  const other = { 'private-token': gitlab.state.addToken('eve') }
  expect((await ask('GET', `${merge}/draft_notes`, undefined, other)).body).toEqual([])
  expect([change.threads.length, change.comments.length]).toEqual([0, 0])
  expect((await ask('POST', `${merge}/draft_notes/bulk_publish`, {})).status).toBe(204)
  expect((await ask('GET', `${merge}/discussions`)).body).toMatchObject([
    { individual_note: false, notes: [{ type: 'DiffNote', body: 'On a line' }] },
    { individual_note: true, notes: [{ type: null, body: 'Summary' }] },
  ])
  expect(gitlab.writes()).toHaveLength(3)
  expect(gitlab.violations).toEqual([])
})

test('a position moves with a push that leaves its line, and stays where it was otherwise', async () => {
  const { change, ask, place } = await setUp()
  await ask('POST', `${merge}/discussions`, { body: 'x', position: place({ new_line: 20 }) })
  const first = change.head
  const position = async () => (await ask('GET', `${merge}/discussions`)).body[0].notes[0].position
  change.push({ 'a.txt': `top\n${changed}` })
  expect(await position()).toMatchObject({ head_sha: change.head, new_line: 21 })
  change.push({ 'a.txt': lines(40) })
  expect(await position()).toMatchObject({ head_sha: first, new_line: 20 })
})

test('a job token reads the merge request and its notes, and nothing else; it writes nothing', async () => {
  const { gitlab, project, ask } = await setUp()
  project.isPrivate = true
  project.roles.set('ada', 'write')
  const job = { 'job-token': gitlab.state.addJobToken(project, 'ada') }
  const statuses = []
  for (const path of [merge, `${merge}/notes`, `${merge}/discussions`, ''])
    statuses.push((await ask('GET', path, undefined, job)).status)
  expect(statuses).toEqual([200, 200, 404, 404])
  expect((await ask('POST', `${merge}/notes`, { body: 'x' }, job)).status).toBe(404)
  project.isPrivate = false
  expect((await ask('POST', `${merge}/notes`, { body: 'x' }, job)).status).toBe(401)
  expect((await ask('POST', `${merge}/discussions`, { body: 'x' }, job)).status).toBe(401)
})

test('scopes, roles and the owner of a note are held to', async () => {
  const { gitlab, project, change, ask } = await setUp()
  const reader = { 'private-token': gitlab.state.addProjectToken(project, ['read_api']) }
  expect(await ask('POST', `${merge}/notes`, { body: 'x' }, reader)).toMatchObject({
    status: 403,
    body: { error: 'insufficient_scope', scope: 'api' },
  })
  expect((await ask('GET', merge, undefined, { 'private-token': 'glpat-wrong' })).status).toBe(401)
  const guest = { 'private-token': gitlab.state.addProjectToken(project, ['api'], 'read') }
  expect((await ask('POST', `/statuses/${change.head}`, { state: 'success', name: 'x' }, guest)).status).toBe(
    403,
  )
  const thread = await ask('POST', `${merge}/discussions`, { body: 'x' }, guest)
  expect((await ask('PUT', `${merge}/discussions/${thread.body.id}`, { resolved: true }, guest)).status).toBe(
    403,
  )
  const note = change.comment('eve', 'hello')
  await ask('PUT', `${merge}/notes/${note.id}`, { body: 'mine' })
  expect([note.body, gitlab.violations.at(-1)]).toEqual([
    'hello',
    expect.stringContaining('touches a note of eve'),
  ])
})

test('lines that begin with a slash are carried out, except in code', async () => {
  const { gitlab, ask } = await setUp()
  await ask('POST', `${merge}/notes`, { body: 'See\n\n```sh\n/merge\n```\n\nand /merge in a line' })
  expect(gitlab.violations).toEqual([])
  await ask('POST', `${merge}/notes`, { body: 'Quote:\n/approve' })
  expect(gitlab.violations).toEqual(['The quick action /approve is carried out'])
})

test('pages, limits and moved projects', async () => {
  const { gitlab, project, change, ask } = await setUp()
  for (let count = 0; count < 25; count++) change.comment('ada', `note ${count}`)
  const first = await ask('GET', `${merge}/notes?sort=asc`)
  expect([first.body.length, first.headers.get('x-total'), first.headers.get('x-next-page')]).toEqual([
    20,
    '25',
    '2',
  ])
  project.rename('acme/store')
  const moved = await ask('GET', merge)
  expect([moved.status, moved.headers.get('location')]).toEqual([
    301,
    `${gitlab.apiUrl}/projects/${project.id}${merge}`,
  ])
  expect((await ask('POST', `${merge}/notes`, { body: 'x' })).status).toBe(405)
  gitlab.state.limits = { perMinute: 1, notesPerMinute: 1, retryAfterSeconds: 3 }
  const limited = await ask('GET', merge)
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3'])
  await ask('POST', `${merge}/notes`, { body: 'x' })
  expect(gitlab.violations).toEqual([expect.stringContaining('A write during a rate limit')])
})

test('git fetches with a project token and a job token', async () => {
  const { gitlab, project, change, token } = await setUp()
  project.isPrivate = true
  project.roles.set('ada', 'write')
  const job = gitlab.state.addJobToken(project, 'ada')
  const folder = temporaryFolder()
  const git = (user: string, ...args: string[]) => {
    const header = `Authorization: Basic ${Buffer.from(user).toString('base64')}`
    const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_GLOBAL: '/dev/null' }
    return promisify(execFile)('git', ['-C', folder, '-c', `http.extraHeader=${header}`, ...args], { env })
  }
  await git('', 'init', '--quiet')
  const address = `${gitlab.url}/acme/tools/shop.git`
  await expect(git(`oauth2:${job}`, 'fetch', address, change.head)).rejects.toThrow()
  for (const user of [`oauth2:${token}`, `gitlab-ci-token:${job}`])
    await git(user, 'fetch', '--quiet', '--depth=1', address, 'refs/merge-requests/1/head')
  const { stdout } = await git('', 'rev-parse', 'FETCH_HEAD')
  expect(stdout.trim()).toBe(change.head)
})
