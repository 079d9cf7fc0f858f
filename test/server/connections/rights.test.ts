/** What the account of a connection lacks is told at the start, on the set-up page, by `doctor`, and once on the change request. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { type BuiltInHostKind, hostKinds } from '../../../src/domain/host-kind.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { drawn } from '../../helpers/matrix.ts'
import { connectHost, type HostOptions } from '../../helpers/served/hosts.ts'
import { endOfCheck, serveHere } from '../../helpers/served/server.ts'
import { sightline } from '../../helpers/sightline.ts'

const problem = 'export function run(text: string) {\n  return eval(text)\n}\n'
const weak: Readonly<
  Record<BuiltInHostKind, { account: HostOptions['account']; right: string; hasCheck: boolean }>
> = {
  github: { account: { role: 'read' }, right: 'write access of the account', hasCheck: false },
  gitlab: { account: { role: 'read' }, right: 'role Developer', hasCheck: false },
  forgejo: { account: { role: 'write' }, right: 'account as an administrator', hasCheck: true },
  bitbucket: { account: { role: 'write' }, right: 'account as an administrator', hasCheck: true },
  'bitbucket-dc': { account: { scopes: [] }, right: 'permission to list users', hasCheck: true },
  azure: {
    account: { scopes: ['vso.code', 'vso.threads_full', 'vso.code_status', 'vso.work'] },
    right: 'scope Identity (Read)',
    hasCheck: true,
  },
}

test.each(drawn(hostKinds, 5))(
  '%s: told at the start, on the set-up page, by doctor and on the change request',
  async (kind) => {
    const { account, right, hasCheck } = weak[kind]
    const host = await connectHost(kind, { files: { 'run.ts': problem }, account })
    // Without a token, nothing of it is seen.
    host.project.isPrivate = true
    const folder = temporaryFolder()
    const connection = { ...host.connection(), url: host.url, repositories: [host.project.fullName] }
    const settings = { policy: { depth: 'offline', newcomers: 'review' }, connections: { host: connection } }
    const server = await serveHere({ folder, settings, connections: { host: { ...host.secrets } } })
    onTestFinished(async () => {
      await server.stop()
      await host.close()
    })
    const where = `${right} in ${host.project.fullName}`
    const told = () =>
      server.log.map((line) => JSON.parse(line)).filter(({ event }) => event === 'right-missing')
    await expect.poll(told, { timeout: 60_000 }).toMatchObject([{ connection: 'host', right: where }])

    const form = new URLSearchParams({ connection: 'host', organization: '', token: server.adminToken })
    const page = await fetch(`${server.url}/setup`, { method: 'POST', body: form })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(`<li>${where}: `)])

    const secrets = Object.fromEntries(
      (['token', 'webhookSecret'] as const).map((name) => {
        writeFileSync(join(folder, name), host.secrets[name] ?? '', { mode: 0o600 })
        return [name, { file: name }]
      }),
    )
    const file = join(folder, 'server.yaml')
    writeFileSync(file, stringify({ ...settings, connections: { host: { ...connection, ...secrets } } }))
    const env = { SIGHTLINE_SERVER_SETTINGS: file, HOME: folder, XDG_STATE_HOME: folder }
    // It gives up on a host that takes long, as a busy machine does.
    const doctor = async () => (await sightline(['doctor'], { cwd: folder, env })).stdout
    await expect.poll(doctor, { timeout: 240_000 }).toContain(`${where} is missing: `)

    await host.announce(server.url, 'opened')
    const { change } = host
    const overviews = () => change.comments.filter(({ body }) => body.includes('**Missing rights**'))
    await expect.poll(overviews, { timeout: 240_000, interval: 200 }).toHaveLength(1)
    expect(overviews()[0]?.body.toLowerCase()).toContain(`- ${where.toLowerCase()}: `)
    if (hasCheck) await endOfCheck(host, server)
    // The overview comes first.
    await expect.poll(() => change.threads.length, { timeout: 240_000 }).toBe(1)
    expect(host.log.filter(({ actor }) => actor === null)).toEqual([])
    expect(host.violations).toEqual([])
  },
)
