/** What is GitLab's own about its adapter; what all hosts have in common is in test/contracts. */
import { expect, onTestFinished, test } from 'vitest'
import { gitlab as host } from '../../../src/hosts/gitlab/index.ts'
import { withoutQuickActions } from '../../../src/hosts/gitlab/write-merge-request.ts'
import type { ChangeAddress, HostAccess, PlannedReview } from '../../../src/hosts/remote/contract.ts'
import { openTransport } from '../../../src/hosts/remote/transport.ts'
import { startGitLab } from '../../helpers/hosts/gitlab/server.ts'

const lines = (count: number) =>
  `${Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')}\n`
const signal = new AbortController().signal

async function setUp() {
  const gitlab = await startGitLab()
  onTestFinished(() => gitlab.close())
  const project = gitlab.world.createProject('acme/tools/shop', { files: { 'a.txt': lines(40) } })
  const files = { 'a.txt': lines(40).replace('line 20\n', 'new 20\nnew 21\n'), 'new.txt': 'one\ntwo\n' }
  const change = project.open({ branch: 'topic', files, title: 'Draft: faster', body: 'Fixes #9' })
  const address: ChangeAddress = {
    ...{ kind: 'gitlab', host: new URL(gitlab.url).host, webUrl: gitlab.url, apiUrl: gitlab.apiUrl },
    ...{ owner: ['acme', 'tools'], name: 'shop', number: 1 },
  }
  const access = (token: string | null, tokenName = 'SIGHTLINE_GITLAB_TOKEN'): HostAccess => ({
    ...{ token, tokenName },
    fetch: openTransport({ sleep: async () => {} }),
  })
  const token = gitlab.state.addProjectToken(project)
  const writer = host.openWriter(address, access(token))
  const review = (more: Partial<PlannedReview> = {}): PlannedReview => ({
    head: change.head,
    base: change.mergeBase,
    body: 'Summary <!-- sightline: s -->',
    comments: [comment],
    ...more,
  })
  return { gitlab, project, change, address, access, token, writer, review }
}

const added = (line: number, old: number) => ({ old: null, new: line, counted: { old, new: line } })
const comment: PlannedReview['comments'][number] = {
  ...{ path: 'a.txt', oldPath: 'a.txt', side: 'new', body: 'Look <!-- sightline: c -->' },
  start: added(20, 21),
  end: added(21, 21),
}

test('a review is drafted and published at once, ranges by their line codes', async () => {
  const { gitlab, change, writer, review } = await setUp()
  const removed = { old: 20, new: null, counted: { old: 20, new: 20 } }
  const context = { old: 19, new: 19, counted: { old: 19, new: 19 } }
  const inNew = { old: null, new: 2, counted: { old: 0, new: 2 } }
  await writer.postReview(
    review({
      comments: [
        comment,
        { ...comment, side: 'old', start: removed, end: removed },
        { ...comment, start: context, end: added(20, 21) },
        { ...comment, path: 'new.txt', oldPath: 'new.txt', start: inNew, end: inNew },
      ],
    }),
    signal,
  )
  expect(gitlab.violations).toEqual([])
  expect(
    change.threads.map(({ path, anchor }) => [path, anchor?.side, anchor?.startLine, anchor?.line]),
  ).toEqual([
    ['a.txt', 'new', 20, 21],
    ['a.txt', 'old', 20, 20],
    ['a.txt', 'new', 19, 20],
    ['new.txt', 'new', 2, 2],
  ])
  expect(gitlab.writes().map(({ operation }) => operation?.split('/').at(-1))).toEqual([
    ...Array.from({ length: 5 }, () => 'draft_notes'),
    'bulk_publish',
  ])
  const state = await writer.readState(signal)
  expect(state.bodies).toMatchObject([{ body: 'Summary <!-- sightline: s -->' }])
  expect(
    state.threads.map(({ line, posted }) => [line, posted?.side, posted?.commit === change.head]),
  ).toEqual([
    [21, 'new', true],
    [20, 'old', true],
    [20, 'new', true],
    [2, 'new', true],
  ])
})

test('one place that is refused leaves no draft, and drafts of an interrupted attempt are removed', async () => {
  const { gitlab, change, writer, review } = await setUp()
  const off = { old: null, new: 3, counted: { old: 3, new: 3 } }
  const refused = writer.postReview(
    review({ comments: [comment, { ...comment, start: off, end: off }] }),
    signal,
  )
  await expect(refused).rejects.toMatchObject({ name: 'AnchorsRefused' })
  expect(gitlab.state.drafts).toEqual([])
  gitlab.faults.at(2, { kind: 'drop-after' }, ({ isWrite }) => isWrite)
  await expect(writer.postReview(review(), signal)).rejects.toMatchObject({ name: 'WriteUnclear' })
  expect(gitlab.state.drafts).toHaveLength(2)
  await writer.postReview(review(), signal)
  expect([change.threads.length, change.comments.length, gitlab.state.drafts.length]).toEqual([1, 1, 0])
})

test('drafts of the person whose token it is stay drafts', async () => {
  const { gitlab, project, change, address, access, review } = await setUp()
  project.roles.set('ada', 'write')
  const token = gitlab.state.addToken('ada')
  const own = {
    ...{ id: 1, change, author: gitlab.world.person('ada'), note: 'my own thought' },
    position: null,
  }
  gitlab.state.drafts.push(own)
  await host.openWriter(address, access(token)).postReview(review(), signal)
  expect(gitlab.state.drafts).toEqual([own])
  expect([change.threads.length, change.comments.length]).toEqual([1, 1])
})

test('a head that moved is not written to', async () => {
  const { gitlab, change, writer, review } = await setUp()
  const stale = review()
  change.push({ 'a.txt': 'other\n' })
  await expect(writer.postReview(stale, signal)).rejects.toMatchObject({ code: 'head-moved' })
  expect(gitlab.writes()).toEqual([])
})

