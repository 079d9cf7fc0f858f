/**
 * What an operator met in a first week, on each host: a server and the command find the host by its address, whatever people call
 * it. What else they met has tests of its own; docs/quality/pull-requests.md lists all.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { hostKinds } from '../../src/domain/host-kind.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { type ConnectedHost, connectHost } from '../helpers/served/hosts.ts'
import { endOfCheck, serveHere } from '../helpers/served/server.ts'
import { sightline } from '../helpers/sightline.ts'

const problem = 'export function run(text: string) {\n  return eval(text)\n}\n'

test.each(hostKinds)(
  '%s: the command knows a host by its address, and says what is missing for one that it does not know',
  async (kind) => {
    const host = await connectHost(kind, { files: { 'run.ts': problem } })
    onTestFinished(() => host.close())
    const { hostname, port, origin } = new URL(host.url)
    // Without `url`, a host of the settings is at https and its name, which this one is not.
    const named = await review(host, { [`${hostname}:${port}`]: { kind, token: 'HOST_TOKEN' } })
    expect(named.code).toBe(2)
    expect(named.stderr).toMatch(/Add the host to `hosts` in your settings/)
    expect(named.stderr).toContain(`Set its \`url\` to ${origin}`)
    const { code, stderr } = await review(host, { fake: { kind, url: host.url, token: 'HOST_TOKEN' } })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(host.change.threads).toHaveLength(1)
  },
)

for (const kind of hostKinds)
  test(`${kind}: a server sends its token to a host by its address, whatever its connection is called`, {
    timeout: 600_000,
  }, async () => {
    const host = await connectHost(kind, { name: 'fake', files: { 'run.ts': problem }, account: {} })
    // Without a token, nothing of it is seen.
    host.project.isPrivate = true
    host.project.roles.set('reviewer', 'admin')
    const server = await serveHere({
      folder: temporaryFolder(),
      settings: {
        policy: { depth: 'offline' },
        connections: { fake: { ...host.connection(), url: host.url } },
      },
      connections: { fake: { ...host.secrets } },
    })
    onTestFinished(async () => {
      await server.stop()
      await host.close()
    })
    await host.announce(server.url, 'opened')
    expect(await endOfCheck(host, server)).toMatchObject({ title: expect.stringMatching(/^1 finding/) })
    expect(host.change.threads).toHaveLength(1)
    expect(host.log.filter(({ actor }) => actor === null)).toEqual([])
    expect(host.violations).toEqual([])
  })

async function review(host: ConnectedHost, hosts: object) {
  const home = temporaryFolder()
  const settings = join(home, 'settings.yaml')
  writeFileSync(settings, stringify({ hosts }))
  return await sightline(['review', host.address(), '--post', '--depth', 'offline', '--settings', settings], {
    env: { HOST_TOKEN: host.token(), HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home },
    cwd: home,
  })
}
