/** What every home of the database does alike. */
import { expect, test } from 'vitest'
import { DatabaseUnavailableError, StatementError } from '../../../src/server/database/contract.ts'
import { describeDatabases } from '../../helpers/databases.ts'

describeDatabases('database', ({ database, another }) => {
  test('gives the same values', async () => {
    const at = new Date('2026-11-22T10:00:00.123Z')
    const rows = await database().query(
      `select 9007199254740991::int8 as long, count(*) as many, $1::timestamptz as at, $2::jsonb as json, $3::bytea as bytes,
         $4::text[] as words, $5::int[] as numbers, date '2026-11-22' as day, 1.50::numeric as exact, $6::text as nothing,
         $7::boolean as flag from (values (1), (2)) as two`,
      [
        at,
        JSON.stringify([{ a: '\u0001"' }]),
        Buffer.from([0, 255]),
        ['a,b', '"{}', ''],
        [1, -2],
        null,
        true,
      ],
    )
    expect(rows).toHaveLength(1)
    const { bytes, ...row } = rows[0] ?? {}
    expect(bytes).toBeInstanceOf(Uint8Array)
    expect(Buffer.from(bytes as Uint8Array).toString('hex')).toBe('00ff')
    expect(row).toEqual({
      ...{ long: 9_007_199_254_740_991, many: 2, at, json: [{ a: '\u0001"' }] },
      ...{ words: ['a,b', '"{}', ''], numbers: [1, -2], day: '2026-11-22', exact: '1.50' },
      ...{ nothing: null, flag: true },
    })
  })

  test('names what it refuses by SQLSTATE and constraint, and goes on', async () => {
    await database().query(`insert into tenant (tenant) values ('twice')`)
    const refused = await database()
      .query(`insert into tenant (tenant) values ('twice')`)
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(StatementError)
    expect(refused).toMatchObject({ code: '23505', constraint: 'tenant_pkey' })
    await expect(database().query('select 1 as one')).resolves.toEqual([{ one: 1 }])
  })

  test('a transaction is kept whole or not at all', async () => {
    const write = (fails: boolean) =>
      database().transaction(async (tx) => {
        await tx.query(`insert into tenant (tenant) values ($1)`, [`whole-${fails}`])
        if (fails) throw new Error('on purpose')
        return 'kept'
      })
    await expect(write(true)).rejects.toThrow('on purpose')
    await expect(write(false)).resolves.toBe('kept')
    const rows = await database().query(`select tenant from tenant where tenant like 'whole-%'`)
    expect(rows).toEqual([{ tenant: 'whole-false' }])
  })

  test('transactions of several clients do not mix', async () => {
    const other = await another()
    await database().query(`insert into tenant (tenant, keep_days) values ('counter', 1)`)
    const raise = (client: typeof other) =>
      client.transaction(async (tx) => {
        const [row] = await tx.query<{ keep_days: number }>(
          `select keep_days from tenant where tenant = 'counter' for update`,
        )
        await tx.query(`update tenant set keep_days = $1 where tenant = 'counter'`, [
          (row?.keep_days ?? 0) + 1,
        ])
      })
    await Promise.all(Array.from({ length: 40 }, (_, n) => raise(n % 2 ? other : database())))
    const rows = await database().query(`select keep_days from tenant where tenant = 'counter'`)
    expect(rows).toEqual([{ keep_days: 41 }])
  })

  test('a notice reaches every process that listens', async () => {
    const heard: string[] = []
    const stop = await (await another()).listen('news', () => heard.push('other'))
    await database().listen('news', () => heard.push('own'))
    await database().query(`select pg_notify('news', '')`)
    await expect.poll(() => heard.toSorted()).toEqual(['other', 'own'])
    await stop()
    await database().query(`select pg_notify('news', '')`)
    await expect.poll(() => heard).toHaveLength(3)
    expect(heard[2]).toBe('own')
  })

  test('after it is closed it says so', async () => {
    const other = await another()
    await other.close()
    await expect(other.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailableError)
  })
})
