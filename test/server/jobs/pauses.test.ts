/** A rate limit that one server met holds up the publishers of the other servers of its database. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
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

async function checkWaiting(kind: BuiltInHostKind, database: Database): Promise<void> {
  const asked: string[] = []
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
  }).get('host')
  if (!connection) throw new Error('no connection')
  await database.query('insert into tenant (tenant) values ($1)', [kind])
  const elsewhere = temporaryFolder()
  const own = new WritePause(join(placesOf(data, kind).pauses, pauseName(connection.apiUrl)))
  const until = Date.now() + 3000
  new WritePause(join(elsewhere, pauseName(connection.apiUrl))).extend(until)
  await sharePauses(database, { tenant: kind, folder: elsewhere })
  const repository = { installation: null, id: '1' }
  const signal = AbortSignal.timeout(60_000)
  const { fetch: read } = await connection.open(repository, 'read', signal)
  await read(url, { signal })
  expect(Date.now()).toBeLessThan(until)
  const { fetch: write } = await connection.open(repository, 'publish', signal)
  await write(url, { method: 'POST', body: '{}', signal })
  expect(Date.now()).toBeGreaterThanOrEqual(until)
  expect(asked).toEqual(['GET', 'POST'])
  // What a read is asked to wait for, writes wait for too.
  refusals = 1
  const reading = read(url, { signal })
  while (own.left(Date.now()) <= turnMs) await delay(5)
  const end = Date.now() + own.left(Date.now())
  await write(url, { method: 'POST', body: '{}', signal })
  expect(Date.now()).toBeGreaterThanOrEqual(end)
  await reading
  // And the other servers hear of it at once.
  const newest = async () =>
    (
      await database.query<{ until: Date }>('select until from write_pause where tenant = $1', [kind])
    )[0]?.until.getTime()
  await expect.poll(newest).toBeGreaterThanOrEqual(end)
  expect(asked.toSorted()).toEqual(['GET', 'GET', 'GET', 'POST', 'POST'])
  // A status on the others reads the change request first, which this server has not.
  if (kind !== 'github' && kind !== 'forgejo') return
  own.extend(Date.now() + 30_000)
  const lines: string[] = []
  const log = openLog({ level: 'info', write: (line) => lines.push(line) })
  const at = { connection, installation: null, repository: { id: '1', fullName: 'acme/shop' }, number: 1 }
  const sign = {
    head: 'a'.repeat(40),
    title: 'Waiting',
    conclusion: 'queued',
    summary: '',
    ifOpen: false,
  } as const
  const options = { log, mostMs: 1_000 }
  const shown = [1, 2, 3].map(() => showSign(at, sign, options))
  // The last word on a check is not lost: whoever says it hears that it has to be said again.
  const last = showSign(at, { ...sign, conclusion: 'neutral', ifOpen: false }, { ...options, isLast: true })
  await expect(last).rejects.toMatchObject({ code: 'host-unavailable' })
  expect(await Promise.all(shown)).toEqual([null, null, null])
  expect(asked, 'nothing was written').toHaveLength(5)
  expect(
    lines.map((line) => JSON.parse(line).event),
    'a pause is no failure',
  ).toEqual(['host-paused'])
}
