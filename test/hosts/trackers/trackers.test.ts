/** Jira, Azure Boards, Linear, GitLab and Sentry against stand-ins that refuse what the real services refuse. */
import { expect, onTestFinished, test } from 'vitest'
import { TrackerSettings } from '../../../src/config/settings/trackers.ts'
import type { TicketReference } from '../../../src/hosts/tickets/contract.ts'
import { createGitLabIssues } from '../../../src/hosts/trackers/gitlab-issues.ts'
import { openTrackers, trackersFor, trackerTokens } from '../../../src/hosts/trackers/registry.ts'
import { startAzure } from '../../helpers/hosts/azure/server.ts'
import { jiraToken, jiraUser, startJira } from '../../helpers/trackers/jira.ts'
import { linearKey, linearOauth, startLinear } from '../../helpers/trackers/linear.ts'
import { sentryToken, startSentry } from '../../helpers/trackers/sentry.ts'
import { demandQuery, startStandIn } from '../../helpers/trackers/server.ts'

const { signal } = new AbortController()
const key = (name: string): TicketReference => ({
  kind: 'key',
  repository: null,
  name,
  linkedBy: `${name} in the title`,
})
const number = (name: string, repository: string | null = null): TicketReference => ({
  kind: 'number',
  repository,
  name,
  linkedBy: `#${name}`,
})

function open(settings: object, environment: NodeJS.ProcessEnv) {
  return openTrackers(TrackerSettings.parse(settings), { environment, repository: [], fetch })
}

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const item = (text: string) => ({ type: 'listItem', content: [paragraph(text)] })
const description = {
  type: 'doc',
  version: 1,
  content: [
    paragraph('Cards are charged twice.'),
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Acceptance criteria' }] },
    { type: 'bulletList', content: [item('A card is charged once'), item('A refund is logged')] },
    {
      type: 'taskList',
      content: [
        { type: 'taskItem', attrs: { state: 'DONE' }, content: [{ type: 'text', text: 'Support is told' }] },
      ],
    },
    { type: 'codeBlock', content: [{ type: 'text', text: '- [ ] not a criterion' }] },
  ],
}

test('Jira: a document with criteria, projects by allow-list, moved issues, pages, and refusals in words', async () => {
  const jira = await startJira([
    { key: 'PAY-12', summary: 'Charged twice', description, labels: ['billing'], category: 'indeterminate' },
    {
      key: 'PAY-13',
      summary: 'Plain',
      description: null,
      category: 'done',
      more: { customfield_10031: 'It must stay as fast as it is.' },
    },
    { key: 'HR-7', summary: 'Salaries', description: null, formerly: ['PAY-99'] },
    ...Array.from({ length: 4 }, (_, at) => ({
      key: `PAY-${at + 20}`,
      summary: `Open ${at}`,
      description: null,
    })),
  ])
  const settings = {
    jira: {
      url: `${jira.url}/`,
      projects: ['PAY'],
      user: jiraUser,
      token: 'JIRA',
      criteriaField: 'customfield_10031',
    },
  }
  const [source] = open(settings, { JIRA: jiraToken }).tickets
  if (!source) throw new Error('Jira was not opened')
  expect(await source.find(key('PAY-12'), signal)).toEqual({
    id: 'jira:PAY-12',
    title: 'Charged twice',
    body: 'Cards are charged twice.\n\n## Acceptance criteria\n\n- A card is charged once\n- A refund is logged\n\n- [x] Support is told\n\n```\n- [ ] not a criterion\n```',
    state: 'open',
    labels: ['billing'],
    linkedBy: 'PAY-12 in the title',
    criteria: [
      { id: 'AC1', text: 'A card is charged once', shape: 'heading', checked: null },
      { id: 'AC2', text: 'A refund is logged', shape: 'heading', checked: null },
      { id: 'AC3', text: 'Support is told', shape: 'checklist', checked: true },
    ],
    cut: null,
  })
  const asked = jira.requests.length
  expect([source.mayRead(key('HR-7')), await source.find(key('HR-7'), signal)]).toEqual([false, null])
  expect(jira.requests).toHaveLength(asked)
  expect(await source.find(key('PAY-99'), signal)).toBeNull()
  expect(await source.find(key('PAY-404'), signal)).toBeNull()
  expect(await source.find(key('PAY-13'), signal)).toMatchObject({
    state: 'closed',
    criteria: [{ text: 'It must stay as fast as it is.' }],
  })
  expect((await source.listOpen(4, signal)).map(({ id }) => id)).toEqual([
    'jira:PAY-12',
    'jira:PAY-20',
    'jira:PAY-21',
    'jira:PAY-22',
  ])
  jira.next.push({ status: 503 })
  expect((await source.find(key('PAY-12'), signal))?.id).toBe('jira:PAY-12')
  jira.next.push({ status: 429, headers: { 'retry-after': '0' } })
  expect((await source.find(key('PAY-12'), signal))?.id).toBe('jira:PAY-12')
  const refused = async (status: number, headers: Record<string, string> = {}) => {
    jira.next.push({ status, headers }, { status, headers })
    const why = await source.find(key('PAY-12'), signal).catch((error: Error) => error.message)
    jira.next.length = 0
    return why
  }
  const place = 'Jira (/rest/api/3/issue/PAY-12)'
  expect(await refused(401)).toBe(`${place} does not accept the token in JIRA`)
  expect(await refused(403)).toBe(`${place} does not allow this to the token in JIRA`)
  expect(await refused(429, { 'retry-after': '120' })).toBe(
    `${place} asks to wait for 120 seconds (status 429)`,
  )
  expect(await refused(500)).toBe(`${place} answered with status 500`)
  expect(await refused(302, { location: 'http://127.0.0.1:1/' })).toBe(
    `${place} redirects, which is not followed`,
  )
  const [bearer] = open(
    { jira: { url: jira.url, projects: ['pay'], token: 'JIRA' } },
    { JIRA: jiraToken },
  ).tickets
  expect((await bearer?.find(key('PAY-12'), signal))?.id).toBe('jira:PAY-12')
})

