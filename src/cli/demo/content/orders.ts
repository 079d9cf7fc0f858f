/** Orders: booking, cancelling, telling people. The feature skips a test here and makes two slips. */

export const orders = {
  'src/orders/order.ts': `import type { Zone } from '../quotes/zones.ts'

export type Order = {
  id: string
  weightGrams: number
  cubicCentimetres: number
  zone: Zone
  status: 'booked' | 'paid' | 'cancelled'
  cents: number
}
`,
  'src/orders/book.ts': `import { quotePrice } from '../quotes/price.ts'
import type { Order } from './order.ts'

export function book(parcel: Omit<Order, 'cents' | 'status'>): Order {
  return { ...parcel, status: 'booked', cents: quotePrice(parcel.weightGrams, parcel.zone) }
}
`,
  'test/orders.test.ts': `import { expect, test } from 'vitest'
import { book } from '../src/orders/book.ts'

const parcel = { id: 'p1', weightGrams: 900, cubicCentimetres: 4000, zone: 'europe' } as const

test('a booked parcel has a price', () => {
  expect(book(parcel).cents).toBeGreaterThan(0)
})

test('booking the same parcel twice gives the same price', () => {
  expect(book(parcel)).toEqual(book(parcel))
})
`,
}

export const errorsAndCancel = {
  'src/http/errors.ts': `export class HttpError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function notFound(what: string): HttpError {
  return new HttpError(404, what + ' does not exist')
}

export function conflict(what: string): HttpError {
  return new HttpError(409, what + ' is in the way')
}
`,
  'src/orders/cancel.ts': `import { conflict } from '../http/errors.ts'
import type { Order } from './order.ts'

export function cancel(order: Order): Order {
  if (order.status === 'paid') throw conflict('the payment of ' + order.id)
  return { ...order, status: 'cancelled' }
}
`,
}

export const notify = {
  'src/orders/notify.ts': `import type { Order } from './order.ts'

export type Send = (address: string, text: string) => Promise<void>

export async function notify(order: Order, address: string, send: Send): Promise<void> {
  await send(address, 'Parcel ' + order.id + ' is ' + order.status)
}
`,
  'src/orders/payment.ts': `import type { Order } from './order.ts'

export function isOpen(order: Order): boolean {
  return order.status === 'booked'
}
`,
}

export const ordersByVolume = {
  'src/orders/book.ts': orders['src/orders/book.ts'].replace(
    'quotePrice(parcel.weightGrams, parcel.zone)',
    'quotePrice(parcel.weightGrams, parcel.zone, parcel.cubicCentimetres)',
  ),
  'test/orders.test.ts': orders['test/orders.test.ts'].replace("test('booking", "test.skip('booking"),
  'src/http/errors.ts': errorsAndCancel['src/http/errors.ts'].slice(
    0,
    errorsAndCancel['src/http/errors.ts'].indexOf('\nexport function conflict'),
  ),
  'src/orders/notify.ts': `${notify['src/orders/notify.ts']}
export async function notifyAll(orders: readonly Order[], address: string, send: Send): Promise<number> {
  orders.forEach(async (order) => {
    await notify(order, address, send)
  })
  return orders.length
}
`,
  'src/orders/payment.ts': `${notify['src/orders/payment.ts']}
export function settle(order: Order, cents: number): Order {
  if (order.status = 'paid') return order
  return cents >= order.cents ? { ...order, status: 'paid' } : order
}
`,
}
