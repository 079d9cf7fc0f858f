/** Tickets: how a change points to them, which criteria they name, and what GitHub's wire gives. */
import { expect, test } from 'vitest'
import { createGitHubTickets } from '../../../src/hosts/tickets/github-tickets.ts'
import { findReferences } from '../../../src/hosts/tickets/references.ts'
import { parseCriteria, ticketFromText } from '../../../src/hosts/tickets/ticket-text.ts'
import { cpuMilliseconds } from '../../helpers/cpu-time.ts'
import { startGitHub, token } from './fake-github.ts'

const told = (markdown: string) =>
  parseCriteria(markdown).map(({ id, shape, text }) => `${id} ${shape}: ${text}`)
const pointers = (title: string, body: string, branch: string | null = null) =>
  findReferences({ title, body, branch }).map(
    ({ kind, repository, name }) => `${kind} ${repository ?? ''}#${name}`,
  )

const acme = { repository: 'acme/shop', moreRepositories: [] }

test('lists below a heading that names criteria, in every way headings are written', () => {
  for (const heading of [
    '## Acceptance criteria',
    '**Acceptance Criteria:**',
    'Requirements:',
    '### Definition of Done ###',
  ])
    expect(
      told(
        `Intro.\n\n${heading}\n\n- It retries twice\n- It gives up\n  after a minute\n\n## Notes\n\n- not this\n`,
      ),
    ).toEqual(['AC1 heading: It retries twice', 'AC2 heading: It gives up after a minute'])
})

test('task lists anywhere, with what is ticked; nested items belong to the one above', () => {
  const criteria = parseCriteria('- [x] Logs in\n- [ ] Logs out\n  - also on timeout\n1. [ ] Numbered\n')
  expect(criteria.map(({ text, checked }) => [text, checked])).toEqual([
    ['Logs in', true],
    ['Logs out; also on timeout', false],
    ['Numbered', false],
  ])
})

test('Given/When/Then is one criterion for each scenario', () => {
  expect(
    told(
      'Scenario: empty cart\nGiven an empty cart\nWhen I pay\nThen I see an error\n\nGiven a full cart\nWhen I pay\nThen I am thanked\n',
    ),
  ).toEqual([
    'AC1 scenario: Scenario: empty cart Given an empty cart When I pay Then I see an error',
    'AC2 scenario: Given a full cart When I pay Then I am thanked',
  ])
})

test('sentences of duty only when nothing else is there', () => {
  expect(
    told('We have a problem. The parser must accept empty files. Nice weather. It should not print twice!'),
  ).toEqual(['AC1 sentence: The parser must accept empty files.', 'AC2 sentence: It should not print twice!'])
  expect(told('It must work well for all.\n\n- [ ] Works')).toEqual(['AC1 checklist: Works'])
  expect(told('Just a story about a bug.')).toEqual([])
})

test('code and comments hold no criteria, each text counts once, and nothing is endless', () => {
  expect(told('```md\n- [ ] in code\n```\n<!-- \n- [ ] hidden\n-->\n- [ ] Real\n- [ ] real\n')).toEqual([
    'AC1 checklist: Real',
  ])
  expect(
    parseCriteria(
      '- [ ] x\n'.repeat(1) + Array.from({ length: 500 }, (_, at) => `- [ ] item ${at}\n`).join(''),
    ),
  ).toHaveLength(50)
  const startedAt = cpuMilliseconds()
  parseCriteria(`${'-'.repeat(50_000)}\n${'* '.repeat(50_000)}\n${'given '.repeat(20_000)}`)
  parseCriteria(`## ${'a'.repeat(90_000)}`)
  expect(cpuMilliseconds() - startedAt).toBeLessThan(5_000)
})

