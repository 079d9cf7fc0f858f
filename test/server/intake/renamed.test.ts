/** A repository that is renamed while a job of it waits is reviewed all the same, where its host forgets former names too. */
import { expect, onTestFinished, test } from 'vitest'
import { hostKinds } from '../../../src/domain/host-kind.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { drawn } from '../../helpers/matrix.ts'
import { connectHost } from '../../helpers/served/hosts.ts'
import { endOfCheck, startServed } from '../../helpers/served/server.ts'

const stories = {
  'its review': { base: {}, title: /^No findings/ },
  'why there is none': {
    base: { '.sightline.yaml': 'review: 1\n' },
    title: /^Not reviewed: the configuration/,
  },
}

for (const [at, [what, { base, title }]] of Object.entries(stories).entries())
  test.each(drawn(hostKinds, at))(`%s: renamed between its webhook and ${what}`, async (kind) => {
    const host = await connectHost(kind, { base, files: { 'a.txt': 'export const one = 1\n' } })
    const settings = { policy: { depth: 'offline' } }
    const server = await startServed({ host, folder: temporaryFolder(), settings })
    onTestFinished(async () => {
      await server.stop()
      await host.close()
    })
    const { project, faults } = host
    const rename = () => project.rename(`${project.owner}/store`)
    // That a review waits is written once the change was read, and before its job exists.
    faults.at(1, { kind: 'run', action: rename }, ({ isWrite }) => isWrite)
    await host.announce(server.url, 'opened')
    const check = await endOfCheck(host, server)
    expect(check).toMatchObject({ title: expect.stringMatching(title), isPassed: true })
    expect(project.name).toBe('store')
    expect(host.violations).toEqual([])
  })
