/**
 * How long until another process goes on with a webhook when the one that was at it is killed, at each point of its life. Time
 * is counted, not waited for: each second moves what the database and the clock of the other process know.
 */
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hostKinds } from '../../../src/domain/host-kind.ts'
import type { Database } from '../../../src/server/database/contract.ts'
import {
  DeliveryWriter,
  renewDeliveries,
  settleDeliveries,
  takeDeliveries,
} from '../../../src/server/intake/deliveries.ts'
import { openQueue } from '../../../src/server/queue/sql-queue.ts'
import { loadServerSettings } from '../../../src/server/settings/load.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { drawn } from '../../helpers/matrix.ts'
import { connectHost } from '../../helpers/served/hosts.ts'
import { endOfCheck, serveLoaded } from '../../helpers/served/server.ts'
import { environment } from '../../helpers/sightline.ts'
import { startServer } from '../server-world.ts'

const most = 15
const kinds = ['review']
const lane = 'github/7#1'

async function openWorld() {
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  let ms = 0
  const pass = async (seconds: number) => {
    ms += seconds * 1000
    await moveBack(database, seconds)
  }
  // Each process has a queue of its own, which knows nothing of what another one saw.
  return { database, pass, openQueue: () => openQueue(database, { now: () => ms }) }
}

/** What was written some seconds ago. */
async function moveBack(database: Database, seconds: number): Promise<void> {
  await database.query(
    `update webhook_delivery set taken_until = taken_until - make_interval(secs => $1),
       not_before = not_before - make_interval(secs => $1)`,
    [seconds],
  )
  await database.query(
    `update job set lease_until = lease_until - make_interval(secs => $1),
       run_at = run_at - make_interval(secs => $1), changed_at = changed_at - make_interval(secs => $1)`,
    [seconds],
  )
}

type World = Awaited<ReturnType<typeof openWorld>>

async function deliver({ database }: World): Promise<void> {
  const event = {
    ...{ type: 'change' as const, action: 'opened', installation: null, head: null, number: 1 },
    repository: { id: '7', fullName: 'acme/shop' },
  }
  const delivery = { connection: 'github', id: 'a', hash: 'a', receivedAt: new Date(), event }
  expect(await new DeliveryWriter(database, () => {}).write(delivery)).toBe(true)
}

const enqueue = (world: World) =>
  world.openQueue().enqueue({ tenant: 'acme', kind: 'review', lane, contentKey: 'a', payload: {} })

/** Looks each second, as a server does. */
async function secondsUntil({ pass }: World, goesOn: () => Promise<boolean>): Promise<number> {
  for (let seconds = 0; seconds <= 60; seconds++) {
    if (await goesOn()) return seconds
    await pass(1)
  }
  throw new Error('nobody goes on with it')
}

const takesUp = (world: World) => async () => (await takeDeliveries(world.database, 8)).length === 1

function claims(world: World): () => Promise<boolean> {
  const queue = world.openQueue()
  return async () => {
    await queue.recover()
    return (await queue.claim({ worker: 'other', kinds, slots: 1 })).length === 1
  }
}

/** What was done before the process was killed, and how another one sees that it goes on. */
const points: Record<string, { before: (world: World) => Promise<unknown>; goesOn: typeof claims }> = {
  'stored, and not taken up': { before: deliver, goesOn: takesUp },
  'taken up, and read from the host': {
    async before(world) {
      await deliver(world)
      await takeDeliveries(world.database, 8)
    },
    goesOn: takesUp,
  },
  'taken up, held for longer, and then killed': {
    async before(world) {
      await deliver(world)
      const [taken = []] = await takeDeliveries(world.database, 8)
      await world.pass(6)
      expect(await renewDeliveries(world.database, taken)).toBe(true)
    },
    goesOn: takesUp,
  },
  'settled, with a job that waits': {
    async before(world) {
      await deliver(world)
      const [taken = []] = await takeDeliveries(world.database, 8)
      await settleDeliveries(world.database, taken, { tenant: 'acme', result: 'a job' })
      await enqueue(world)
    },
    goesOn: claims,
  },
  'claimed: at reading, reviewing or posting': {
    async before(world) {
      await enqueue(world)
      await world.openQueue().claim({ worker: 'one', kinds, slots: 1 })
    },
    goesOn: claims,
  },
  'claimed, and renewed just before': {
    async before(world) {
      await enqueue(world)
      const queue = world.openQueue()
      const claimed = await queue.claim({ worker: 'one', kinds, slots: 1 })
      await world.pass(5)
      expect(await queue.heartbeat(claimed)).toEqual(['running'])
    },
    goesOn: claims,
  },
}