test('Azure Boards: HTML and Markdown with criteria, projects by allow-list, more than one batch, and refusals in words', async () => {
  const azure = await startAzure()
  onTestFinished(() => azure.close())
  const [description, steps, criteria] = [
    'System.Description',
    'Microsoft.VSTS.TCM.ReproSteps',
    'Microsoft.VSTS.Common.AcceptanceCriteria',
  ] as const
  azure.state.workItems.push(
    {
      ...{ id: 12, project: "Ada's shop", title: 'Charged twice', state: 'Active', tags: 'money; api' },
      more: {
        [description]:
          '<div>Cards &amp; refunds<br>are <b>charged</b> twice.</div><style>p { margin: 0 }</style>',
        [criteria]:
          '<ul><li><p>A card is charged once</p></li><li>A refund&nbsp;is logged<ul><li>also late ones</li></ul></li></ul>',
      },
    },
    {
      ...{ id: 13, project: "Ada's shop", title: 'Plain', state: 'Done' },
      more: { [steps]: '## Requirements\n\n- Keep <b>bold</b> as it is', [criteria]: '- [ ] One' },
      markdown: [steps],
    },
    { id: 14, project: 'Salaries', title: 'Secret' },
    { id: 15, project: "Ada's shop", title: 'In a hidden area', isHidden: true },
    {
      id: 16,
      project: "Ada's shop",
      title: 'Own state',
      state: 'Shipped',
      more: { 'Microsoft.VSTS.Common.ClosedDate': '2026-01-02T00:00:00Z' },
    },
    ...Array.from({ length: 250 }, (_, at) => ({ id: at + 100, project: "Ada's shop", title: `Open ${at}` })),
  )
  const settings = (projects: readonly string[]) => ({
    azureBoards: { url: `${azure.url}/acme/`, projects, token: 'BOARDS' },
  })
  const [source] = open(settings(["ada's Shop"]), { BOARDS: azure.addToken('ada', ['vso.work']) }).tickets
  if (!source) throw new Error('Azure Boards was not opened')
  const workItem = (name: string): TicketReference => ({
    ...key(name),
    kind: 'work-item',
    linkedBy: `AB#${name}`,
  })
  expect(await source.find(workItem('12'), signal)).toEqual({
    id: 'azure:acme#12',
    title: 'Charged twice',
    body: 'Cards & refunds\nare **charged** twice.\n\n## Acceptance criteria\n\n- A card is charged once\n\n- A refund is logged\n  - also late ones',
    state: 'open',
    labels: ['api', 'money'],
    linkedBy: 'AB#12',
    criteria: [
      { id: 'AC1', text: 'A card is charged once', shape: 'heading', checked: null },
      { id: 'AC2', text: 'A refund is logged; also late ones', shape: 'heading', checked: null },
    ],
    cut: null,
  })
  expect(await source.find(workItem('13'), signal)).toMatchObject({
    body: '## Requirements\n\n- Keep <b>bold</b> as it is\n\n## Acceptance criteria\n\n- [ ] One',
    state: 'closed',
    criteria: [{ text: 'Keep bold as it is' }, { text: 'One' }],
  })
  expect(await source.find(workItem('16'), signal)).toMatchObject({ state: 'closed', body: '' })
  for (const hidden of ['14', '15', '404']) expect(await source.find(workItem(hidden), signal)).toBeNull()
  const asked = azure.log.length
  expect([source.mayRead(key('PAY-1')), await source.find(number('12'), signal)]).toEqual([false, null])
  expect(azure.log).toHaveLength(asked)
  const [exact] = open(settings(["Ada's shop"]), { BOARDS: azure.addToken('ada', ['vso.work']) }).tickets
  const listed = (await exact?.listOpen(240, signal)) ?? []
  // One that is in an area out of sight counts, and is not shown.
  expect([listed.length, listed[0], listed.at(-1)?.id]).toEqual([
    ...[239, { id: 'azure:acme#12', title: 'Charged twice', labels: ['api', 'money'] }],
    'azure:acme#336',
  ])
  const [wrong] = open(settings(['Web']), { BOARDS: azure.addToken('ada', ['vso.code']) }).tickets
  await expect(wrong?.find(workItem('12'), signal)).rejects.toThrow(
    'Azure Boards (/_apis/wit/workitems/12) does not accept the token in BOARDS, which needs the scope Work Items (Read)',
  )
  expect(azure.violations).toEqual([])
})

