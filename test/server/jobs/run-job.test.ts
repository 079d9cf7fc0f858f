/**
 * One job against a strict GitHub and a fake provider, each role in its own process: what it ends as, what the host shows, what
 * it cost, and what can be seen of the processes.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { descendants } from '../../../src/base/process-tree.ts'
import { runJob } from '../../../src/server/jobs/run-job.ts'
import { runRole } from '../../../src/server/roles/run-role.ts'
import { fakeApiKey } from '../../helpers/fakes/provider.ts'
import { hooks, openPullWorld } from './pull-world.ts'

/** Environments and command lines of all processes below this one, by role, for as long as `work` runs. */
async function watchProcesses<T>(work: Promise<T>): Promise<{ end: T; seen: Map<string, Set<string>> }> {
  const seen = new Map<string, Set<string>>()
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    for (const pid of descendants(process.pid)) {
      try {
        const environ = readFileSync(`/proc/${pid}/environ`, 'latin1')
        const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
        const role = /jobs\/[^/]+\/[0-9a-f]+\/(collector|analyzer|publisher)/.exec(environ)?.[1] ?? 'other'
        const texts = seen.get(role) ?? new Set()
        seen.set(role, texts.add(environ).add(words))
      } catch {
        // It ended meanwhile.
      }
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  return { end: await ended, seen }
}

test('a change is reviewed by a model, posted once, nothing of it stays behind, and no process shows a secret', async () => {
  process.env.SIGHTLINE_SERVER_SECRET = 'of-the-server-alone'
  const { github, fake, change, data, job, parts, token } = await openPullWorld()
  const costs: number[] = []
  const roles: string[] = []
  const { end, seen } = await watchProcesses(
    runJob(
      'acme',
      job,
      { ...parts, runRole },
      hooks({
        onSpent: ({ usd }) => costs.push(usd),
        onRole: (role, { end }) => roles.push(`${role} ${end.kind}`),
      }),
    ),
  )
  delete process.env.SIGHTLINE_SERVER_SECRET
  if (process.platform === 'linux')
    for (const role of ['collector', 'analyzer', 'publisher']) {
      const texts = [...(seen.get(role) ?? [])].join('\n')
      expect(texts, role).toContain('HOME=')
      for (const secret of [token, fakeApiKey, 'of-the-server-alone', 'SHOP_TOKEN', 'FAKE_KEY'])
        expect(texts, role).not.toContain(secret)
    }
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
