/**
 * A random history with a crash at every request, on one strict host; `npm run test:host-histories` plays 1,000.
 * `SIGHTLINE_HOST_HISTORIES` says how many here.
 */
import { expect, test } from 'vitest'
import { drawn, seed } from '../helpers/matrix.ts'
import { playHistory } from './host-history.ts'
import { hostSetups } from './host-setups.ts'

const histories = Number(process.env.SIGHTLINE_HOST_HISTORIES ?? 1)
const firstSeed = seed

for (const setup of drawn(Object.values(hostSetups)))
  test(`${setup.name}: ${histories} histories with a crash at every request, seeds from ${firstSeed}`, async () => {
    const fake = await setup.start()
    try {
      let [crashes, publications] = [0, 0]
      for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
        const totals = await playHistory(setup, fake, seed)
        crashes += totals.crashes
        publications += totals.publications
      }
      expect(crashes, 'more than one crash for each publication').toBeGreaterThan(publications)
    } finally {
      await fake.close()
    }
  })
