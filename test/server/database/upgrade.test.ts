/**
 * Data of the last versions of the schema in this one and in the next: it opens, its backup can be restored, and a server
 * of the version that made it goes on with it. By default one version on each database. `test/week` plays a week with two real
 * versions.
 */
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { backup, restore } from '../../../src/server/admin/archive.ts'
import { tablesOf } from '../../../src/server/admin/tables.ts'
import type { Database } from '../../../src/server/database/contract.ts'
import { openEmbedded } from '../../../src/server/database/embedded/embedded-database.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { migrations } from '../../../src/server/database/migrations/registry.ts'
import { openPostgres } from '../../../src/server/database/postgres-database.ts'
import { placeEmptyDatabase } from '../../helpers/empty-database.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { drawn } from '../../helpers/matrix.ts'
import { postgresPrograms, startPostgres } from '../../helpers/postgres.ts'

/** The most that a step may add: a column that has to have a value. */
const next = {
  name: '9999-next',
  statements: [`alter table job add column later text not null default 'as before'`],
}
const known = [...migrations, next]
const versions = [1, 2, 3, 4].map((back) => known.slice(0, -back))

type Column = { table_name: string; column_name: string; data_type: string }

/** Of the oldest only: to open an embedded database costs more than all of the rest. */
test('embedded', async () => {
  await checkUpgrade(versions.at(-1) ?? [], async () => {
    const folder = temporaryFolder()
    await placeEmptyDatabase(folder)
    const database = await openEmbedded(folder)
    await database.query('drop schema public cascade')
    await database.query('create schema public')
    return database
  })
})

test.skipIf(postgresPrograms() === null)('PostgreSQL', async () => {
  const server = await startPostgres()
  onTestFinished(() => server.stop())
  const main = await openPostgres(server.url)
  onTestFinished(() => main.close())
  let made = 0
  const open = async () => {
    const name = `version_${++made}`
    await main.query(`create database ${name}`)
    return await openPostgres(server.url.replace(/postgres$/, name))
  }
  for (const steps of drawn(versions)) await checkUpgrade(steps, open)
})

async function checkUpgrade(steps: typeof known, open: () => Promise<Database>): Promise<void> {
  const [database, other] = [await open(), await open()]
  try {
    await migrate(database, steps)
    const tables = await tablesOf(database)
    const columns = await columnsOf(database)
    await fill(database, columns, 'a')
    const before = await rowsOf(database, columns)
    expect(Object.values(before).every((rows) => rows.length === 1)).toBe(true)
    const file = join(temporaryFolder(), 'backup.gz')
    await backup(database, file)
    await migrate(database, known)
    expect(await rowsOf(database, columns)).toEqual(before)
    await migrate(other, known)
    expect(await restore(other, file)).toEqual({ tables: tables.length, rows: tables.length })
    expect(await rowsOf(other, columns)).toEqual(before)
    // One version back: it applies nothing, and writes what it knows.
    expect(await migrate(database, steps)).toEqual([])
    await fill(database, columns, 'b')
    expect(Object.values(await rowsOf(database, columns)).every((rows) => rows.length === 2)).toBe(true)
  } finally {
    await database.close()
    await other.close()
  }
}

async function columnsOf(database: Database): Promise<Map<string, Column[]>> {
  const rows = await database.query<Column>(
    `select table_name, column_name, data_type from information_schema.columns
     where table_schema = current_schema() order by table_name, ordinal_position`,
  )
  const tables = new Set(await tablesOf(database))
  return Map.groupBy(
    rows.filter(({ table_name }) => tables.has(table_name)),
    ({ table_name }) => table_name,
  )
}

/** A row in each table; `mark` makes it another one. */
async function fill(database: Database, columns: Map<string, Column[]>, mark: 'a' | 'b'): Promise<void> {
  for (const [table, all] of columns) {
    const names = all.map(({ column_name }) => `"${column_name}"`).join(', ')
    const values = all.map((column) => sampleOf(column, mark)).join(', ')
    await database.query(`insert into "${table}" (${names}) overriding system value values (${values})`)
  }
}

function sampleOf({ table_name, column_name, data_type }: Column, mark: 'a' | 'b'): string {
  // What the tables themselves check.
  if (column_name === 'state' && table_name === 'job') return `'reviewed'`
  if (column_name === 'state' && table_name === 'installation') return `'active'`
  if (column_name === 'stop') return 'null'
  const number = mark === 'a' ? 1 : 2
  const byType: Readonly<Record<string, string>> = {
    text: `'${mark}'`,
    boolean: 'true',
    jsonb: `'{}'`,
    uuid: `'00000000-0000-0000-0000-00000000000${number}'`,
    'timestamp with time zone': `'2026-11-0${number}T00:00:00Z'`,
  }
  return byType[data_type] ?? String(number)
}

async function rowsOf(
  database: Database,
  columns: Map<string, Column[]>,
): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const [table, all] of columns) {
    const names = all.map(({ column_name }) => `"${column_name}"`).join(', ')
    const rows = await database.query<{ row: string }>(
      `select to_jsonb(one)::text as row from (select ${names} from "${table}") as one order by 1`,
    )
    found[table] = rows.map(({ row }) => JSON.parse(row) as unknown)
  }
  return found
}
