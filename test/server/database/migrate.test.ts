/** Steps of the schema: once each, under several versions at once, and only ever more. */
import { afterAll, expect, test } from 'vitest'
import { migrate } from '../../../src/server/database/migrate.ts'
import type { Migration } from '../../../src/server/database/migrations/contract.ts'
import { migrations } from '../../../src/server/database/migrations/registry.ts'
import { openDatabase } from '../../../src/server/database/open-database.ts'
import { describeDatabases } from '../../helpers/databases.ts'

const step = (name: string, table: string): Migration => ({
  name,
  statements: [`create table ${table} (tenant text primary key)`, `insert into ${table} values ('one')`],
})

describeDatabases('migrations', ({ database, another, address }) => {
  // The next file gets the same engine.
  afterAll(async () => {
    const tables = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']
    await database().query(`drop table if exists ${tables.join(', ')}`)
    await database().query(`delete from migration where name > '9'`)
  })

  test('several servers that start together apply each step once', async () => {
    const steps = [step('9001-first', 'first'), step('9002-second', 'second')]
    const servers = [database(), await another(), await another()]
    const applied = await Promise.all(servers.map((server) => migrate(server, steps)))
    expect(applied.flat().toSorted()).toEqual(['9001-first', '9002-second'])
    expect(await database().query('select count(*) as count from second')).toEqual([{ count: 1 }])
  })

  test('an older version goes on with the schema of a newer one', async () => {
    const newer = [step('9003-third', 'third'), step('9004-fourth', 'fourth')]
    await migrate(database(), newer)
    expect(await migrate(database(), newer.slice(0, 1))).toEqual([])
  })

  test('a step that fails leaves nothing, and the next try applies it', async () => {
    const fails: Migration = {
      name: '9005-fifth',
      statements: ['create table fifth (tenant text)', 'select 1/0'],
    }
    await expect(migrate(database(), [fails])).rejects.toMatchObject({ code: '22012' })
    expect(await migrate(database(), [{ ...fails, statements: fails.statements.slice(0, 1) }])).toEqual([
      '9005-fifth',
    ])
  })

  test('a role that may make no tables is told so', async () => {
    const { url, folder } = address()
    // The embedded one has no roles.
    if (url === undefined) return
    await database().query('create role lesser login')
    await database().query('create database of_others')
    const place = new URL(url)
    Object.assign(place, { username: 'lesser', pathname: '/of_others' })
    await expect(openDatabase({ url: place.href, folder })).rejects.toMatchObject({
      code: 'database-refused',
      message: expect.stringMatching(/tables of this version cannot be made: permission denied/),
    })
  })

  test('a step that changed after it was applied is refused', async () => {
    await migrate(database(), [step('9006-sixth', 'sixth')])
    await expect(migrate(database(), [step('9006-sixth', 'other')])).rejects.toMatchObject({
      code: 'database-refused',
    })
  })
})

test('steps are in order and only add, so that the version before can go on beside this one', () => {
  const names = migrations.map(({ name }) => name)
  expect(names).toEqual(names.toSorted())
  // What may be absent now was always there for the version before, which goes on writing it.
  const adds =
    /^\s*(create (table|index|unique index|sequence)\b|alter table \w+ (add column\b|alter column \w+ drop not null$))/
  const all = migrations.flatMap(({ statements }) => statements)
  expect(all.filter((statement) => !adds.test(statement))).toEqual([])
  const columns = all.filter((statement) => /add column/.test(statement))
  expect(columns.filter((one) => /not null/.test(one) && !/default/.test(one))).toEqual([])
})
