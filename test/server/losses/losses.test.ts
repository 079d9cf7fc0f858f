/**
 * Whatever is lost, moved or rotated, nothing is said twice: on each host `secretKey` and three more, drawn by a seed, all before one
 * review. `npm run test:losses` plays all of them one after the other, with other servers and the command.
 */
import { expect, test } from 'vitest'
import { hostKinds } from '../../../src/domain/host-kind.ts'
import { seed } from '../../helpers/matrix.ts'
import { Random } from '../../helpers/random.ts'
import { lossesOfStopped, playLosses } from './play.ts'

const others = lossesOfStopped.filter((loss) => loss !== 'secretKey')

for (const [at, host] of hostKinds.entries())
  test(`${host}: nothing is said again after any loss, seed ${seed}`, { timeout: 900_000 }, async () => {
    const only = ['secretKey', ...new Random(seed + at).shuffled(others).slice(0, 3)] as const
    const { doubles, wrong, reviews } = await playLosses({ host, seed, only, isAtOnce: true })
    expect({ doubles, wrong }).toEqual({ doubles: [], wrong: [] })
    expect(reviews).toBe(2)
  })
