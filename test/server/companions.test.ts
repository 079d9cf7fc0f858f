/** Two change requests of two repositories that belong together: what happens to one has both reviewed, each once. */
import { expect, onTestFinished, test } from 'vitest'
import type { BuiltInHostKind } from '../../src/domain/host-kind.ts'
import { openEmptyDatabase } from '../helpers/empty-database.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import type { Change } from '../helpers/hosts/engine/change.ts'
import { drawn } from '../helpers/matrix.ts'
import { serveHere } from '../helpers/served/server.ts'
import { type HostEvent, sendDelivery, startTokenHost } from '../helpers/served/token-hosts.ts'
import { application, library, withoutClose } from '../workspace/hosted-world.ts'

const kinds = ['github', 'gitlab', 'forgejo', 'bitbucket', 'bitbucket-dc', 'azure'] as const
const webhookSecret = 'the webhook secret of this connection'

/** Without the use of what the library loses. */
const adapted = { 'src/api.ts': 'export {}\n' }

/** A library and an application that uses it, both reviewed by one server and in one workspace. */
async function openPair(kind: BuiltInHostKind) {
  const [host, database] = [await startTokenHost(kind), await openEmptyDatabase()]
  const { fake } = host
  const owner = host.ownerIn('acme')
  const client = fake.world.createProject(`${owner}/client`, { files: library })
  const web = fake.world.createProject(`${owner}/web`, { files: application() })
  for (const project of [client, web]) {
    project.roles.set('ada', 'write')
    project.roles.set('reviewer', host.role)
  }
  const server = await serveHere({
    folder: temporaryFolder(),
    database,
    settings: {
      connections: { host: { kind, url: fake.url, tenant: 'platform' } },
      policy: { workspace: true, depth: 'offline' },
    },
    connections: {
      host: { appKey: null, token: host.addToken('reviewer'), webhookSecret, previousWebhookSecret: null },
    },
  })
  onTestFinished(async () => {
    await server.stop()
    await Promise.all([fake.close(), database.close()])
  })
  const to = { url: `${server.url}/webhooks/host`, secret: webhookSecret }
  /** Every review that was asked for and has ended, by change; waits until none is left. */
  const reviews = async () => {
    const waiting = () =>
      database.query(
        `select 1 from webhook_delivery where settled_at is null
         union all select 1 from job where state in ('queued', 'running')`,
      )
    await expect.poll(waiting, { timeout: 480_000, interval: 50 }).toEqual([])
    const rows = await database.query<{ number: number; repository: string; state: string }>(
      `select payload->'repository'->>'name' as repository, (payload->>'number')::int as number, state
       from job where kind = 'review' order by id`,
    )
    const ended = rows.filter(({ state }) => state === 'reviewed' || state === 'partly')
    return ended.map(({ repository, number }) => `${repository.split('/').at(-1)} ${number}`)
  }
  const announce = async (change: Change, action: Exclude<HostEvent, { note: unknown }>['action']) =>
    expect(await sendDelivery(host, { change, action }, to)).toBe(202)
  const overviewOf = ({ comments, reviews: posted }: Change) =>
    [...comments, ...posted].map(({ body }) => body).join('\n')
  return { fake, client, web, reviews, announce, overviewOf, log: server.log }
}

test.each(drawn(kinds, 1))('%s: a push to either brings both reviews up to date, once', async (kind) => {
  const { fake, client, web, reviews, announce, overviewOf } = await openPair(kind)
  const removal = client.open({ branch: 'topic', files: withoutClose, title: 'Remove close' })
  await announce(removal, 'opened')
  expect(await reviews()).toEqual(['client 1'])
  expect(overviewOf(removal)).not.toContain('Companion changes')

  // Nothing says that it belongs to the removal, and the application was not fetched yet.
  const elsewhere = web.open({ branch: 'elsewhere', files: adapted, title: 'Adapt elsewhere' })
  await announce(elsewhere, 'opened')
  const both = await reviews()
  expect(both.slice(1)).toEqual(['web 1'])

  const adaption = web.open({ branch: 'topic', files: adapted, title: 'Adapt' })
  await announce(adaption, 'opened')
  const first = await reviews()
  expect(first.slice(both.length).toSorted()).toEqual(['client 1', 'web 2'])
  const pair = { client: overviewOf(removal), web: overviewOf(adaption) }
  expect(pair.client).toContain('Merge it first')
  expect(pair.client).toContain('It changes what uses this. Merge it first')
  expect(pair.web).toContain('Merge this change first')
  expect(pair.web).toContain('On a branch of the same name')

  elsewhere.push({ 'src/api.ts': 'export const api = 1\n' })
  await announce(elsewhere, 'pushed')
  const pushed = await reviews()
  expect(pushed.slice(first.length).toSorted()).toEqual(['client 1', 'web 1'])
  elsewhere.close()
  await announce(elsewhere, 'closed')
  const closed = await reviews()

  // The use comes back, and nothing settles the removal any more.
  adaption.push(application('src/late.ts'))
  await announce(adaption, 'pushed')
  const second = await reviews()
  expect(second.slice(closed.length).toSorted()).toEqual(['client 1', 'web 2'])
  expect(overviewOf(removal)).not.toContain('Merge it first')
  expect(overviewOf(removal)).toContain('still uses')

  removal.push({ 'README.md': '# Client\n' })
  await announce(removal, 'pushed')
  // The same again is no news.
  await announce(removal, 'pushed')
  const third = await reviews()
  expect(third.slice(second.length).toSorted()).toEqual(['client 1', 'web 2'])

  adaption.push({ 'src/late.ts': 'export {}\n' })
  adaption.merge()
  await announce(adaption, 'closed')
  const fourth = await reviews()
  expect(fourth.slice(third.length)).toEqual(['client 1'])
  expect(overviewOf(removal)).not.toContain('Companion changes')
  expect(fake.violations).toEqual([])
})
