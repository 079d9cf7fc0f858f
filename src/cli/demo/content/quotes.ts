/** What a parcel costs: the function whose signature the feature changes, and its callers. */

export const quotes = {
  'src/quotes/zones.ts': `export type Zone = 'domestic' | 'europe' | 'world'

export const factors: Record<Zone, number> = { domestic: 1, europe: 1.8, world: 3.2 }
`,
  'src/quotes/price.ts': `import { factors, type Zone } from './zones.ts'

/** Cents for a parcel of this weight. */
export function quotePrice(weightGrams: number, zone: Zone): number {
  const base = 390 + Math.ceil(weightGrams / 500) * 85
  return roundToCents(base * factors[zone])
}

export function roundToCents(amount: number): number {
  return Math.round(amount)
}
`,
  'test/price.test.ts': `import { expect, test } from 'vitest'
import { quotePrice, roundToCents } from '../src/quotes/price.ts'

test('a heavier parcel costs more', () => {
  expect(quotePrice(2000, 'domestic')).toBeGreaterThan(quotePrice(500, 'domestic'))
})

test('rounds to whole cents', () => {
  expect(roundToCents(12.5)).toBe(13)
  expect(roundToCents(-0.4)).toBe(0)
})
`,
}

export const dailyReport = {
  'src/reports/daily.ts': `import type { Order } from '../orders/order.ts'
import { quotePrice } from '../quotes/price.ts'

/** What the orders of a day would cost at today's prices. */
export function revenueOf(orders: readonly Order[]): number {
  let cents = 0
  for (const order of orders) cents += quotePrice(order.weightGrams, order.zone)
  return cents
}
`,
}

export const quotesByVolume = {
  'src/quotes/zones.ts': `export type Zone = 'domestic' | 'europe' | 'world' | 'islands'

export const factors: Record<Zone, number> = { domestic: 1, europe: 1.8, world: 3.2, islands: 2.4 }
`,
  'src/quotes/volume.ts': `/** Grams that a parcel of this volume counts as, at 200 kg per cubic metre. */
export function volumetricGrams(cubicCentimetres: number): number {
  if (cubicCentimetres <= 0) throw new RangeError('a parcel has a volume')
  return Math.ceil(cubicCentimetres / 5)
}
`,
  'test/volume.test.ts': `import { expect, test } from 'vitest'
import { volumetricGrams } from '../src/quotes/volume.ts'

test('five cubic centimetres count as a gram', () => {
  expect(volumetricGrams(1000)).toBe(200)
  expect(() => volumetricGrams(0)).toThrow(RangeError)
})
`,
  'src/quotes/price.ts': `import { volumetricGrams } from './volume.ts'
import { factors, type Zone } from './zones.ts'

/** Cents for a parcel of this weight or volume, whichever costs more. */
export function quotePrice(weightGrams: number, zone: Zone, cubicCentimetres: number): number {
  const grams = Math.max(weightGrams, volumetricGrams(cubicCentimetres))
  const base = 390 + Math.ceil(grams / 500) * 85
  return roundToCents(base * factors[zone])
}

export function roundToCents(amount: number): number {
  return Math.round(amount)
}
`,
  'test/price.test.ts': `import { expect, test } from 'vitest'
import { quotePrice, roundToCents } from '../src/quotes/price.ts'

test('a heavier parcel costs more', () => {
  expect(quotePrice(2000, 'domestic', 100)).toBeGreaterThan(quotePrice(500, 'domestic', 100))
})

test('rounds to whole cents', () => {
  expect(roundToCents(12.5)).toBe(13)
})
`,
}
