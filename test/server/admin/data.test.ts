/** Backup, restore, move, retention and the deletion of a tenant, on both homes of the database. */
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Settings } from '../../../src/config/settings/schema.ts'
import { backup, restore } from '../../../src/server/admin/archive.ts'
import { tablesOf, tenantTables } from '../../../src/server/admin/tables.ts'
import { deleteExpired, deleteExpiredRuns, deleteTenant } from '../../../src/server/admin/tenants.ts'
import type { Database } from '../../../src/server/database/contract.ts'
import { openDatabase } from '../../../src/server/database/open-database.ts'
import { placesOf } from '../../../src/server/jobs/places.ts'
import { openQueue } from '../../../src/server/queue/sql-queue.ts'
import { openRunStore, tenantFolder, tenantName } from '../../../src/storage/runs/registry.ts'
import { describeDatabases } from '../../helpers/databases.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { startFakeS3 } from '../../helpers/fakes/s3-server.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'

const request = (tenant: string, lane: string) => ({
  ...{ tenant, kind: 'review', lane, contentKey: lane, payload: { text: `"quoted" \u2028 ${tenant}` } },
})

describeDatabases('data administration', ({ database }) => {
  test('every table belongs to tenants, so that none is forgotten', async () => {
    expect(await tablesOf(database())).toEqual(await tenantTables(database()))
  })

  test('a backup restored elsewhere has the same rows, and its queue goes on', async () => {
    const queue = openQueue(database())
    await queue.enqueue(request('copied', 'l1'))
    const waiting = await queue.enqueue(request('copied', 'l2'))
    const [claim] = await queue.claim({ worker: 'w', kinds: ['review'], slots: 1 })
    const file = join(temporaryFolder(), 'backup.gz')
    const written = await backup(database(), file)
    expect(written.rows).toBeGreaterThan(2)
    const other = await openEmptyDatabase()
    try {
      expect((await restore(other, file)).rows).toBe(written.rows)
      expect(await rowsOf(other, 'job')).toEqual(await rowsOf(database(), 'job'))
      await expect(restore(other, file)).rejects.toMatchObject({ code: 'backup-refused' })
      const there = openQueue(other)
      const [next] = await there.claim({ worker: 'w', kinds: ['review'], slots: 1 })
      expect(next?.id).toBe(waiting.id)
      expect(next?.fence).toBeGreaterThan((claim?.fence ?? Infinity) + 1)
      expect((await there.enqueue(request('copied', 'l3'))).id).toBeGreaterThan(waiting.id)
    } finally {
      await other.close()
    }
  })

  test('a backup needs its folder, and a database that is there', async () => {
    const [file, folder] = [join(temporaryFolder(), 'absent', 'backup.gz'), temporaryFolder()]
    await expect(backup(database(), file)).rejects.toMatchObject({ code: 'usage' })
    await expect(openDatabase({ folder, isThere: true })).rejects.toMatchObject({ code: 'database-refused' })
    expect(readdirSync(folder)).toEqual([])
  })

  test('a damaged backup restores nothing', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'backup.gz')
    await backup(database(), file)
    const lines = gunzipSync(readFileSync(file)).toString().split('\n')
    writeFileSync(join(folder, 'cut.gz'), gzipSync(lines.slice(0, -2).join('\n')))
    writeFileSync(join(folder, 'other.gz'), 'something else')
    writeFileSync(join(folder, 'foreign.gz'), gzipSync('{"a":1}\n'))
    const other = await openEmptyDatabase()
    try {
      await expect(restore(other, join(folder, 'foreign.gz'))).rejects.toThrow(
        /it is not a backup of a server/,
      )
      for (const name of ['cut.gz', 'other.gz', 'none.gz'])
        await expect(restore(other, join(folder, name))).rejects.toMatchObject({ code: 'backup-refused' })
      expect(await rowsOf(other, 'job')).toEqual([])
    } finally {
      await other.close()
    }
  })

  test('rows are kept for the days of their tenant', async () => {
    const queue = openQueue(database())
    await database().query(`insert into tenant (tenant, keep_days) values ('long', 90)`)
    for (const tenant of ['long', 'usual']) {
      for (const lane of ['old', 'new', 'waiting']) await queue.enqueue(request(tenant, lane))
      await database().query(
        `update job set state = 'reviewed', ended_at = now() - make_interval(days => case lane when 'old' then 60 else 1 end)
         where tenant = $1 and lane <> 'waiting'`,
        [tenant],
      )
    }
    // What is on record of months is not forgotten with the reviews that it was spent for.
    await database().query(
      `insert into spending (tenant, job, fence, host, repository, usd, unpriced_calls, last_at)
       values ('usual', 1, 1, 'h', 'r', 1, 0, now() - interval '30.5 days')`,
    )
    expect(await deleteExpired(database(), 61)).toMatchObject({ job: 0 })
    expect(await deleteExpired(database(), 7)).toMatchObject({ job: 1, spending: 0 })
    expect((await queue.jobs('usual')).map(({ lane }) => lane).toSorted()).toEqual(['new', 'waiting'])
    expect(await queue.jobs('long')).toHaveLength(3)
  })

  test('runs go after the days of the server or of their tenant, also where nothing is reviewed any more', async () => {
    const [dataFolder, environment] = [temporaryFolder(), {}]
    const { journal } = Settings.parse({})
    await database().query(`insert into tenant (tenant, keep_days) values ('slow', 20)`)
    const left = async (tenant: string) => {
      const { state } = placesOf(dataFolder, tenant)
      return await (await openRunStore(journal, { environment: { XDG_STATE_HOME: state }, tenant })).names()
    }
    const [now, dayMs] = [Date.now(), 86_400_000]
    const nameOf = (days: number) =>
      `${new Date(now - days * dayMs).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}-aaaaaa`
    for (const tenant of ['slow', 'brisk']) {
      await database().query(
        `insert into repository (connection, id, tenant, full_name, is_private) values ('c', $1, $1, $1, true)`,
        [tenant],
      )
      const { state } = placesOf(dataFolder, tenant)
      const runs = await openRunStore(journal, { environment: { XDG_STATE_HOME: state }, tenant })
      for (const days of [1, 10, 25]) {
        await runs.add(nameOf(days), ['one line'], new Map())
        const then = new Date(now - days * dayMs)
        for (const file of readdirSync(state, { recursive: true, encoding: 'utf8' }))
          if (file.includes(nameOf(days)) && file.includes(tenantName(tenant)))
            utimesSync(join(state, file), then, then)
      }
    }
    expect(await deleteExpiredRuns(database(), 7, { journal, environment, dataFolder })).toBe(3)
    expect(await left('brisk')).toEqual([nameOf(1)])
    expect((await left('slow')).toSorted()).toEqual([nameOf(1), nameOf(10)].toSorted())
  })

  test('the deletion of a tenant leaves nothing of it, and everything of the others', async () => {
    await using s3 = await startFakeS3()
    const queue = openQueue(database())
    const data = temporaryFolder()
    const store = `s3://${s3.bucket}/runs`
    const { journal } = Settings.parse({ journal: { store, s3: { endpoint: s3.endpoint, pathStyle: true } } })
    for (const [name, value] of Object.entries(s3.environment)) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    const runsOf = (tenant: string) =>
      openRunStore(journal, { environment: { XDG_STATE_HOME: placesOf(data, tenant).state }, tenant })
    const runs = ['20261123-000000-aaaaaa', '20261123-000001-aaaaaa']
    for (const tenant of ['leaves', 'stays']) {
      const kept = await runsOf(tenant)
      for (const run of runs) await kept.add(run, ['one line'], new Map())
      // And one that is on.
      await (await kept.create('20261123-000002-aaaaaa'))?.append('begun', { sync: true })
      await database().query(`insert into tenant (tenant) values ($1)`, [tenant])
      await queue.enqueue(request(tenant, 'l'))
      for (const place of ['state/sightline', 'fetched', 'cache']) {
        const folder = tenantFolder(join(data, place), tenant)
        mkdirSync(join(folder, 'deeper'), { recursive: true })
        writeFileSync(join(folder, 'deeper', 'file'), `data of ${tenant}`)
      }
    }
    // A process that dies on the way leaves what the next attempt deletes.
    let requests = 0
    s3.intercept = (line) => (line.startsWith('DELETE') && ++requests > 1 ? 'fail' : null)
    const deletion = { database: database(), journal, environment: {}, dataFolder: data, tenant: 'leaves' }
    await expect(deleteTenant(deletion)).rejects.toMatchObject({ code: 'run-store-unavailable' })
    s3.intercept = null
    const { objects, folders } = await deleteTenant(deletion)
    expect(objects).toBeGreaterThan(0)
    expect(folders).toHaveLength(3)
    // Nothing is made on the way, and counted as deleted.
    expect(await deleteTenant(deletion)).toMatchObject({ objects: 0, folders: [] })
    expect(await (await runsOf('leaves')).names()).toEqual([])
    expect(await (await runsOf('leaves')).format()).toBeNull()
    expect(await (await runsOf('stays')).names()).toEqual(expect.arrayContaining(runs))
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
    const left = files.map((each) => readFileSync(join(each.parentPath, each.name), 'utf8'))
    expect(left).toEqual(Array(3).fill('data of stays'))
    for (const table of await tablesOf(database()))
      expect(JSON.stringify(await rowsOf(database(), table))).not.toContain('leaves')
    expect(await queue.jobs('stays')).toHaveLength(1)
  })
})

async function rowsOf(database: Database, table: string): Promise<unknown[]> {
  const rows = await database.query<{ row: string }>(
    `select to_jsonb(one)::text as row from "${table}" as one order by 1`,
  )
  return rows.map(({ row }) => JSON.parse(row) as unknown)
}
