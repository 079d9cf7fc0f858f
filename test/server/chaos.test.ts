/** A sample of the chaos run; `npm run test:chaos` is the whole of it. */
import { expect, test } from 'vitest'
import { runRound } from '../chaos/round.ts'
import { postgresPrograms } from '../helpers/postgres.ts'

const seed = 20_261_122
const kills = 2

test.each(['embedded', 'postgres'] as const)(
  'kills and faults lose, double and block nothing: %s',
  { timeout: 300_000 },
  async (database) => {
    if (database === 'postgres' && !postgresPrograms()) {
      process.stdout.write('PostgreSQL is not installed: the chaos run skips it\n')
      return
    }
    const result = await runRound({ seed, kills, jobs: 24, database, diskIsOwn: false })
    expect(result).toMatchObject({ seed, database, lost: 0, double: 0, stuck: 0, poisonLeft: 0 })
    expect(result.kills).toBeGreaterThanOrEqual(kills)
    expect(result.published).toBeGreaterThan(10)
  },
)
