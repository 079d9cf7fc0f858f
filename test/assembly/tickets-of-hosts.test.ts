/** What a change request on each host points to becomes its tickets: through the adapter, git and the trackers. */
import { expect, onTestFinished, test } from 'vitest'
import { collectChange } from '../../src/assembly/collect-change.ts'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import { TrackerSettings } from '../../src/config/settings/trackers.ts'
import type { HostAccess } from '../../src/hosts/remote/contract.ts'
import { hostedSource } from '../../src/hosts/remote/source.ts'
import { openTransport } from '../../src/hosts/remote/transport.ts'
import { issueOrigin } from '../../src/hosts/tickets/registry.ts'
import { hostSetups } from '../contracts/host-setups.ts'
import { type FakeAzure, startAzure } from '../helpers/hosts/azure/server.ts'
import type { NewChange } from '../helpers/hosts/engine/change.ts'
import type { Project } from '../helpers/hosts/engine/world.ts'
import type { FakeForgejo } from '../helpers/hosts/forgejo/server.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { jiraToken, jiraUser, startJira } from '../helpers/trackers/jira.ts'

const { signal } = new AbortController()
const files = { 'a.ts': 'export const a = 2\n' }

async function open(kind: keyof typeof hostSetups, about: (project: Project) => NewChange) {
  const setup = hostSetups[kind]
  const fake = await setup.start()
  onTestFinished(() => fake.close())
  const project = fake.world.createProject('acme/shop', { files: { 'a.ts': 'export const a = 1\n' } })
  const change = project.open(about(project))
  const address = setup.addressOf(fake, project, change)
  const { read, tokenName } = setup.tokens(fake, project)
  const collect = async (
    trackers: Partial<TrackerSettings> = {},
    { token = read, environment = {} }: { token?: string; environment?: NodeJS.ProcessEnv } = {},
  ) => {
    const access: HostAccess = { token, tokenName, fetch: openTransport() }
    const settings = { ...defaultSettings, trackers: TrackerSettings.parse(trackers) }
    const collected = await collectChange(
      hostedSource(address, setup.host.openReader(address, access)),
      {
        settings,
        environment,
        facts: sharedFacts(),
        folders: { cache: null },
        signal,
        now: () => new Date(),
      },
      { ticket: issueOrigin(address, access), depth: 'quick' },
    )
    onTestFinished(() => collected.close())
    const { tickets = [], openTickets = [], limits } = collected.request
    return {
      tickets: tickets.map(({ id, linkedBy }) => `${id}: ${linkedBy}`),
      open: openTickets.map(({ id }) => id),
      limits,
    }
  }
  return { fake, project, change, collect }
}

for (const kind of ['github', 'gitlab'] as const)
  test(`${kind}: an issue that the change closes`, async () => {
    const { fake, collect } = await open(kind, (project) => {
      const { number } = project.openIssue('Charged twice', '- [ ] Once')
      return { branch: 'topic', files, body: `Closes #${number}` }
    })
    const { tickets } = await collect()
    expect(tickets).toEqual([`${kind}:acme/shop#1: linked to the change on its host`])
    expect(fake.violations).toEqual([])
  })

test('forgejo: issues that the change points to, and open ones by pages; a token without the scope costs them, in words', async () => {
  const opened = await open('forgejo', (project) => {
    for (let at = 1; at <= 60; at++) project.openIssue(`Issue ${at}`, '- [ ] Once', 'ada', ['bug'])
    return { branch: 'fix/7-totals', files, title: 'Closes #12', body: 'See other/shop#3, after #61.' }
  })
  const { tickets, open: listed, limits } = await opened.collect()
  expect(tickets).toEqual([
    'forgejo:acme/shop#12: Closes #12 in the title',
    'forgejo:acme/shop#7: the branch fix/7-totals',
  ])
  expect(listed).toEqual(Array.from({ length: 60 }, (_, at) => `forgejo:acme/shop#${60 - at}`))
  expect(limits).toEqual([
    // The pull request itself.
    'the ticket #61 (#61 in the description) could not be found',
    expect.stringContaining('the ticket other/shop#3 (See other/shop#3 in the description) was not fetched'),
  ])

  const fake = opened.fake as FakeForgejo
  const without = await opened.collect({}, { token: fake.addToken('sightline', ['read:repository']) })
  expect(without.tickets).toEqual([])
  expect(without.limits.join('\n')).toContain(
    'Forgejo (/repos/acme/shop/issues/12) does not allow this to the token in FORGEJO_TOKEN',
  )
  expect(fake.violations).toEqual([])
})

const workItem = (id: number, project = 'acme') => ({ id, project, title: `Work item ${id}` })

