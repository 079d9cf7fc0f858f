/** The ledger as a table of the server's database keeps to the same contract as files; tenants do not see each other. */
import { expect, test } from 'vitest'
import { openSqlLedger } from '../../src/server/ledger/sql-ledger.ts'
import { describeDatabases } from '../helpers/databases.ts'
import { ledgerSuite, sampleSeen } from './ledger-suite.ts'

describeDatabases('a table', ({ database }) => {
  ledgerSuite('a table', async () => openSqlLedger(database(), 'contract'))

  test('a tenant sees nothing of another one', async () => {
    const [one, other] = ['one', 'other'].map((tenant) => openSqlLedger(database(), tenant))
    await one?.append('r', [sampleSeen(1)])
    expect(await other?.read('r')).toEqual({ events: [], damage: null })
    expect(await other?.append('r', [sampleSeen(1)])).toBe(1)
    await other?.remove('r')
    expect((await one?.read('r'))?.events).toHaveLength(1)
    expect(await other?.repositories()).toEqual([])
  })
})
