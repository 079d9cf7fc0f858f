/** Whatever is lost, moved, rotated or there twice, nothing is said twice; `npm run test:losses` plays more orders. */
import { expect, test } from 'vitest'
import { hostKinds } from '../../../src/hosts/remote/contract.ts'
import { playLosses } from './play.ts'

for (const host of hostKinds)
  test(`${host}: nothing is said again after any loss`, { timeout: 900_000 }, async () => {
    const { doubles, wrong, reviews, order } = await playLosses({ host, seed: 1 })
    expect({ doubles, wrong }).toEqual({ doubles: [], wrong: [] })
    expect(reviews).toBe(order.length + 1)
  })
