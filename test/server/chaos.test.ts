/** A sample of the chaos run, on the database that the seed chooses; `npm run test:chaos` is the whole of it. */
import { expect, test } from 'vitest'
import { runRound } from '../chaos/round.ts'
import { seed } from '../helpers/matrix.ts'
import { postgresPrograms } from '../helpers/postgres.ts'

const kills = 1
/** What is killed goes on elsewhere after twice that at the most, so that nobody waits. */
const lease = 0.6

test(`kills and faults lose, double and block nothing, seed ${seed}`, async () => {
  const database = seed % 2 === 0 && postgresPrograms() ? 'postgres' : 'embedded'
  const result = await runRound({ seed, kills, jobs: 16, workers: 2, lease, database, diskIsOwn: false })
  expect(result).toMatchObject({ seed, database, lost: 0, double: 0, stuck: 0, poisonLeft: 0 })
  expect(result.kills).toBeGreaterThanOrEqual(kills)
  expect(result.published).toBeGreaterThan(7)
})