for (const [point, { before, goesOn }] of Object.entries(points))
  test(`a webhook goes on within ${most} seconds when its process is killed: ${point}`, async () => {
    const world = await openWorld()
    await before(world)
    const seconds = await secondsUntil(world, goesOn(world))
    console.log(`${point}: ${seconds} s`)
    expect(seconds).toBeLessThanOrEqual(most)
  })

test('what was taken up is free again within ten seconds; who goes on holds it for longer, until it is settled', async () => {
  const world = await openWorld()
  const { database, pass } = world
  await deliver(world)
  const take = () => takeDeliveries(database, 8)
  const secondsHeld = async () => {
    const [row] = await database.query<{ seconds: number }>(
      'select extract(epoch from taken_until - now())::float8 as seconds from webhook_delivery',
    )
    return row?.seconds
  }
  const [first = []] = await take()
  expect(first).toHaveLength(1)
  expect(await take()).toEqual([])
  expect(await secondsHeld()).toBeLessThanOrEqual(10)
  await pass(10)
  const [second = []] = await take()
  expect(second.map(({ number, attempts }) => [number, attempts])).toEqual([[first[0]?.number, 1]])
  expect(await renewDeliveries(database, first), 'it is somebody else’s by now').toBe(false)
  await pass(6)
  expect(await renewDeliveries(database, second)).toBe(true)
  expect(await secondsHeld()).toBeGreaterThan(6)
  expect(await take()).toEqual([])
  await settleDeliveries(database, second, { tenant: 'acme', result: 'done' })
  expect(await renewDeliveries(database, second), 'settled is not lost').toBe(true)
  expect(await take()).toEqual([])
})

test('nobody takes over what a living process holds', async () => {
  const world = await openWorld()
  await deliver(world)
  await enqueue(world)
  const [taken = []] = await takeDeliveries(world.database, 8)
  const queue = world.openQueue()
  const claimed = await queue.claim({ worker: 'one', kinds, slots: 1 })
  const others = claims(world)
  for (let second = 0; second < 16; second++) {
    await world.pass(1)
    if (second % 2 === 0) {
      await renewDeliveries(world.database, taken)
      await queue.heartbeat(claimed)
    }
    expect([await takesUp(world)(), await others()]).toEqual([false, false])
  }
})

test.each(drawn(hostKinds, 1))(
  '%s: killed after its answer, a server makes the job after its start',
  async (kind) => {
    const host = await connectHost(kind, { files: { 'a.txt': 'one\n' } })
    onTestFinished(() => host.close())
    const secrets = Object.entries(host.secrets).filter(([, secret]) => secret !== null)
    const files = Object.fromEntries(secrets.map(([name]) => [name, { file: name }]))
    const options = {
      folder: temporaryFolder(),
      files: Object.fromEntries(secrets) as Record<string, string>,
      settings: {
        policy: { depth: 'offline' },
        connections: { host: { ...host.connection(), url: host.url, ...files } },
      },
    }
    const check = () => host.check(host.change.head)
    const first = await startServer(options)
    const killed = Promise.withResolvers<void>()
    // The host keeps the server waiting for what it reads first.
    host.faults.at(1, { kind: 'run', action: () => killed.promise }, ({ path }) =>
      /\/(?:pulls|merge_requests|pull-?requests)\/1$/i.test(path),
    )
    await host.announce(first.url, 'opened')
    await first.stop('SIGKILL')
    killed.resolve()
    expect(check()).toBeNull()
    const home = { HOME: options.folder, XDG_STATE_HOME: options.folder, XDG_CACHE_HOME: options.folder }
    const loaded = loadServerSettings(environment(home), join(options.folder, 'server.yaml'))
    const second = await serveLoaded(loaded, { environment: home })
    onTestFinished(second.stop)
    await vi.waitUntil(() => check() !== null, { timeout: 240_000 })
    await endOfCheck(host, second)
    expect(host.violations).toEqual([])
  },
)