test('pointers: closing words first, then links, then bare numbers, then the branch', () => {
  expect(
    pointers('Fix parser (#7)', 'Fixes #12, closes acme/shop#3\nhttps://github.com/acme/shop/issues/9'),
  ).toEqual(['number #12', 'number acme/shop#3', 'number acme/shop#9', 'number #7'])
  // As part of an address these would be another one.
  expect(pointers('Fixes x/..#3', 'see acme/.#4, https://github.com/acme/../issues/5')).toEqual([])
  expect(pointers('x', 'resolves: GH-44', 'feature/55-login')).toEqual(['number #44', 'number #55'])
  expect(pointers('x', '', 'issue-8')).toEqual(['number #8'])
  expect(pointers('PAY-12 add UTF-8', '', 'PAY-13-x')).toEqual(['key #PAY-12', 'key #PAY-13'])
  expect(pointers('no pointers', 'a&#39;b, color #fff, v1.2.3, page#12', 'release/2.0.1')).toEqual([])
  expect(pointers('x', Array.from({ length: 50 }, (_, at) => `#${at + 1}`).join(' '))).toHaveLength(5)
})

test('a ticket from a file: title, criteria, and what was cut', () => {
  const ticket = ticketFromText(`\n# Retry uploads\n\n- [ ] Retries\n${'x'.repeat(30_000)}`, 'ticket.md')
  expect([ticket.id, ticket.title, ticket.criteria[0]?.text]).toEqual([
    'file:ticket.md',
    'Retry uploads',
    'Retries',
  ])
  expect(ticket.body).toHaveLength(20_000)
  expect(ticket.cut).toContain('20000 are kept')
})

test('GitHub: issues are read, pull requests, strangers and moved issues are none, limits are told', async () => {
  const issue = (number: number, more: object = {}) => ({
    ...{ number, title: `Issue ${number}`, body: '- [ ] One', state: 'open', labels: [{ name: 'bug' }] },
    ...more,
  })
  const root = '/repos/acme/shop/issues'
  const pull = (at: number) => (at % 2 === 0 ? { pull_request: {} } : {})
  const failing = (status: number, headers: Record<string, string>) => () => ({
    ...{ status, headers },
    body: { message: 'no' },
  })
  const { url, requests } = await startGitHub({
    [root]: [...Array.from({ length: 100 }, (_, at) => issue(at + 1, pull(at))), issue(900)],
    [`${root}/1`]: issue(1),
    [`${root}/2`]: issue(2, { pull_request: { url: 'x' } }),
    [`${root}/3`]: failing(301, { location: 'http://127.0.0.1:1/evil' }),
    [`${root}/4`]: failing(403, { 'x-ratelimit-remaining': '0' }),
  })
  const source = createGitHubTickets({ ...acme, token, tokenName: 'GITHUB_TOKEN', apiUrl: url, fetch })
  const { signal } = new AbortController()
  const find = (name: string, repository: string | null = null) =>
    source.find({ kind: 'number', repository, name, linkedBy: 'Fixes #1' }, signal)
  expect(await find('1')).toMatchObject({
    id: 'github:acme/shop#1',
    state: 'open',
    labels: ['bug'],
    linkedBy: 'Fixes #1',
    criteria: [{ id: 'AC1', text: 'One' }],
  })
  for (const [name, repository] of [['2'], ['3'], ['99'], ['1', 'other/repo']] as const)
    expect(await find(name, repository)).toBeNull()
  await expect(find('4')).rejects.toThrow(
    'GitHub (/repos/acme/shop/issues/4) asks to wait for 60 seconds (status 403)',
  )
  const open = await source.listOpen(200, signal)
  expect([open.length, open[0], open.at(-1)?.id]).toEqual([
    51,
    { id: 'github:acme/shop#2', title: 'Issue 2', labels: ['bug'] },
    'github:acme/shop#900',
  ])
  expect(requests.at(-1)?.path).toBe(`${root}?state=open&sort=updated&per_page=100&page=2`)
  expect(await source.listOpen(3, signal)).toHaveLength(3)
  expect(await source.find({ kind: 'key', repository: null, name: 'PAY-1', linkedBy: '' }, signal)).toBeNull()
  expect(requests.every(({ authorization }) => authorization === `Bearer ${token}`)).toBe(true)
  const wrong = createGitHubTickets({
    ...acme,
    token: 'secret-token',
    tokenName: 'GITHUB_TOKEN',
    apiUrl: url,
    fetch,
  })
  await expect(
    wrong.find({ kind: 'number', repository: null, name: '1', linkedBy: '' }, signal),
  ).rejects.toThrow(/^GitHub \(\/repos\/acme\/shop\/issues\/1\) does not accept the token in GITHUB_TOKEN$/)
})
