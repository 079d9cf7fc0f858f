/** What the server tells of one change request: from its webhook to what is waited for and what to do. */
import { expect, test } from 'vitest'
import { formatLife, readLife } from '../../../src/server/admin/why.ts'
import { reviewKind } from '../../../src/server/jobs/contract.ts'
import { recordPublication } from '../../../src/server/jobs/tables.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { openIntakeWorld } from '../intake/intake-world.ts'

test('the life of a pull request, its waits and the way out', async () => {
  const world = await openIntakeWorld()
  const { github, app, project, database, queue, tenant } = world
  const settings = ServerSettings.parse({
    connections: { github: { kind: 'github', url: github.url, appId: String(app.id) } },
  })
  const why = () => readLife(database, settings, `${github.url}/acme/shop/pull/1`)
  const words = async () => (await why()).events.map(({ what }) => what)

  expect(await why()).toMatchObject({
    events: [],
    remedy: expect.stringContaining('No webhook of acme/shop'),
  })
  await expect(readLife(database, settings, 'https://elsewhere.test/a/b/pull/1')).rejects.toMatchObject({
    code: 'host-unknown',
  })

  project.roles.set('ada', 'write')
  const change = project.open({ branch: 'topic', files: { 'a.ts': 'export const one = 2\n' } })
  await github.hooks.pull(change, 'opened')
  await world.settled()
  const head = change.head.slice(0, 12)
  const [job] = await queue.jobs(tenant)
  expect(await words()).toEqual([
    'webhook change opened',
    expect.stringMatching(`^decided on opened \\(${head}\\): .+ \\(job ${job?.id}\\)$`),
    `job ${job?.id} (review) is in the queue`,
    expect.stringContaining('webhook answered: '),
  ])
  expect(await why()).toMatchObject({ waits: [`Job ${job?.id} waits for the jobs before it.`], remedy: null })

  const [first] = await queue.claim({ worker: 'w', kinds: [reviewKind], slots: 1 })
  if (!first) throw new Error('nothing to claim')
  expect((await why()).waits).toEqual([`Job ${job?.id} runs.`])
  await recordPublication(database, first, change.head)
  await queue.retry(first, 'posting the review: the host did not answer')
  expect((await why()).waits).toEqual([
    expect.stringMatching(/waits until .+: posting the review: the host did not/),
  ])

  await database.query('update job set run_at = now()')
  await database.query('update job_turn set next_at = now()')
  const [second] = await queue.claim({ worker: 'w', kinds: [reviewKind], slots: 1 })
  if (!second) throw new Error('nothing to claim')
  const reason = 'Not reviewed: the host did not answer'
  await queue.finish(second, { state: 'not-reviewed', reason, result: { reason: 'host-unavailable' } })
  const life = await why()
  expect(life.events.map(({ what }) => what).slice(-3)).toEqual([
    `job ${job?.id} begins`,
    `job ${job?.id} writes on the host (${head})`,
    `job ${job?.id} ended as not-reviewed after 2 of 5 attempts: ${reason}`,
  ])
  expect(life.waits).toEqual([])
  expect(life.remedy).toContain('@sightline review')
  const text = formatLife(life).split('\n')
  expect(text[0]).toBe(`acme/shop#1 over github, tenant ${tenant}`)
  expect(text.at(-2)).toBe('Nothing is waited for.')
})
