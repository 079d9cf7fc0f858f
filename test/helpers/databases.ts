/** The same tests on both homes of the server's database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../../src/server/database/contract.ts'
import { openDatabase } from '../../src/server/database/open-database.ts'
import { placeEmptyDatabase } from './empty-database.ts'
import { needs } from './needs/needs.ts'
import { startPostgres, type TestPostgres } from './postgres.ts'

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
  describe(`${title}, embedded`, () => tests(useEmbedded()))
  describe(`${title}, PostgreSQL`, needs('PostgreSQL'), () => tests(prepare(startPostgres)))
}

/** For what does not depend on the database: of the two, the one that is on every machine. */
export function useEmbedded(): TestDatabase {
  return prepare(async () => ({ stop: () => undefined }))
}

function prepare(start: () => Promise<{ url?: string } & Pick<TestPostgres, 'stop'>>): TestDatabase {
  const opened: Database[] = []
  let server: Awaited<ReturnType<typeof start>> | undefined
  let folder = ''
  const open = async () => {
    const database = await openDatabase({ url: server?.url, folder })
    opened.push(database)
    return database
  }
  beforeAll(async () => {
    server = await start()
    folder = mkdtempSync(join(tmpdir(), 'sightline-db-'))
    if (server.url === undefined) await placeEmptyDatabase(folder)
    await open()
  })
  afterAll(async () => {
    // The server is stopped even if a connection cannot be closed.
    await Promise.allSettled(opened.reverse().map((database) => database.close()))
    server?.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  return {
    database() {
      const [first] = opened
      if (!first) throw new Error('the database is not open')
      return first
    },
    another: open,
    address: () => ({ ...(server?.url === undefined ? {} : { url: server.url }), folder }),
  }
}
