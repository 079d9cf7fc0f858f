/** On one host, drawn by a seed: a review that an outage cut short is done again by itself, without a webhook. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { stringify } from 'yaml'
import { hostKinds } from '../../../src/domain/host-kind.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { fakeApiKey } from '../../helpers/fakes/provider.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { drawn } from '../../helpers/matrix.ts'
import { connectHost } from '../../helpers/served/hosts.ts'
import { endOfCheck, startServed } from '../../helpers/served/server.ts'
import { openModel } from '../../week/model.ts'

for (const kind of drawn(hostKinds, 1))
  test(`${kind}: what a model could not review during its outage, it reviews afterwards, and says each thing once`, async () => {
    const host = await connectHost(kind, { files: { 'a.txt': 'call(1) // bug 1\n' } })
    const [model, database] = [await openModel(), await openEmptyDatabase()]
    const providers = { fake: { kind: 'anthropic', baseUrl: model.fake.baseUrl, keyFrom: 'FAKE_KEY' } }
    const models = { providers, roles: { reviewer: 'fake/claude-sonnet-5-5' } }
    const folder = temporaryFolder()
    const file = join(folder, 'settings.yaml')
    writeFileSync(file, stringify({ models }))
    const intervals = vi.spyOn(globalThis, 'setInterval')
    const server = await startServed({
      ...{ host, folder, database, settings: { policy: { depth: 'quick' } } },
      env: { FAKE_KEY: fakeApiKey, SIGHTLINE_SETTINGS: file },
    })
    // How often it looks whether a repository is due.
    const look = intervals.mock.calls.find(([, milliseconds]) => milliseconds === 15_000)?.[0]
    intervals.mockRestore()
    onTestFinished(async () => {
      await server.stop()
      await Promise.all([model.fake.close(), host.close()])
      await database.close()
    })
    // The dice say how long a model that is down is waited for, before each attempt.
    const dice = vi.spyOn(Math, 'random').mockReturnValue(0)
    onTestFinished(() => dice.mockRestore())
    const threads = () => host.change.threads.map(({ path }) => path)
    model.setDown(true)
    await host.announce(server.url, 'opened')
    expect((await endOfCheck(host, server)).title).toMatch(/^No findings, incomplete/)
    expect(threads()).toEqual([])
    model.setDown(false)
    // As if the time until the next turn had passed, and as much since the review as it took.
    const turn = async () => {
      await database.query("update job set ended_at = created_at where state = 'partly'")
      await database.query("update repository set reconciled_at = '-infinity'")
      look?.()
    }
    await vi.waitUntil(
      async () => {
        await turn()
        return threads().length > 0
      },
      { timeout: 240_000, interval: 250 },
    )
    await endOfCheck(host, server, host.change.head, ({ title }) => title.startsWith('1 finding'))
    const states = async () => {
      const jobs = await database.query<{ state: string }>('select state from job order by id')
      return jobs.map(({ state }) => state)
    }
    // A job ends after its check has.
    await expect.poll(states).toEqual(['partly', 'reviewed'])
    // What ended well is left alone.
    await turn()
    await vi.waitUntil(
      async () =>
        (await database.query("select from repository where reconciled_at > '-infinity'")).length === 1,
      { timeout: 60_000, interval: 100 },
    )
    expect(await states()).toEqual(['partly', 'reviewed'])
    expect(threads()).toEqual(['a.txt'])
    expect(host.violations).toEqual([])
  })
