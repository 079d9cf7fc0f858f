/** The database that the operator chose, with the schema of this version. */
import type { Database } from './contract.ts'
import { openEmbedded } from './embedded/embedded-database.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres-database.ts'

export type DatabaseOptions = {
  /** A PostgreSQL server (`DATABASE_URL`); without one the embedded database in `folder`. */
  url?: string | undefined
  folder: string
  /** The embedded database only if no other process uses it. */
  alone?: boolean
}

/** Rejects with `UserError` (`database-refused`) when it cannot be opened. */
export async function openDatabase({ url, folder, alone = false }: DatabaseOptions): Promise<Database> {
  const database = url ? await openPostgres(url) : await openEmbedded(folder, { alone })
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
