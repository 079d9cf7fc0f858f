/** What no webhook reported: deliveries that got lost, and open changes that nobody asked about. */
import { expect, test } from 'vitest'
import { reconcileDue } from '../../../src/server/intake/reconcile.ts'
import { type IntakeWorld, openIntakeWorld } from './intake-world.ts'

/** As if the time until the next turn had passed. */
async function reconcile(world: IntakeWorld) {
  await world.database.query("update repository set reconciled_at = '-infinity'")
  await world.database.query("update redelivery set at = '-infinity'")
  const found = await reconcileDue({ ...world, everyMinutes: 10 }, new AbortController().signal)
  await world.github.hooks.settled()
  await world.settled()
  return found
}

function filesOf(number: number) {
  return { 'a.ts': `export const one = ${number}\n` }
}

test('three in ten deliveries are lost: every open head gets its job, and none gets two', async () => {
  const world = await openIntakeWorld()
  const { github, project } = world
  project.roles.set('ada', 'write')
  await reconcile(world)
  let sent = 0
  github.hooks.loses = () => sent++ % 10 < 3
  const changes = Array.from({ length: 10 }, (_, at) =>
    project.open({ branch: `topic-${at}`, files: filesOf(at + 2) }),
  )
  for (const change of changes) await github.hooks.pull(change, 'opened')
  await world.settled()
  expect((await world.jobs()).length).toBe(7)
  // The host is asked for what it could not deliver.
  github.hooks.loses = () => false
  expect(await reconcile(world)).toMatchObject({ deliveries: 3 })
  const heads = (await world.jobs()).map(({ payload }) => payload.head)
  expect(heads.sort()).toEqual(changes.map(({ head }) => head).sort())
  expect(await reconcile(world)).toEqual({ deliveries: 0, changes: 0 })
  expect(await world.jobs()).toHaveLength(10)
  expect(github.violations).toEqual([])
})

test('what was open before is left alone until something happens; then pushes are found, also after an outage', async () => {
  const world = await openIntakeWorld()
  const { github, project, tenant } = world
  project.roles.set('ada', 'write')
  const nothing = { deliveries: 0, changes: 0 }
  const newest = async () => (await world.jobs())[0]
  // Open before the App was installed.
  const change = project.open({ branch: 'old', files: filesOf(2) })
  expect(await reconcile(world)).toEqual(nothing)
  expect(await world.jobs()).toEqual([])
  expect(await world.triggers()).toMatchObject([
    { number: 1, state: 'skipped', decision: 'skipped: open since before the repository was connected' },
  ])
  change.push(filesOf(3))
  await github.hooks.pull(change, 'synchronize')
  await world.settled()
  expect((await world.jobs()).map(({ payload }) => payload.head)).toEqual([change.head])
  // A push that nobody heard of.
  const pushed = change.push(filesOf(4))
  expect(await reconcile(world)).toEqual({ deliveries: 0, changes: 1 })
  expect(await newest()).toMatchObject({
    ...{ tenant, priority: 0 },
    payload: { head: pushed, trigger: { kind: 'reconciler' } },
  })
  expect(await reconcile(world)).toEqual(nothing)
  // A host that is down makes nobody fall: the next turn finds it all.
  const other = project.open({ branch: 'topic', files: filesOf(2) })
  const isList = ({ path }: { path: string }) => path.endsWith('/pulls')
  for (let at = 1; at <= 4; at++) github.faults.at(at, { kind: 'fail-before', status: 503 }, isList)
  expect(await reconcile(world)).toEqual(nothing)
  github.faults.clear()
  expect(await reconcile(world)).toEqual({ deliveries: 0, changes: 1 })
  expect((await newest())?.payload.head).toBe(other.head)
  expect(github.violations).toEqual([])
})
