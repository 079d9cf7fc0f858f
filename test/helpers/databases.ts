/** The same tests on both homes of the server's database. */
import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../../src/server/database/contract.ts'
import { openDatabase } from '../../src/server/database/open-database.ts'
import { openEmptyDatabase } from './empty-database.ts'
import { needs } from './needs/needs.ts'
import { startPostgres } from './postgres.ts'

export type TestDatabase = {
  /** One for all tests of a file: tests keep apart by the names of their tenants. */
  database(): Database
  /** One more process's view of it, as far as the database can tell. */
  another(): Promise<Database>
  /** For processes that open it themselves. */
  address(): { url?: string; folder: string }
}

/** Calls `tests` for the embedded engine and for PostgreSQL, which is skipped with a word where it is not installed. */
export function describeDatabases(title: string, tests: (world: TestDatabase) => void): void {
  describe(`${title}, embedded`, () => tests(prepare(lendEngine)))
  describe(`${title}, PostgreSQL`, needs('PostgreSQL'), () => tests(prepare(startServer)))
}

/** For what does not depend on the database: of the two, the one that is on every machine. */
export function useEmbedded(): TestDatabase {
  return prepare(lendEngine)
}

type Started = { database: Database; place: { url?: string; folder: string }; stop(): void }

async function lendEngine(): Promise<Started> {
  const database = await openEmptyDatabase()
  return { database, place: { folder: database.address }, stop() {} }
}

async function startServer(): Promise<Started> {
  const { url, stop } = await startPostgres()
  return { database: await openDatabase({ url, folder: '' }), place: { url, folder: '' }, stop }
}

function prepare(start: () => Promise<Started>): TestDatabase {
  let started: Started | undefined
  const others: Database[] = []
  const world = () => {
    if (!started) throw new Error('the database is not open')
    return started
  }
  beforeAll(async () => {
    started = await start()
  })
  afterAll(async () => {
    // The server is stopped even if a connection cannot be closed.
    await Promise.allSettled([...others, world().database].map((database) => database.close()))
    world().stop()
  })
  return {
    database: () => world().database,
    async another() {
      const database = await openDatabase({ url: undefined, ...world().place })
      others.push(database)
      return database
    },
    address: () => world().place,
  }
}
