/**
 * Whatever is lost, moved, rotated or there twice, nothing is said twice: four losses on one host, drawn by a seed.
 * `npm run test:losses` plays all of them on all hosts.
 */
import { expect, test } from 'vitest'
import { hostKinds } from '../../../src/hosts/remote/contract.ts'
import { drawn, seed } from '../../helpers/matrix.ts'
import { Random } from '../../helpers/random.ts'
import { losses, playLosses } from './play.ts'

for (const host of drawn(hostKinds, 1))
  test(`${host}: nothing is said again after any loss, seed ${seed}`, { timeout: 900_000 }, async () => {
    const only = new Random(seed).shuffled(losses).slice(0, 4)
    const { doubles, wrong, reviews, order } = await playLosses({ host, seed, only })
    expect({ doubles, wrong }).toEqual({ doubles: [], wrong: [] })
    expect(reviews).toBe(order.length + 1)
  })