test('Linear: queries that its schema accepts, both kinds of token, teams by allow-list', async () => {
  const linear = await startLinear([
    {
      identifier: 'ENG-42',
      title: 'Limit requests',
      description: '## Requirements\n- At most 60 a minute',
      labels: ['api'],
    },
    { identifier: 'ENG-43', title: 'Old', description: null, state: 'completed' },
    { identifier: 'OPS-1', title: 'Secret', description: null, formerly: ['ENG-9'] },
    { identifier: 'ENG-44', title: 'Second', description: null },
    { identifier: 'ENG-45', title: 'Third', description: null, state: 'backlog' },
  ])
  const settings = { linear: { url: linear.url, teams: ['ENG'], token: 'LINEAR' } }
  const [source] = open(settings, { LINEAR: linearKey }).tickets
  expect(await source?.find(key('ENG-42'), signal)).toMatchObject({
    id: 'linear:ENG-42',
    state: 'open',
    labels: ['api'],
    criteria: [{ id: 'AC1', text: 'At most 60 a minute' }],
  })
  expect(await source?.find(key('ENG-43'), signal)).toMatchObject({ state: 'closed', body: '' })
  expect(await source?.find(key('ENG-9'), signal)).toBeNull()
  expect(await source?.find(key('ENG-999'), signal)).toBeNull()
  const asked = linear.requests.length
  expect(await source?.find(key('OPS-1'), signal)).toBeNull()
  expect(linear.requests).toHaveLength(asked)
  expect((await source?.listOpen(10, signal))?.map(({ id }) => id)).toEqual([
    'linear:ENG-42',
    'linear:ENG-44',
    'linear:ENG-45',
  ])
  linear.next.push({
    status: 400,
    body: { errors: [{ message: 'Rate limit exceeded', extensions: { code: 'RATELIMITED' } }] },
    headers: { 'retry-after': '900' },
  })
  await expect(source?.find(key('ENG-42'), signal)).rejects.toThrow('asks to wait for 900 seconds')
  const [oauth] = open(settings, { LINEAR: linearOauth }).tickets
  expect((await oauth?.find(key('ENG-42'), signal))?.id).toBe('linear:ENG-42')
  const [wrong] = open(settings, { LINEAR: 'lin_api_wrong' }).tickets
  await expect(wrong?.find(key('ENG-42'), signal)).rejects.toThrow(
    'Linear does not accept the token in LINEAR',
  )
})

test('GitLab: issues of the project and of those that the operator names, in pages', async () => {
  const issue = (iid: number) => ({
    iid,
    title: `Issue ${iid}`,
    description: iid === 3 ? '- [ ] One' : null,
    state: iid === 4 ? 'closed' : 'opened',
    labels: ['b', 'a'],
  })
  const gitlab = await startStandIn(({ url, headers, method }) => {
    if (headers.authorization !== 'Bearer glpat-test')
      throw { status: 401, body: { message: '401 Unauthorized' } }
    const [, project, iid] = /^\/api\/v4\/projects\/([^/]+)\/issues(?:\/(\d+))?$/.exec(url.pathname) ?? []
    if (method !== 'GET' || !['group%2Fsub%2Fshop', 'group%2Fother'].includes(project ?? ''))
      throw { status: 404, body: { message: '404 Project Not Found' } }
    if (iid) return Number(iid) < 300 ? { status: 200, body: issue(Number(iid)) } : { status: 404, body: {} }
    demandQuery(url, { state: /^opened$/, order_by: /^updated_at$/, per_page: /^100$/, page: /^[1-9]\d*$/ })
    const from = (Number(url.searchParams.get('page')) - 1) * 100
    return {
      status: 200,
      body: Array.from({ length: Math.min(100, 150 - from) }, (_, at) => issue(from + at + 5)),
    }
  })
  const source = createGitLabIssues({
    name: 'GitLab',
    url: `${gitlab.url}/api/v4`,
    tokenName: 'GITLAB_TOKEN',
    headers: { authorization: 'Bearer glpat-test' },
    fetch,
    project: 'group/sub/shop',
    moreProjects: ['group/other'],
  })
  expect(await source.find(number('3'), signal)).toMatchObject({
    id: 'gitlab:group/sub/shop#3',
    state: 'open',
    labels: ['a', 'b'],
    criteria: [{ text: 'One' }],
  })
  expect(await source.find(number('4', 'Group/Other'), signal)).toMatchObject({ state: 'closed' })
  expect(await source.find(number('999'), signal)).toBeNull()
  expect(source.mayRead(number('1', 'group/secret'))).toBe(false)
  expect(source.mayRead(key('PAY-1'))).toBe(false)
  expect(await source.listOpen(300, signal)).toHaveLength(150)
})

