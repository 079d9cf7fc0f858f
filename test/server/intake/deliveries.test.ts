import { expect, onTestFinished, test } from 'vitest'
import {
  DeliveryWriter,
  renewDeliveries,
  settleDeliveries,
  takeDeliveries,
} from '../../../src/server/intake/deliveries.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'

const timeout = 240_000

async function openDeliveries() {
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  const writer = new DeliveryWriter(database, () => {})
  const repository = { id: '7', fullName: 'acme/shop' }
  const event = {
    type: 'change',
    repository,
    installation: null,
    number: 1,
    action: 'opened',
    head: null,
  } as const
  await writer.write({ connection: 'host', id: '1', hash: '1', receivedAt: new Date(), event })
  const secondsHeld = async () => {
    const [row] = await database.query<{ seconds: number }>(
      'select extract(epoch from taken_until - now())::float8 as seconds from webhook_delivery',
    )
    return row?.seconds ?? 0
  }
  const pass = (seconds: number) =>
    database.query('update webhook_delivery set taken_until = taken_until - make_interval(secs => $1)', [
      seconds,
    ])
  return { database, secondsHeld, pass }
}

test('what a process took up and did not settle is free again within ten seconds', { timeout }, async () => {
  const { database, secondsHeld, pass } = await openDeliveries()
  const [first = []] = await takeDeliveries(database, 8)
  expect(first).toHaveLength(1)
  expect(await takeDeliveries(database, 8)).toEqual([])
  expect(await secondsHeld()).toBeLessThanOrEqual(10)
  await pass(10)
  const [second = []] = await takeDeliveries(database, 8)
  expect(second.map(({ number, attempts }) => [number, attempts])).toEqual([[first[0]?.number, 1]])
  expect(await renewDeliveries(database, first), 'the first one is somebody else’s by now').toBe(false)
  expect(await renewDeliveries(database, second)).toBe(true)
})

test('who goes on holds it for longer, and gives it up by settling', { timeout }, async () => {
  const { database, secondsHeld, pass } = await openDeliveries()
  const [lane = []] = await takeDeliveries(database, 8)
  await pass(6)
  expect(await renewDeliveries(database, lane)).toBe(true)
  expect(await secondsHeld()).toBeGreaterThan(6)
  expect(await takeDeliveries(database, 8)).toEqual([])
  await settleDeliveries(database, lane, { tenant: 'acme', result: 'done' })
  expect(await renewDeliveries(database, lane), 'settled is not lost').toBe(true)
  expect(await takeDeliveries(database, 8)).toEqual([])
})
