/**
 * What an operator met in a first week: the command finds a host by its address, whatever people call it. That a server does too is seen
 * in `connections/rights.test.ts`; what else they met has tests of its own, which docs/quality/pull-requests.md lists.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { hostKinds } from '../../src/domain/host-kind.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { drawn } from '../helpers/matrix.ts'
import { type ConnectedHost, connectHost } from '../helpers/served/hosts.ts'
import { sightline } from '../helpers/sightline.ts'

const problem = 'export function run(text: string) {\n  return eval(text)\n}\n'

test.each(drawn(hostKinds, 3))(
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

async function review(host: ConnectedHost, hosts: object) {
  const home = temporaryFolder()
  const settings = join(home, 'settings.yaml')
  writeFileSync(settings, stringify({ hosts }))
  return await sightline(['review', host.address(), '--post', '--depth', 'offline', '--settings', settings], {
    env: { HOST_TOKEN: host.token(), HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home },
    cwd: home,
  })
}