test('Sentry: open errors of the projects named, with the frames that lie in changed files', async () => {
  const sentry = await startSentry([
    {
      id: '1',
      shortId: 'API-1',
      title: 'JWTDecodeError: Invalid token signature',
      project: 'api',
      events: 42,
      users: 7,
      frames: [
        { filename: 'app/api/login.py', function: 'login', lineNo: 12 },
        { filename: 'app/auth/token_service.py', function: 'TokenService.decode_token', lineNo: 33 },
      ],
    },
    {
      id: '2',
      shortId: 'HR-2',
      title: 'Secret',
      project: 'hr',
      events: 900,
      frames: [{ filename: 'app/auth/token_service.py', function: 'x', lineNo: 1 }],
    },
    {
      id: '3',
      shortId: 'API-3',
      title: 'Other file',
      project: 'api',
      events: 5,
      frames: [{ filename: 'lib/auth/token_service.py', function: 'x', lineNo: 1 }],
    },
    {
      id: '4',
      shortId: 'API-4',
      title: 'NullPointerException',
      project: 'api',
      events: 50,
      frames: [{ filename: 'Cart.java', module: 'shop.Cart', function: 'add', lineNo: 8 }],
    },
  ])
  const settings = {
    sentry: { url: sentry.url, organization: 'acme', projects: ['api', 'web'], token: 'SENTRY' },
  }
  const { errors } = open(settings, { SENTRY: sentryToken })
  const paths = new Map([
    ['app/auth/token_service.py', 'app/auth/tokens.py'],
    ['src/main/java/shop/Cart.java', 'src/main/java/shop/Cart.java'],
    ['odd "name*.py', 'odd "name*.py'],
  ])
  expect(await errors?.through(paths, signal)).toEqual([
    {
      id: 'sentry:API-4',
      title: 'NullPointerException',
      level: 'error',
      state: 'open',
      events: 50,
      users: 0,
      lastSeen: '2026-11-20',
      frames: [{ path: 'src/main/java/shop/Cart.java', line: 8, function: 'add' }],
    },
    {
      id: 'sentry:API-1',
      title: 'JWTDecodeError: Invalid token signature',
      level: 'error',
      state: 'open',
      events: 42,
      users: 7,
      lastSeen: '2026-11-20',
      frames: [{ path: 'app/auth/tokens.py', line: 33, function: 'TokenService.decode_token' }],
    },
  ])
  const { errors: refused } = open(settings, { SENTRY: 'wrong' })
  await expect(refused?.through(paths, signal)).rejects.toThrow('does not accept the token in SENTRY')
})

test('a tracker without its token, or for other repositories, is not asked; a server needs the host named too', () => {
  const settings = TrackerSettings.parse({
    linear: { teams: ['ENG'], token: 'LINEAR', repositories: ['github.com/acme/shop', 'acme/site'] },
    jira: { url: 'https://acme.atlassian.net', projects: ['PAY'], token: 'JIRA' },
  })
  const opened = openTrackers(settings, {
    environment: {},
    repository: ['acme/shop', 'github.com/acme/shop'],
    fetch,
  })
  expect(opened.limits).toEqual([
    'Jira was not asked: the environment variable JIRA is not set',
    'Linear was not asked: the environment variable LINEAR is not set',
  ])
  const other = openTrackers(settings, { environment: { LINEAR: 'x' }, repository: ['acme/api'], fetch })
  expect(other.tickets).toEqual([])
  expect(trackerTokens(trackersFor(settings, 'github.com/acme/shop'))).toEqual(['LINEAR'])
  expect(trackerTokens(trackersFor(settings, 'gitlab.com/acme/site'))).toEqual([])
})
