/** A repository that is renamed while a job of it waits is reviewed all the same, where its host forgets former names too. */
import { expect, onTestFinished, test } from 'vitest'
import { hostKinds } from '../../../src/domain/host-kind.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { connectHost } from '../../helpers/served/hosts.ts'
import { endOfCheck, startServed } from '../../helpers/served/server.ts'

for (const kind of hostKinds)
  test(`${kind}: renamed between its webhook and its review`, async () => {
    const host = await connectHost(kind, { files: { 'a.ts': 'export const one = 1\n' } })
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
    expect(await endOfCheck(host, server)).toMatchObject({
      ...{ title: expect.stringMatching(/^No findings/), isPassed: true },
    })
    expect(project.name).toBe('store')
    expect(host.violations).toEqual([])
  })
