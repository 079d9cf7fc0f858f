/** Whatever keeps a webhook from becoming a review is logged once: why, on which change request, and what to do. */
import { expect, onTestFinished, test } from 'vitest'
import { hostKinds } from '../../../src/domain/host-kind.ts'
import type { FaultRequest } from '../../helpers/hosts/engine/faults.ts'
import { drawn } from '../../helpers/matrix.ts'
import { connectHost } from '../../helpers/served/hosts.ts'
import { openIntake } from './intake-world.ts'

type Failing = {
  what: string
  status: number
  /** At how many reads in a row; 40 for all. */
  times: number
  logged: { reason: string; next: string | null; remedy: RegExp }
  ends: string
}

const isPull = ({ path }: FaultRequest) => /\/(?:pulls|merge_requests|pull-?requests)\/\d+$/i.test(path)

const failures: readonly Failing[] = [
  {
    what: 'a change request that is gone',
    ...{ status: 404, times: 40 },
    logged: { reason: 'gone', next: null, remedy: /can see the repository/ },
    ends: 'not reviewed: gone',
  },
  {
    what: 'a right that is missing',
    ...{ status: 403, times: 40 },
    logged: { reason: 'no-access', next: null, remedy: /Grant what docs\/server\/setup\.md lists/ },
    ends: 'not reviewed: no-access',
  },
  {
    what: 'a host that is away for a moment',
    ...{ status: 502, times: 4 },
    logged: { reason: 'host-unavailable', next: 'in 2 seconds', remedy: /Once the host answers again/ },
    ends: 'review at depth auto',
  },
  {
    what: 'a request that the host refuses',
    ...{ status: 422, times: 40 },
    logged: { reason: 'no-access', next: null, remedy: /Grant what/ },
    ends: 'not reviewed: no-access',
  },
]

test('each failure is logged once, with its change request and what to do, on a host that a seed draws', async () => {
  const hosts = await Promise.all(
    hostKinds.map((name) => connectHost(name, { name, files: { 'a.ts': 'export const one = 1\n' } })),
  )
  onTestFinished(async () => {
    for (const host of hosts) await host.close()
  })
  const listener = await openIntake({
    settings: {
      connections: Object.fromEntries(
        hosts.map((host) => [host.kind, { ...host.connection(), url: host.url }]),
      ),
    },
    secrets: Object.fromEntries(hosts.map((host) => [host.kind, host.secrets])),
  })
  for (const [at, { what, status, times, logged, ends }] of failures.entries()) {
    const before = listener.lines.length
    const failing = drawn(hosts, at)
    for (const { faults, change } of failing) {
      change.push({ 'a.ts': `export const one = '${what}'\n` })
      for (let nth = 1; nth <= times; nth++) faults.at(nth, { kind: 'fail-before', status }, isPull)
    }
    await Promise.all(failing.map((host) => host.announce(listener.url)))
    await listener.settled()
    for (const { faults } of failing) faults.clear()
    const lines = listener.lines
      .slice(before)
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level === 'warn' || level === 'error')
    expect(
      lines.toSorted((a, b) => hostKinds.indexOf(a.connection) - hostKinds.indexOf(b.connection)),
      what,
    ).toEqual(
      failing.map((host) =>
        expect.objectContaining({
          event: 'intake-failed',
          connection: host.kind,
          change: host.address(),
          detail: expect.stringMatching(/./),
          ...logged,
          remedy: expect.stringMatching(logged.remedy),
        }),
      ),
    )
    const rows = await listener.database.query<{ result: string }>(
      'select result from webhook_delivery order by received_at desc limit $1',
      [failing.length],
    )
    expect(
      rows.map(({ result }) => result),
      what,
    ).toEqual(failing.map(() => expect.stringContaining(ends)))
  }
})
