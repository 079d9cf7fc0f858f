/** A rate limit that one server met holds up the publishers of the other servers of its database. */
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { WritePause } from '../../../src/hosts/remote/transport.ts'
import { sharePauses } from '../../../src/server/jobs/pauses.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'

test('what a host asked one server to wait for, the others wait for too', async () => {
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  const [one, other, stranger] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const file = 'a'.repeat(32)
  const now = Date.now()
  const left = (folder: string) => new WritePause(join(folder, file)).left(now)
  new WritePause(join(one, file)).extend(now + 90_000)
  await sharePauses(database, { tenant: 'acme', folder: one }, now)
  await sharePauses(database, { tenant: 'acme', folder: other }, now)
  await sharePauses(database, { tenant: 'others', folder: stranger }, now)
  expect([left(one), left(other), left(stranger)]).toEqual([90_000, 90_000, 0])
  // The longer one counts, on both.
  new WritePause(join(other, file)).extend(now + 120_000)
  for (const folder of [one, other, one]) await sharePauses(database, { tenant: 'acme', folder }, now)
  expect([left(one), left(other)]).toEqual([120_000, 120_000])
  // What is over is told nobody.
  const later = now + 130_000
  const fresh = temporaryFolder()
  await sharePauses(database, { tenant: 'acme', folder: fresh }, later)
  expect(new WritePause(join(fresh, file)).left(later)).toBe(0)
})
