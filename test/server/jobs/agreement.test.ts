/** A key alone sends nothing on a server, whatever people ask for; the operator's settings or policy agree. */
import { expect, test } from 'vitest'
import { defaultSettings } from '../../../src/config/settings/schema.ts'
import { agreeByPolicy } from '../../../src/llm/agreement.ts'
import type { Access } from '../../../src/server/jobs/contract.ts'
import { runJob } from '../../../src/server/jobs/run-job.ts'
import { fakeApiKey } from '../../helpers/fakes/provider.ts'
import { hooks, openPullWorld } from './pull-world.ts'

type World = Awaited<ReturnType<typeof openPullWorld>>

/** With the key in the environment of the analyzer, as other tools have it, and `models` in the settings. */
async function review(world: World, models: object, depth: 'auto' | 'deep') {
  const access = await world.parts.openAccess('acme', world.job, new AbortController().signal)
  const { models: _, ...settings } = JSON.parse(access.settings)
  const own: Access = {
    ...access,
    settings: JSON.stringify({ ...settings, models }),
    secrets: {
      ...access.secrets,
      analyzer: { ANTHROPIC_API_KEY: fakeApiKey, ANTHROPIC_BASE_URL: world.fake.baseUrl },
    },
  }
  const job = { ...world.job, decision: { kind: 'review', depth, budgetUsd: null, notice: null } } as const
  return await runJob('acme', job, { ...world.parts, openAccess: async () => own }, hooks())
}

test('no settings: nothing is sent, also where a comment asks for a depth', async () => {
  const world = await openPullWorld()
  for (const depth of ['auto', 'deep'] as const) {
    const end = await review(world, {}, depth)
    expect(end).toMatchObject({ kind: 'outcome', outcome: { usd: 0 } })
  }
  expect(world.fake.calls).toEqual([])
  // The same world asks as soon as the operator agrees, so that the silence above means something.
  const { enabled } = agreeByPolicy(defaultSettings.models, 'quick')
  await review(world, { enabled }, 'auto')
  expect(world.fake.calls.length).toBeGreaterThan(0)
})
