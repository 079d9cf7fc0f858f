/**
 * One job against a strict GitHub and a fake provider: what it ends as, what the host shows, and what it cost. Each role in a
 * process, and what can be seen of it: `test/e2e/server.test.ts` and `endings.test.ts`.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runJob } from '../../../src/server/jobs/run-job.ts'
import { hooks, openPullWorld } from './pull-world.ts'

test('a change is reviewed by a model, posted once, and nothing of it stays behind', async () => {
  const { github, fake, change, data, job, parts } = await openPullWorld()
  const costs: number[] = []
  const roles: string[] = []
  const end = await runJob(
    'acme',
    job,
    parts,
    hooks({
      onSpent: ({ usd }) => costs.push(usd),
      onRole: (role, { end }) => roles.push(`${role} ${end.kind}`),
    }),
  )
  expect(roles).toEqual(['collector done', 'analyzer done', 'publisher done'])
  expect(end).toMatchObject({ kind: 'outcome', outcome: { state: 'reviewed', reason: null, isShown: true } })
  const { outcome } = end as Extract<typeof end, { kind: 'outcome' }>
  expect(outcome.head).toBe(change.head)
  expect(outcome.usd).toBeGreaterThan(0)
  expect(costs.reduce((sum, usd) => sum + usd, 0)).toBe(outcome.usd)
  expect(fake.calls).toHaveLength(1)
  expect(fake.mistakes).toEqual([])
  expect(github.state.checks).toMatchObject([{ name: 'Sightline', conclusion: 'success' }])
  expect(github.violations).toEqual([])
  for (const name of readdirSync(join(data, 'jobs')))
    expect(readdirSync(join(data, 'jobs', name))).toEqual([])

  // Again: the answer is on record, and the host has everything.
  const writes = github.writes().length
  const again = await runJob('acme', job, parts, hooks())
  expect(again).toMatchObject({ kind: 'outcome', outcome: { state: 'reviewed', usd: 0 } })
  expect(fake.calls).toHaveLength(1)
  expect(github.writes()).toHaveLength(writes)

  // Another tenant gets nothing of what this one paid for.
  const other = await runJob('other', job, parts, hooks())
  expect(other).toMatchObject({ kind: 'outcome', outcome: { state: 'reviewed' } })
  expect(fake.calls).toHaveLength(2)
})
