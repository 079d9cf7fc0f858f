/** Whatever keeps a webhook from becoming a review is logged once: why, on which change request, and what to do. */
import { expect, test } from 'vitest'
import type { Fault, FaultRequest } from '../../helpers/hosts/engine/faults.ts'
import { openIntakeWorld } from './intake-world.ts'

const timeout = 120_000

type Failing = {
  what: string
  number?: number
  fault?: Fault
  /** At how many requests in a row; 40 for all. */
  times?: number
  at?: (request: FaultRequest) => boolean
  logged: { reason: string; next: string | null; remedy: RegExp }
  ends: string
}

const isPull = ({ path }: FaultRequest) => /\/pulls\/\d+$/.test(path)

const failures: readonly Failing[] = [
  {
    what: 'a change request that is gone',
    number: 99,
    logged: { reason: 'gone', next: null, remedy: /can see the repository/ },
    ends: 'not reviewed: gone',
  },
  {
    what: 'a right that is missing',
    ...{ fault: { kind: 'fail-before', status: 403 }, times: 40, at: isPull },
    logged: { reason: 'no-access', next: null, remedy: /Grant what docs\/server\/setup\.md lists/ },
    ends: 'not reviewed: no-access',
  },
  {
    what: 'a host that is away for a moment',
    ...{ fault: { kind: 'fail-before', status: 502 }, times: 4, at: isPull },
    logged: { reason: 'host-unavailable', next: 'in 2 seconds', remedy: /Once the host answers again/ },
    ends: 'review at depth auto',
  },
  {
    what: 'a request that the host refuses',
    ...{ fault: { kind: 'fail-before', status: 422 }, times: 40, at: isPull },
    logged: { reason: 'no-access', next: null, remedy: /Grant what/ },
    ends: 'not reviewed: no-access',
  },
]

for (const { what, number = 1, fault, times = 0, at, logged, ends } of failures)
  test(`${what} is logged once, with its change request and what to do`, { timeout }, async () => {
    const world = await openIntakeWorld()
    const { github, project } = world
    project.roles.set('ada', 'write')
    const change = project.open({ branch: 'topic', files: { 'a.ts': 'export const one = 2\n' } })
    for (let nth = 1; fault && nth <= times; nth++) github.faults.at(nth, fault, at)
    const head = { sha: change.head }
    await github.hooks.send(project, 'pull_request', { action: 'opened', number, pull_request: { head } })
    await world.settled()
    const lines = world.lines
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level === 'warn' || level === 'error')
    expect(lines).toEqual([
      expect.objectContaining({
        event: 'intake-failed',
        connection: 'github',
        change: `${github.url}/acme/shop/pull/${number}`,
        detail: expect.stringMatching(/./),
        ...logged,
        remedy: expect.stringMatching(logged.remedy),
      }),
    ])
    const [row] = await world.database.query<{ result: string }>('select result from webhook_delivery')
    expect(row?.result).toContain(ends)
  })
