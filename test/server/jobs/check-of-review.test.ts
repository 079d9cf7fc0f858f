/**
 * The check of a review from the webhook to its end, and what it lets through: each story on one host, drawn by a seed; on each host
 * by `npm run test:matrices`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type BuiltInHostKind, hostKinds } from '../../../src/domain/host-kind.ts'
import { ChangeDetail, ChangePage } from '../../../src/server/api/contract/changes.ts'
import { QueueState, RepositoryPage } from '../../../src/server/api/contract/operation.ts'
import { EvidencePage } from '../../../src/server/api/contract/runs.ts'
import { Trends } from '../../../src/server/api/contract/trends.ts'
import type { Permissions } from '../../helpers/hosts/github/state.ts'
import { drawn } from '../../helpers/matrix.ts'
import { openApi } from '../../helpers/served/api.ts'
import { type ConnectedHost, connectHost } from '../../helpers/served/hosts.ts'
import { endOfCheck, type ServedServer, startServed, watchCheck } from '../../helpers/served/server.ts'

const problem = 'export function run(text: string) {\n  return eval(text)\n}\n'
const other =
  'export function go(words: string) {\n  const made = eval(words.concat(" and more"))\n  return made\n}\n'
const gate = { failOn: 'medium', planes: ['reviewer', 'rules'] }

async function openWorld(kind: BuiltInHostKind, policy: object, rights?: Permissions) {
  const files = { 'run.ts': problem, 'go.ts': other }
  const host = await connectHost(kind, { files, ...(rights ? { rights } : {}) })
  const folder = mkdtempSync(join(tmpdir(), 'sightline-check-'))
  const server = await startServed({ host, folder, settings: { policy: { depth: 'offline', ...policy } } })
  onTestFinished(async () => {
    await server.stop()
    await host.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return { host, server }
}

/** On a busy machine, a comment waits for what runs before it. */
async function until({ log }: Pick<ServedServer, 'log'>, isSo: () => boolean): Promise<void> {
  await vi.waitUntil(isSo, { timeout: 240_000, interval: 50 }).catch(() => expect.fail(log.join('\n')))
}

/** In the conversation, with answers. */
function saidOf({ change, answers }: ConnectedHost) {
  return [...change.comments, ...(answers?.() ?? [])]
}

