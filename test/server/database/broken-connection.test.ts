/** PostgreSQL is restarted while a transaction does something else. */
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../../src/server/database/postgres-database.ts'
import { postgresPrograms, startPostgres } from '../../helpers/postgres.ts'

test.skipIf(postgresPrograms() === null)(
  'a connection that breaks between two statements fails the transaction alone',
  async () => {
    const server = await startPostgres()
    onTestFinished(() => server.stop())
    const [database, other] = [await openPostgres(server.url), await openPostgres(server.url)]
    onTestFinished(async () => {
      await database.close()
      await other.close()
    })
    const unheard = new AbortController()
    const crash = once(process, 'uncaughtException', { signal: unheard.signal }).then(
      ([error]) => error as Error,
    )
    const broken = database.transaction(async ({ query }) => {
      const [own] = await query<{ pid: number }>('select pg_backend_pid() as pid')
      await other.query('select pg_terminate_backend($1)', [own?.pid ?? 0])
      await new Promise((done) => setTimeout(done, 500))
      await query('select 1')
    })
    await expect(Promise.race([broken, crash])).rejects.toMatchObject({ name: 'DatabaseUnavailableError' })
    unheard.abort()
    await crash.catch(() => undefined)
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
  },
)
