/**
 * Whatever is lost, moved, rotated or there twice, nothing is said twice: four losses of the day on the host of the day.
 * `npm run test:losses` plays all of them on all hosts.
 */
import { expect, test } from 'vitest'
import { hostKinds } from '../../../src/hosts/remote/contract.ts'
import { drawn, seedOfDay } from '../../helpers/matrix.ts'
import { Random } from '../../helpers/random.ts'
import { losses, playLosses } from './play.ts'

for (const host of drawn(hostKinds, 1))
  test(`${host}: nothing is said again after any loss, seed ${seedOfDay}`, { timeout: 900_000 }, async () => {
    const only = new Random(seedOfDay).shuffled(losses).slice(0, 4)
    const { doubles, wrong, reviews, order } = await playLosses({ host, seed: seedOfDay, only })
    expect({ doubles, wrong }).toEqual({ doubles: [], wrong: [] })
    expect(reviews).toBe(order.length + 1)
  })