test.each(drawn(hostKinds, 2))(
  '%s: a check waits, runs, counts findings, and the API agrees',
  async (kind) => {
    const { host, server } = await openWorld(kind, {})
    const { change } = host
    const seen = watchCheck(host)
    await host.announce(server.url, 'opened')
    const first = await endOfCheck(host, server)
    expect(first.title).toMatch(/^2 findings/)
    expect(first.isPassed, 'without a gate the check only informs').toBe(true)
    for (const { notes } of change.threads)
      expect(
        (notes[0]?.body ?? '').replace(/<details>[\s\S]*?<\/details>|<!--[\s\S]*?-->/g, '').length,
      ).toBeLessThan(1_200)
    expect(seen[0]).toMatchObject({ isEnded: false, isPassed: false })
    expect(seen[0]?.title).toMatch(/^Waiting for a review/)
    const threadOn = (path: string) => change.threads.find((one) => one.path === path)
    const [run, go] = [threadOn('run.ts'), threadOn('go.ts')]
    if (!run || !go) throw new Error('both problems have a thread')
    // No model is set up, and the record says enough.
    const [, id] = /Finding `([0-9a-f]{8})`/.exec(go.notes[0]?.body ?? '') ?? []
    await host.say(server.url, change.comment('ada', `@sightline explain ${id}`))
    await until(server, () =>
      saidOf(host).some(({ body }) => body.includes('This is what the review recorded')),
    )
    change.push({ 'go.ts': other.replace('eval', 'JSON.parse') })
    await host.announce(server.url)
    expect((await endOfCheck(host, server)).title).toMatch(/^1 finding, 1 fixed/)
    expect(go.notes.map(({ body }) => body).join('\n')).toContain(`Fixed in ${change.head.slice(0, 12)}`)
    expect([go, run].map(host.isClosed), 'with the rights that are asked for').toEqual([true, false])
    // Asked for again: it is heard, and only the command is new.
    const writes = change.threads.length + change.comments.length
    seen.length = 0
    await host.say(server.url, change.comment('ada', '@sightline review'))
    await until(server, () => seen.some(({ title }) => title.startsWith('Waiting for a review')))
    expect((await endOfCheck(host, server)).title).toMatch(/^1 finding, 1 fixed/)
    expect(change.threads.length + change.comments.length).toBe(writes + 1)
    await expectApiAgrees(host, server)
    // Forgejo has no threads to resolve: there people delete.
    if (kind === 'forgejo') for (const note of [...run.notes]) change.deleteNote(note)
    else change.resolve(run, 'ada')
    change.push({ 'b.ts': 'export const two = 2\n' })
    await host.announce(server.url)
    const second = await endOfCheck(host, server)
    expect(second.title).toMatch(/^No findings, 1 fixed, 1 dismissed/)
    const overviews = change.comments.filter(({ body }) =>
      body.includes('What was reviewed, and what was not'),
    )
    expect(overviews, 'one overview, which was edited').toHaveLength(1)
    expect(overviews[0]?.body).toContain('No findings, 1 fixed, 1 dismissed')
    expect(overviews[0]?.body, 'nothing is missing').not.toContain('Missing rights')
    expect(overviews[0]?.body, 'its headline too').toMatch(/^\*\*(?:APPROVE: )?no findings/i)
    expect((await changeInApi(host, server, 4)).counts).toEqual({ open: 0, fixed: 1, dismissed: 1 })
    // A newer push ends the check of the commit that nobody waits for any more.
    const left = change.push({ 'c.ts': 'export const three = 3\n' })
    await host.announce(server.url)
    // With it goes what was settled by hand.
    change.push({ 'run.ts': problem.replace('eval', 'JSON.parse') })
    await host.announce(server.url)
    expect((await endOfCheck(host, server)).title).toMatch(/^No findings, 2 fixed(?:$| \[)/)
    await expect
      .poll(async () => (await changeInApi(host, server)).counts, { timeout: 120_000 })
      .toEqual({ open: 0, fixed: 2, dismissed: 0 })
    await until(server, () => host.check(left)?.isEnded !== false)
    expect(host.violations).toEqual([])
  },
)

test.each(drawn(hostKinds, 3))(
  '%s: a gate holds until its findings are gone or it is opened',
  async (kind) => {
    const { host, server } = await openWorld(kind, { gate })
    const { change, project } = host
    project.roles.set('grace', kind === 'forgejo' ? 'admin' : 'maintain')
    await host.announce(server.url, 'opened')
    await until(server, () => host.check(change.head) !== null)
    expect(host.check(change.head)?.isPassed, 'while it waits').toBe(false)
    const first = await endOfCheck(host, server)
    expect(first).toMatchObject({ isPassed: false })
    expect(first.title).toMatch(/2 of them block/)
    // By hand, nobody knows who it was and why.
    for (const thread of [...change.threads])
      if (kind === 'forgejo') for (const note of [...thread.notes]) change.deleteNote(note)
      else change.resolve(thread, 'ada')
    change.push({ 'c.ts': 'export const three = 3\n' })
    await host.announce(server.url)
    expect(await endOfCheck(host, server)).toMatchObject({ isPassed: false })
    // The author may not; somebody else with the right to write may, for this commit.
    await host.say(server.url, change.comment('ada', '@sightline open-gate because it is fine'))
    await until(server, () => saidOf(host).some(({ body }) => body.includes('Somebody else than the author')))
    expect(host.check(change.head)?.isPassed).toBe(false)
    await host.say(server.url, change.comment('grace', '@sightline open-gate because the input is ours'))
    const opened = await endOfCheck(host, server, change.head, ({ title }) =>
      title.includes('opened by grace'),
    )
    expect(opened.isPassed).toBe(true)
    change.push({ 'c.ts': 'export const three = 4\n' })
    await host.announce(server.url)
    expect(await endOfCheck(host, server)).toMatchObject({ isPassed: false })
    change.push({
      'run.ts': problem.replace('eval', 'JSON.parse'),
      'go.ts': other.replace('eval', 'JSON.parse'),
    })
    await host.announce(server.url)
    expect(await endOfCheck(host, server)).toMatchObject({ isPassed: true })
    expect(host.violations).toEqual([])
  },
)

test.each(drawn(hostKinds, 4))('%s: a review that failed says why, and opens no gate', async (kind) => {
  const { host, server } = await openWorld(kind, { gate })
  host.project.commit('main', { '.sightline.yaml': 'review:\n  nonsense: 1\n' })
  host.change.rebase()
  await host.announce(server.url, 'opened')
  const check = await endOfCheck(host, server)
  expect(check).toMatchObject({ isPassed: false })
  expect(check.title).toMatch(/^Not reviewed: the configuration is not valid/)
  if (kind === 'github') expect(check.text).toMatch(/nonsense[\s\S]*Correct what is named/)
  await until(server, () =>
    server.log.some((line) => line.includes('job-ended') && line.includes('nonsense')),
  )
})

/** What a publisher reads first: what of ours is there. */
const ofOurs = /\/graphql$|\/discussions$|\/reviews$|\/pullrequests\/\d+\/comments$|\/activities$|\/threads$/

test.each(drawn(hostKinds, 5))('%s: a gate stays shut where what is ours cannot be read', async (kind) => {
  const { host, server } = await openWorld(kind, { gate })
  for (let nth = 1; nth <= 40; nth++)
    host.faults.at(
      nth,
      { kind: 'fail-before', status: 403 },
      ({ path, method }) => ofOurs.test(path) && (method === 'GET' || path.endsWith('graphql')),
    )
  await host.announce(server.url, 'opened')
  const check = await endOfCheck(host, server)
  expect(check).toMatchObject({ isPassed: false })
  expect(check.title).toMatch(/^Not reviewed: a permission is missing/)
  expect(host.change.threads).toEqual([])
})

test.each(drawn(hostKinds, 0))(
  '%s: the check of a replaced commit ends without a webhook, not passed',
  async (kind) => {
    const { host, server } = await openWorld(kind, { gate })
    const { change } = host
    const left = change.head
    await host.announce(server.url, 'opened')
    await until(server, () => host.check(left) !== null)
    change.push({ 'run.ts': 'export {}\n', 'go.ts': 'export {}\n' })
    const newest = change.head
    const ended = await endOfCheck(host, server, left)
    expect(ended).toMatchObject({
      isPassed: false,
      title: expect.stringContaining('newer commits were pushed'),
    })
    // What was reviewed is the newer one.
    await until(server, () => host.check(newest)?.isEnded === true)
    expect(host.check(newest)).toMatchObject({ isPassed: true })
    expect(host.violations).toEqual([])
  },
)

// Nothing announces that it is closed, once it says that a review waits.
test.each(drawn(hostKinds, 1))('%s: the end of the check of a closed change, refused twice', async (kind) => {
  const { host, server } = await openWorld(kind, {})
  host.faults.at(1, { kind: 'run', action: () => host.change.close() }, ({ isWrite }) => isWrite)
  for (const nth of [2, 3])
    host.faults.at(nth, { kind: 'fail-before', status: 502 }, ({ isWrite }) => isWrite)
  await host.announce(server.url, 'opened')
  expect((await endOfCheck(host, server)).title).toContain('the change request is closed')
  expect(server.log.join()).toContain('job-trouble')
  expect(host.violations).toEqual([])
})

test('github: an App that lacks rights does what it may, and the log says what is missing', async () => {
  const rights = { contents: 'read', pull_requests: 'write', statuses: 'write' } as const
  const { host, server } = await openWorld('github', {}, rights)
  await host.announce(server.url, 'opened')
  const check = await endOfCheck(host, server)
  expect(check.title).toMatch(/^2 findings/)
  expect(host.change.threads).toHaveLength(2)
  const [overview] = host.change.comments
  expect(overview?.body).toContain(
    '**Missing rights**\n\n- Checks (write): a commit status of one line takes the place of the check',
  )
  const missing = server.log.filter((line) => line.includes('right-missing'))
  expect(missing.map((line) => JSON.parse(line).right)).toEqual(['checks (write)', 'issues (write)'])
})

/** The page of the change; where it is said, once the record of so many reviews is closed, which is after its check. */
async function changeInApi({ change, project, url }: ConnectedHost, server: ServedServer, reviews?: number) {
  const api = await openApi(server)
  const isClosed = async () => (await api('changes', ChangePage)).items[0]?.reviews === reviews
  if (reviews !== undefined) await vi.waitUntil(isClosed, { timeout: 120_000 })
  const repository = `${new URL(url).host}/${project.fullName}`
  const path = `change?repository=${encodeURIComponent(repository)}&change=${change.number}`
  return { ...(await api(path, ChangeDetail)), repository }
}

async function expectApiAgrees(host: ConnectedHost, server: ServedServer): Promise<void> {
  const { change, project } = host
  const { title, counts, runs, repository } = await changeInApi(host, server, 3)
  expect({ title, counts }).toEqual({ title: change.title, counts: { open: 1, fixed: 1, dismissed: 0 } })
  const api = await openApi(server)
  const { items } = await api('changes', ChangePage)
  const own = { repository, change: change.number, title: change.title }
  expect(items).toMatchObject([{ newest: own, reviews: 3 }])
  const evidence = await api(`runs/${runs.at(-1)?.run}/evidence`, EvidencePage)
  const [of] = evidence.items.filter(({ path }) => path === 'run.ts')
  // Bitbucket folds nothing, so evidence stays in the dashboard.
  if (!host.kind.startsWith('bitbucket'))
    expect(change.threads.map(({ notes }) => notes[0]?.body).join()).toContain(`](<${of?.url}>)`)
  const { outcomes } = await api('trends', Trends)
  expect(outcomes.find(({ by }) => by === 'all')?.addressed).toBe(0.5)
  const queue = await api('queue', QueueState)
  expect(queue.items.map(({ title }) => title)).toEqual(queue.items.map(() => change.title))
  expect(queue.items.length).toBeGreaterThan(0)
  // Facts are shared in a test, so there is no index of its own to see; it must not be called missing.
  const repositories = (await api('repositories', RepositoryPage)).items
  // Three reviews; the explanation is none.
  expect(repositories).toMatchObject([{ name: project.fullName, isIndexed: null, runs: 3 }])
}
