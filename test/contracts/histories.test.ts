/**
 * Random histories on the three strict hosts, with a crash at every request; `npm run test:host-histories` plays 1,000.
 * `SIGHTLINE_HOST_HISTORIES` says how many here, on each host.
 */
import { expect, test } from 'vitest'
import { playHistory } from './host-history.ts'
import { hostSetups } from './host-setups.ts'

const histories = Number(process.env.SIGHTLINE_HOST_HISTORIES ?? 1)
const firstSeed = 20_261_122

for (const setup of Object.values(hostSetups))
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
  }, 600_000)
