/**
 * What an operator met in a first week, on each host: the command finds the host by its address, a review that is asked for again
 * shows that it was heard, and what the API tells of a change request agrees with the host. What else they met has tests of
 * its own; docs/quality/pull-requests.md lists all.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { stringify } from 'yaml'
import type { z } from 'zod'
import { hostKinds } from '../../src/hosts/remote/contract.ts'
import { ChangeDetail, ChangePage } from '../../src/server/api/contract/changes.ts'
import { QueueState, RepositoryPage } from '../../src/server/api/contract/operation.ts'
import { Trends } from '../../src/server/api/contract/trends.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { type ConnectedHost, connectHost } from '../helpers/served/hosts.ts'
import { endOfCheck, startServed } from '../helpers/served/server.ts'
import { sightline } from '../helpers/sightline.ts'

const problem = 'export function run(text: string) {\n  return eval(text)\n}\n'
const other =
  'export function go(words: string) {\n  const made = eval(words.concat(" and more"))\n  return made\n}\n'
const pages = { github: 'pull', gitlab: '-/merge_requests', forgejo: 'pulls' } as const

for (const kind of hostKinds)
  test(`${kind}: one change request, as the check, the API and the command tell of it`, {
    timeout: 600_000,
  }, async () => {
    const host = await connectHost[kind]({ files: { 'run.ts': problem, 'go.ts': other } })
    const server = await startServed({
      ...{ host, folder: temporaryFolder(), settings: { policy: { depth: 'offline' } } },
    })
    onTestFinished(async () => {
      await server.stop()
      await host.close()
    })
    const { change, project } = host
    await host.announce(server.url, 'opened')
    await endOfCheck(host, server)
    change.push({ 'go.ts': other.replace('eval', 'JSON.parse') })
    await host.announce(server.url)
    expect((await endOfCheck(host, server)).title).toMatch(/^1 finding, 1 fixed/)

    const writes = change.threads.length + change.comments.length
    const seen = new Set<string>()
    const timer = setInterval(() => seen.add(host.check(change.head)?.title.split(' [')[0] ?? ''), 10)
    onTestFinished(() => clearInterval(timer))
    await host.say(server.url, change.comment('ada', '@sightline review'))
    await vi.waitUntil(() => seen.has('Waiting for a review'), { timeout: 120_000 })
    expect((await endOfCheck(host, server)).title).toMatch(/^1 finding, 1 fixed/)
    expect(change.threads.length + change.comments.length, 'only the command is new').toBe(writes + 1)

    const api = await openApi(server.url, server.adminToken)
    const repository = `${new URL(host.url).host}/${project.fullName}`
    // The record of a review is closed after its check.
    await vi.waitUntil(async () => (await api('changes', ChangePage)).items[0]?.reviews === 3, {
      timeout: 120_000,
    })
    const { items } = await api('changes', ChangePage)
    const own = { repository, change: change.number, title: change.title }
    expect(items.map(({ newest, reviews }) => ({ newest, reviews }))).toEqual([
      { newest: expect.objectContaining(own), reviews: 3 },
    ])
    const told = await api(
      `change?repository=${encodeURIComponent(repository)}&change=${change.number}`,
      ChangeDetail,
    )
    expect(told).toMatchObject({ title: change.title, counts: { open: 1, fixed: 1, dismissed: 0 } })
    const { outcomes } = await api('trends', Trends)
    expect(outcomes.find(({ by }) => by === 'all')?.addressed).toBe(0.5)
    const queue = await api('queue', QueueState)
    expect(queue.items.map(({ title }) => title)).toEqual(queue.items.map(() => change.title))
    expect(queue.items.length).toBeGreaterThan(0)
    const { items: repositories } = await api('repositories', RepositoryPage)
    // Facts are shared in a test, so there is no index of its own to see; it must not be called missing.
    expect(repositories).toMatchObject([{ name: project.fullName, isIndexed: null, runs: 3 }])
    expect(host.violations).toEqual([])
  })

for (const kind of hostKinds)
  test(`${kind}: the command knows a host by its address, and says what is missing for one that it does not know`, {
    timeout: 300_000,
  }, async () => {
    const host = await connectHost[kind]({ files: { 'run.ts': problem } })
    onTestFinished(() => host.close())
    const { hostname, port } = new URL(host.url)
    // Without `url`, a host of the settings is at https and its name, which this one is not.
    const named = await review(host, { [`${hostname}:${port}`]: { kind, token: 'HOST_TOKEN' } })
    expect(named.code).toBe(2)
    expect(named.stderr).toMatch(/Add the host to `hosts` in your settings/)
    expect(named.stderr).toContain(`Set its \`url\` to ${new URL(host.url).origin}`)
    const { code, stderr } = await review(host, { fake: { kind, url: host.url, token: 'HOST_TOKEN' } })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(host.change.threads).toHaveLength(1)
  })

async function review(host: ConnectedHost, hosts: object) {
  const home = temporaryFolder()
  const settings = join(home, 'settings.yaml')
  writeFileSync(settings, stringify({ hosts }))
  const address = `${host.url}/${host.project.fullName}/${pages[host.kind]}/${host.change.number}`
  return await sightline(['review', address, '--post', '--depth', 'offline', '--settings', settings], {
    env: { HOST_TOKEN: host.token(), HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home },
    cwd: home,
  })
}

/** With a token that the operator makes, as docs/server/api.md says. */
async function openApi(url: string, adminToken: string) {
  const call = async (path: string, token: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return await answer.json()
  }
  const { tenants } = (await call('operator/tenants', adminToken)) as { tenants: { tenant: string }[] }
  const wanted = { tenant: tenants[0]?.tenant, name: 'ada', scopes: ['read'], days: 1 }
  const { token } = (await call('operator/tokens', adminToken, wanted)) as { token: string }
  return async <Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.infer<Shape>> =>
    shape.parse(await call(path, token))
}
