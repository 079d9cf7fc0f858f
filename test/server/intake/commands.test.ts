/** Commands in comments, and budgets: who may order a review, once, and what happens when the money is gone. */
import { expect, test } from 'vitest'
import { priorities } from '../../../src/server/queue/contract.ts'
import { openIntakeWorld } from './intake-world.ts'

const files = { 'a.ts': 'export const one = 2\n' }

test('a maintainer orders a review that the policy held back; strangers and bots order nothing', async () => {
  const world = await openIntakeWorld()
  const { github, project } = world
  project.roles.set('grace', 'write')
  const change = project.open({ branch: 'topic', files, author: 'eve' })
  await github.hooks.pull(change, 'opened')
  await world.settled()
  const [held] = await world.jobs()
  expect(held?.payload.decision).toMatchObject({
    depth: 'offline',
    notice: expect.stringContaining('newcomer'),
  })
  for (const login of ['eve', 'helper[bot]', 'mallory'])
    await github.hooks.comment(change, change.comment(login, '@sightline review'))
  await github.hooks.comment(change, change.comment('grace', 'please @sightline review this'))
  await world.settled()
  expect(await world.jobs()).toHaveLength(1)
  const order = change.comment('grace', '@sightline review')
  await github.hooks.comment(change, order)
  await world.settled()
  const [ordered] = await world.jobs()
  expect(ordered).toMatchObject({
    priority: priorities.person,
    payload: { decision: { depth: 'auto', notice: null }, trigger: { kind: 'comment', by: 'grace' } },
  })
  expect(github.state.reactions).toMatchObject([{ note: order.id, login: 'sightline[bot]', content: 'eyes' }])
  // The same comment under another delivery, and an edit of it, order nothing more.
  await github.hooks.comment(change, order)
  await github.hooks.comment(change, order, 'edited')
  await world.settled()
  expect(await world.jobs()).toHaveLength(2)
  expect(github.violations).toEqual([])
})

test('a budget is held for reviews under way, and code checks go on when it ends', async () => {
  const world = await openIntakeWorld({ budget: { perReview: 2, daily: 3 } })
  const { github, project, database } = world
  project.roles.set('ada', 'write')
  const open = async (branch: string) => {
    const change = project.open({ branch, files: { 'a.ts': `export const ${branch} = 1\n` } })
    await github.hooks.pull(change, 'opened')
    await world.settled()
    return (await world.jobs())[0]
  }
  const first = await open('one')
  expect(first?.payload.decision).toMatchObject({ depth: 'auto', budgetUsd: 2 })
  const second = await open('two')
  expect(second?.payload.decision).toMatchObject({ depth: 'auto', budgetUsd: 1 })
  const third = await open('three')
  expect(third?.payload.decision).toEqual({
    kind: 'review',
    depth: 'offline',
    budgetUsd: null,
    notice: expect.stringMatching(
      /^Code checks only: the daily budget of this server is used up until \d{4}-\d\d-\d\d 00:00 UTC\.$/,
    ),
  })
  // The first one cost less than it might have: what is left can be spent.
  await database.query(
    `insert into spending (tenant, job, fence, host, repository, usd, unpriced_calls)
     values ($1, $2, 1, 'host', 'acme/shop', 0.25, 0)`,
    [world.tenant, first?.id ?? 0],
  )
  await database.query(`update job set state = 'reviewed', ended_at = now() where id = $1`, [first?.id ?? 0])
  const fourth = await open('four')
  expect(fourth?.payload.decision).toMatchObject({ depth: 'auto', budgetUsd: 1.75 })
})

test('a command is acknowledged while another change waits for its host', async () => {
  const { github, project, connections, settled } = await openIntakeWorld()
  project.roles.set('grace', 'write')
  const [slow, change] = ['slow', 'topic'].map((branch) => project.open({ branch, files }))
  const connection = connections.get('github')
  if (!slow || !change || !connection) throw new Error('no change')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const tenantOf = connection.tenantOf.bind(connection)
  let asked = 0
  connection.tenantOf = async (...given) => {
    asked++
    if (asked === 1) await held
    return await tenantOf(...given)
  }
  await github.hooks.pull(slow, 'opened')
  while (asked === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const order = change.comment('grace', '@sightline help')
  await github.hooks.comment(change, order)
  while (github.state.reactions.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  release()
  await settled()
  expect(github.state.reactions).toMatchObject([{ note: order.id, content: 'eyes' }])
  expect(github.violations).toEqual([])
})
