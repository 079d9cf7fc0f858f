/** Whatever keeps a job from reviewing is logged once: why, on which change request, and what to do. */
import { expect, onTestFinished, test } from 'vitest'
import { hostKinds } from '../../../src/domain/host-kind.ts'
import { OutcomeReason } from '../../../src/server/jobs/contract.ts'
import { remedyOf } from '../../../src/server/jobs/failures.ts'
import type { RoleEnd, RunRole } from '../../../src/server/roles/run-role.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { drawn } from '../../helpers/matrix.ts'
import { runRoleHere } from '../../helpers/role-here.ts'
import { connectHost } from '../../helpers/served/hosts.ts'
import { serveHere } from '../../helpers/served/server.ts'

type Failing = { role: 'collector' | 'analyzer' | 'publisher'; end: RoleEnd; isTried?: boolean }

const failed = (code: string | null) =>
  ({ kind: 'failed', code, message: `what ${code ?? 'nobody'} says` }) as const

/** One for each reason that a role can fail for. */
const kinds: Readonly<Partial<Record<OutcomeReason, Failing>>> = {
  gone: { role: 'collector', end: failed('change-request-unknown') },
  'no-access': { role: 'publisher', end: failed('host-refused') },
  'host-unavailable': { role: 'publisher', end: failed('host-unavailable'), isTried: true },
  'no-merge-base': { role: 'collector', end: failed('no-merge-base') },
  'too-large': { role: 'collector', end: failed('tree-too-large') },
  configuration: { role: 'analyzer', end: failed('config-invalid') },
  budget: { role: 'analyzer', end: failed('over-budget') },
  limits: { role: 'publisher', end: { kind: 'overrun', reason: 'it used up its time' } },
  failed: { role: 'analyzer', end: failed(null), isTried: true },
}
/** No failures, or not of a role: `tried-again.test.ts` plays the model. */
const others = ['policy', 'closed', 'nothing-to-review', 'newer-commits', 'model-unavailable']

test('each kind of failure of a job, on a host that a seed draws', async () => {
  expect([...Object.keys(kinds), ...others].toSorted()).toEqual(OutcomeReason.options.toSorted())
  const hosts = await Promise.all(
    drawn(hostKinds).map((name) => connectHost(name, { name, files: { 'b.txt': 'one\n' } })),
  )
  onTestFinished(async () => {
    for (const host of hosts) await host.close()
  })
  const changes = Object.entries(kinds).flatMap(([reason, failing]) =>
    hosts.map((host) => {
      const files = { 'a.txt': `${reason}\n` }
      const change = host.project.open({ branch: reason, files })
      return { ...{ host, change, failing }, reason: reason as OutcomeReason, address: host.address(change) }
    }),
  )
  const runRole: RunRole = async (run) => {
    const { order } = run
    const address = 'address' in order ? order.address : ''
    const path = 'change' in order ? String(order.change) : ''
    const one = changes.find((each) => address === each.address) ?? ofFolder.get(path)
    if (one && 'change' in order && order.change) ofFolder.set(order.change, one)
    // Why there is no review can be shown all the same.
    const isMeant =
      one?.failing.role === order.role && !(order.role === 'publisher' && order.what === 'state')
    if (!isMeant) return await runRoleHere(run)
    // The first attempt, one that fails as the one before did, and the last: more of them show nothing else.
    await database.query('update job set most_attempts = 3')
    return { end: one.failing.end, peakMegabytes: 0, cpuSeconds: 0, durationMs: 0 }
  }
  const ofFolder = new Map<string, (typeof changes)[number]>()
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  const server = await serveHere({
    ...{ folder: temporaryFolder(), runRole, database },
    settings: {
      connections: Object.fromEntries(
        hosts.map((host) => [host.kind, { ...host.connection(), url: host.url }]),
      ),
      policy: { depth: 'offline' },
    },
    connections: Object.fromEntries(hosts.map((host) => [host.kind, host.secrets])),
  })
  onTestFinished(() => server.stop())
  for (const { host, change } of changes) await host.announce(server.url, 'opened', change)
  // A sign that came too late says how busy the machine is: all these jobs are of one process, and so are the hosts.
  const isLate = ({ detail, message }: Record<string, unknown>) =>
    `${detail} ${message}`.includes('was not written within')
  const lines = () =>
    server.log
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ level, change }) => (level === 'warn' || level === 'error') && change)
      .filter((line) => !isLate(line))
  const ends = () => lines().filter(({ event }) => event === 'job-ended')
  await expect.poll(() => ends().length, { timeout: 480_000, interval: 100 }).toBe(changes.length)
  for (const { reason, failing, address } of changes) {
    const told = { change: address, reason, remedy: remedyOf(reason), detail: expect.stringMatching(/./) }
    const tried = failing.isTried ? [{ ...told, event: 'job-tried-again' }] : []
    const own = lines().filter((line) => line.change === address)
    expect
      .soft(own, address)
      .toEqual([...tried, { ...told, event: 'job-ended' }].map((one) => expect.objectContaining(one)))
  }
})
