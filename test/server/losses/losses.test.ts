/**
 * Whatever is lost, moved, rotated or there twice, nothing is said twice. `npm run test:losses` plays all hosts in more orders.
 */
import { expect, test } from 'vitest'
import { playLosses } from './play.ts'

test('GitHub: nothing is said again after any loss', { timeout: 900_000 }, async () => {
  const { doubles, wrong, reviews, order } = await playLosses({ host: 'github', seed: 1 })
  expect({ doubles, wrong }).toEqual({ doubles: [], wrong: [] })
  expect(reviews).toBe(order.length + 1)
})
