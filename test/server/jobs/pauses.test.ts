/** A rate limit that one server met holds up the publishers of the other servers of its database. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type BuiltInHostKind, hostKinds } from '../../../src/domain/host-kind.ts'
import { pauseName, turnMs, WritePause } from '../../../src/hosts/remote/transport.ts'
import { showSign } from '../../../src/server/access/show-check.ts'
import { openConnections } from '../../../src/server/connections/connections.ts'
import { openSealer } from '../../../src/server/connections/sealed-secrets.ts'
import type { Database } from '../../../src/server/database/contract.ts'
import { sharePauses } from '../../../src/server/jobs/pauses.ts'
import { placesOf } from '../../../src/server/jobs/places.ts'
import { openLog } from '../../../src/server/log.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { listen } from '../../helpers/listen.ts'
import { noSecrets } from '../../helpers/no-secrets.ts'

test('what a host asked one server to wait for, the others wait for too', async () => {
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  const [one, other, stranger] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  await database.query("insert into tenant (tenant) values ('acme'), ('others')")
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
  // Of a tenant that was deleted, no row comes back.
  await database.query("delete from tenant where tenant = 'acme'")
  await database.query("delete from write_pause where tenant = 'acme'")
  await sharePauses(database, { tenant: 'acme', folder: one }, now)
  expect(await database.query("select 1 from write_pause where tenant = 'acme'")).toEqual([])
})

test('what a server itself writes, such as the sign that a review waits, waits with the publishers', async () => {
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  await Promise.all(hostKinds.map((kind) => checkWaiting(kind, database)))
})

/** Stands still; whoever waits sleeps until the test lets the time pass. */
function openClock() {
  let time = Date.now()
  let sleepers: { until: number; wake: () => void }[] = []
  const skip = (ms: number) => {
    time += ms
    for (const { until, wake } of sleepers) if (until <= time) wake()
    sleepers = sleepers.filter(({ until }) => until > time)
  }
  return {
    skip,
    now: () => time,
    sleep: async (ms: number, signal: AbortSignal) =>
      await new Promise<void>((wake, fail) => {
        sleepers.push({ until: time + ms, wake })
        signal.addEventListener('abort', () => fail(signal.reason), { once: true })
      }),
    asleep: async (count: number) => {
      await vi.waitUntil(() => sleepers.length === count, { timeout: 60_000, interval: 5 })
    },
    /** As much time as it needs. */
    async passFor(work: Promise<unknown>) {
      let isOver = false
      void work.finally(() => {
        isOver = true
      })
      await vi.waitUntil(
        () => {
          if (sleepers.length > 0) skip(Math.min(...sleepers.map(({ until }) => until)) - time)
          return isOver
        },
        { timeout: 60_000, interval: 5 },
      )
      await work
    },
  }
}

async function checkWaiting(kind: BuiltInHostKind, database: Database): Promise<void> {
  const asked: string[] = []
  const clock = openClock()
  let refusals = 0
  const host = createServer((request, response) => {
    asked.push(request.method ?? '')
    if (refusals-- > 0) response.writeHead(429, { 'retry-after': '3' })
    response.end('{}')
  })
  const url = `http://127.0.0.1:${await listen(host)}`
  const data = temporaryFolder()
  const secretsOfHost = { appKey: null, token: 'a token', webhookSecret: null, previousWebhookSecret: null }
  const connection = openConnections({
    settings: ServerSettings.parse({ connections: { host: { kind, url, tenant: kind } } }),
    secrets: { ...noSecrets, connections: { host: secretsOfHost } },
    ...{ database, data, sealer: openSealer('a key of this test that is long enough') },
    ...{ now: clock.now, sleep: clock.sleep },
  }).get('host')
  if (!connection) throw new Error('no connection')
  await database.query('insert into tenant (tenant) values ($1)', [kind])
  const elsewhere = temporaryFolder()
  const own = new WritePause(join(placesOf(data, kind).pauses, pauseName(connection.apiUrl)))
  const until = clock.now() + 60_000
  new WritePause(join(elsewhere, pauseName(connection.apiUrl))).extend(until)
  await sharePauses(database, { tenant: kind, folder: elsewhere }, clock.now())
  const repository = { installation: null, id: '1' }
  const { signal } = new AbortController()
  const { fetch: read } = await connection.open(repository, 'read', signal)
  await read(url, { signal })
  const { fetch: write } = await connection.open(repository, 'publish', signal)
  const written = write(url, { method: 'POST', body: '{}', signal })
  await clock.asleep(1)
  expect(asked).toEqual(['GET'])
  await clock.passFor(written)
  expect(clock.now()).toBeGreaterThanOrEqual(until)
  expect(asked).toEqual(['GET', 'POST'])
  // What a read is asked to wait for, writes wait for too.
  refusals = 1
  const reading = read(url, { signal })
  await clock.asleep(1)
  const left = own.left(clock.now())
  expect(left).toBeGreaterThan(turnMs)
  const end = clock.now() + left
  const writing = write(url, { method: 'POST', body: '{}', signal })
  await clock.asleep(2)
  expect(asked).toEqual(['GET', 'POST', 'GET'])
  await clock.passFor(Promise.all([reading, writing]))
  expect(clock.now()).toBeGreaterThanOrEqual(end)
  // And the other servers hear of it at once.
  const newest = async () =>
    (
      await database.query<{ until: Date }>('select until from write_pause where tenant = $1', [kind])
    )[0]?.until.getTime()
  await expect.poll(newest).toBeGreaterThanOrEqual(end)
  expect(asked.toSorted()).toEqual(['GET', 'GET', 'GET', 'POST', 'POST'])
  // A status on the others reads the change request first, which this server has not.
  if (kind !== 'github' && kind !== 'forgejo') return
  const lines: string[] = []
  const told = { log: openLog({ level: 'info', write: (line) => lines.push(line) }), now: clock.now }
  const at = { connection, installation: null, repository: { id: '1', fullName: 'acme/shop' }, number: 1 }
  const sign = {
    head: 'a'.repeat(40),
    title: 'Waiting',
    conclusion: 'queued',
    summary: '',
    ifOpen: false,
  } as const
  // It does not wait for longer than a few seconds when it is asked to wait.
  clock.skip(2 * turnMs)
  refusals = 1
  const limit = new AbortController()
  const shown = showSign(at, sign, { ...told, limit: limit.signal })
  await clock.asleep(1)
  limit.abort()
  expect(await shown).toBe(null)
  expect(asked).toHaveLength(6)
  // And not at all when it is known that it would be in vain.
  own.extend(clock.now() + 90_000)
  expect(await Promise.all([1, 2, 3].map(() => showSign(at, sign, told)))).toEqual([null, null, null])
  // The last word on a check is not lost: whoever says it hears that it has to be said again.
  await expect(
    showSign(at, { ...sign, conclusion: 'neutral', ifOpen: false }, { ...told, isLast: true }),
  ).rejects.toMatchObject({ code: 'host-unavailable' })
  expect(asked, 'nothing was written').toHaveLength(6)
  expect(
    lines.map((line) => JSON.parse(line).event),
    'a pause is no failure',
  ).toEqual(['host-paused', 'host-paused'])
}