test('azure: work items that are linked, and those of commits; a token without the scope costs them, in words', async () => {
  const opened = await open('azure', () => ({ branch: 'topic', files, body: 'See #13.' }))
  const fake = opened.fake as FakeAzure
  fake.state.workItems.push(workItem(12), workItem(13), workItem(14), workItem(15, 'secret'))
  fake.state.links.set(opened.change, [12, 15])
  opened.change.push({ 'a.ts': 'export const a = 3\n' }, { message: 'Round up\n\nab#14' })
  const { tickets, open: listed, limits } = await opened.collect()
  expect(tickets).toEqual([
    'azure:DefaultCollection#14: ab#14 in a commit',
    'azure:DefaultCollection#12: linked to the change on its host',
    'azure:DefaultCollection#13: See #13 in the description',
  ])
  expect(listed).toEqual([12, 13, 14].map((id) => `azure:DefaultCollection#${id}`))
  expect(limits).toEqual(['the ticket AB#15 (linked to the change on its host) could not be found'])

  const token = fake.addToken('sightline', ['vso.code', 'vso.identity'])
  const without = await opened.collect({}, { token })
  expect(without.tickets).toEqual([])
  const refusal =
    'does not accept the token in SIGHTLINE_AZURE_TOKEN, which needs the scope Work Items (Read)'
  expect(without.limits).toEqual([
    `some tickets could not be fetched: Azure Boards (/_apis/wit/workitems/14) ${refusal}`,
    `the list of open tickets could not be fetched: Azure Boards (/_apis/wit/wiql) ${refusal}`,
  ])
  expect(fake.violations).toEqual([])
})

test('azure: the trackers of the operator are asked first, and then the project of the change', async () => {
  const opened = await open('azure', () => ({ branch: 'topic', files, body: '#12, #13 and #14' }))
  const fake = opened.fake as FakeAzure
  fake.state.workItems.push(workItem(12), workItem(13, 'Our shop'), workItem(14, 'secret'))
  const boards = { url: `${fake.url}/acme`, projects: ['Our shop'], token: 'BOARDS' }
  const environment = { BOARDS: fake.addToken('boards', ['vso.work']) }
  const before = fake.log.length
  const { tickets, limits } = await opened.collect({ azureBoards: boards }, { environment })
  expect(tickets).toEqual([
    'azure:DefaultCollection#12: #12 in the description',
    'azure:acme#13: #13 in the description',
  ])
  expect(limits).toEqual(['the ticket AB#14 (#14 in the description) could not be found'])
  const asked = fake.log.slice(before).map(({ path }) => path)
  expect(asked.filter((path) => path.endsWith('/workitems/12'))).toEqual([
    '/acme/_apis/wit/workitems/12',
    '/DefaultCollection/_apis/wit/workitems/12',
  ])
  expect(asked.filter((path) => path.endsWith('/workitems/13'))).toHaveLength(1)
})

for (const kind of ['bitbucket', 'bitbucket-dc'] as const)
  test(`${kind}: keys of Jira in the title, the branch and the commits`, async () => {
    const jira = await startJira(
      ['PAY-1', 'PAY-2', 'PAY-3', 'HR-7'].map((key) => ({ key, summary: key, description: null })),
    )
    const { fake, change, collect } = await open(kind, () => ({
      ...{ branch: 'feature/PAY-2-round-up', files, title: 'PAY-1: round up', body: '' },
    }))
    change.push(
      { 'a.ts': 'export const a = 3\n' },
      { message: 'PAY-3 and HR-7: round prices up in UTF-8, RC-1' },
    )
    const settings = { url: jira.url, projects: ['PAY'], user: jiraUser, token: 'JIRA' }
    const { tickets, limits } = await collect({ jira: settings }, { environment: { JIRA: jiraToken } })
    expect(tickets).toEqual([
      'jira:PAY-1: PAY-1 in the title',
      'jira:PAY-2: PAY-2 in the branch',
      'jira:PAY-3: PAY-3 in a commit',
    ])
    expect(limits).toEqual([])
    expect(fake.violations).toEqual([])
  })

test('AB#12 on any host is a work item of the tracker', async () => {
  const boards = await startAzure()
  onTestFinished(() => boards.close())
  boards.state.workItems.push(workItem(12, 'Web'))
  const azureBoards = { url: `${boards.url}/acme`, projects: ['web'], token: 'BOARDS' }
  const environment = { BOARDS: boards.addToken('boards', ['vso.work']) }
  const { collect } = await open('bitbucket', () => ({
    branch: 'topic',
    files,
    title: 'Fix AB#12 and AB#13',
  }))
  const { tickets, limits } = await collect({ azureBoards }, { environment })
  expect(tickets).toEqual(['azure:acme#12: AB#12 in the title'])
  expect(limits).toEqual(['the ticket AB#13 (AB#13 in the title) could not be found'])
  expect((await collect()).limits).toEqual([])
})