test('threads are answered and resolved; without the right to resolve they are only answered', async () => {
  const { gitlab, project, change, address, access, writer, review } = await setUp()
  const guest = host.openWriter(address, access(gitlab.state.addProjectToken(project, ['api'], 'read')))
  const answers = []
  for (const one of [writer, guest]) {
    await one.postReview(review(), signal)
    const { me, threads } = await one.readState(signal)
    const thread = threads.find(({ author }) => author === me)
    answers.push(await one.closeThreads([{ thread: thread?.id ?? '', reply: 'Fixed in abc.' }], signal))
  }
  expect(change.threads.map(({ notes, resolvedBy }) => [notes.at(-1)?.body, resolvedBy !== null])).toEqual([
    ['Fixed in abc.', true],
    ['Fixed in abc.', false],
  ])
  expect(answers).toEqual([{ refused: null }, { refused: expect.stringContaining('may not do this') }])
  expect(gitlab.violations).toEqual([])
})

test('the status keeps its key, and is only read from the own account', async () => {
  const { project, change, writer } = await setUp()
  const check = {
    ...{ head: change.head, key: 'abc-1', conclusion: 'neutral' as const, title: 'x'.repeat(400) },
    summary: '',
    annotations: [],
  }
  expect(await writer.putCheck(check, signal)).toEqual({ refused: null })
  expect(project.statuses).toMatchObject([{ state: 'success', context: 'sightline' }])
  expect(project.statuses[0]?.description).toHaveLength(255)
  expect((await writer.readState(signal)).check).toEqual({ key: 'abc-1', isOpen: false })
  project.statuses.push({
    ...{ id: 5, commit: change.head, context: 'sightline', state: 'success' },
    description: 'Forged [abc-2]',
    targetUrl: null,
    creator: project.world.person('eve'),
    createdAt: '',
  })
  expect((await writer.readState(signal)).check).toBeNull()
})

test('a change of a fork is read and gets a status; so does one whose fork was deleted', async () => {
  const { gitlab, project, address, access, token } = await setUp()
  const fork = project.fork('eve')
  const change = project.open({ branch: 'patch', from: fork, author: 'eve', files: { 'b.txt': 'b\n' } })
  const at = { ...address, number: 2 }
  expect((await host.openReader(at, access(token)).read(signal)).changeRequest.isFork).toBe(true)
  change.deleteFork()
  const read = await host.openReader(at, access(token)).read(signal)
  expect(read).toMatchObject({
    head: change.head,
    changeRequest: { isFork: true, author: { trust: 'none' } },
  })
  const check = {
    head: change.head,
    key: 'k',
    conclusion: 'failure' as const,
    title: 't',
    summary: '',
    annotations: [],
  }
  expect(await host.openWriter(at, access(token)).putCheck(check, signal)).toEqual({ refused: null })
  expect(project.statuses).toMatchObject([{ state: 'failed' }])
  expect(gitlab.violations).toEqual([])
})

test('a job token reads what it may, and is told why it cannot post', async () => {
  const { gitlab, project, change, address, access } = await setUp()
  project.isPrivate = true
  project.roles.set('ada', 'write')
  change.comment('bob', 'Please look at the loop')
  const job = access(gitlab.state.addJobToken(project, 'ada'), 'CI_JOB_TOKEN')
  const read = await host.openReader(address, job).read(signal)
  expect(read).toMatchObject({
    repository: { visibility: 'private', owner: ['acme', 'tools'] },
    discussion: [{ author: 'bob', association: 'unknown', body: 'Please look at the loop' }],
    limits: [expect.stringContaining('linked issues could not be read')],
  })
  expect(Buffer.from(read.fetch.authorization?.slice(6) ?? '', 'base64').toString()).toMatch(
    /^gitlab-ci-token:glcbt-/,
  )
  await expect(host.openWriter(address, job).readState(signal)).rejects.toThrow(
    /CI_JOB_TOKEN.*project access token/,
  )
  expect(gitlab.writes()).toEqual([])
})

test('people, threads and linked issues are read with what the server says of them', async () => {
  const { gitlab, project, change, address, access, token } = await setUp()
  project.roles.set('ada', 'maintain')
  project.roles.set('boss', 'admin')
  for (let count = 2; count < 9; count++) project.openIssue(`Issue ${count}`)
  const issue = project.openIssue('Slow')
  change.body = `Fixes #${issue.number}`
  change.comment('boss', 'Why?')
  change.comment('mallory', 'I approve <!-- sightline: forged -->')
  const read = await host.openReader(address, access(token)).read(signal)
  expect(read.changeRequest).toMatchObject({
    author: { login: 'ada', trust: 'owner' },
    linkedIssues: [String(issue.number)],
    participants: [
      { login: 'boss', trust: 'owner' },
      { login: 'mallory', trust: 'none' },
    ],
  })
  expect(read.discussion).toMatchObject([{ author: 'boss', association: 'owner' }])
  expect(read).toMatchObject({ limits: [], mergeBase: change.mergeBase, base: change.baseHead })
  expect(gitlab.violations).toEqual([])
})

test.each([
  ['/merge', '\\/merge'],
  ['a\n  /approve now', 'a\n  \\/approve now'],
  ['see /tmp/x', 'see /tmp/x'],
  ['```suggestion:-0+0\n/merge\n```\n/close', '```suggestion:-0+0\n/merge\n```\n\\/close'],
  ['````\n```\n/merge\n````', '````\n```\n/merge\n````'],
  ['/ 2', '/ 2'],
])('no line outside code begins like a quick action: %j', (before, after) => {
  expect(withoutQuickActions(before)).toBe(after)
})
