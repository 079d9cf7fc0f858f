/**
 * Whatever is lost, moved or rotated, nothing is said twice: on a host that the seed draws, `secretKey` and three more, all
 * before one review. `npm run test:losses` plays all on every host, one after the other, with other servers and the command.
 */
import { expect, test } from 'vitest'
import { hostKinds } from '../../../src/domain/host-kind.ts'
import { drawn, seed } from '../../helpers/matrix.ts'
import { Random } from '../../helpers/random.ts'
import { lossesOfStopped, playLosses } from './play.ts'

const others = lossesOfStopped.filter((loss) => loss !== 'secretKey')

for (const host of drawn(hostKinds))
  test(`${host}: nothing is said again after any loss, seed ${seed}`, { timeout: 900_000 }, async () => {
    const only = [
      'secretKey',
      ...new Random(seed + hostKinds.indexOf(host)).shuffled(others).slice(0, 3),
    ] as const
    const { doubles, wrong, reviews } = await playLosses({ host, seed, only, isAtOnce: true })
    expect({ doubles, wrong }).toEqual({ doubles: [], wrong: [] })
    expect(reviews).toBe(2)
  })
