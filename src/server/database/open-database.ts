/** The database that the operator chose, with the schema of this version. */
import { UserError } from '../../base/errors.ts'
import { type Database, StatementError } from './contract.ts'
import { hasFiles } from './embedded/data-files.ts'
import { openEmbedded } from './embedded/embedded-database.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres-database.ts'

export type DatabaseOptions = {
  /** A PostgreSQL server (`DATABASE_URL`); without one the embedded database in `folder`. */
  url?: string | undefined
  folder: string
  /** The embedded database only if no other process uses it. */
  alone?: boolean
  /** The embedded database only if it is there: whoever wants what is in it named the wrong folder otherwise. */
  isThere?: boolean
}

/** Rejects with `UserError` (`database-refused`) when it cannot be opened. */
export async function openDatabase({
  url,
  folder,
  alone = false,
  isThere = false,
}: DatabaseOptions): Promise<Database> {
  if (!url && isThere && !hasFiles(folder))
    throw new UserError('database-refused', `no database is in ${folder}`)
  const database = url ? await openPostgres(url) : await openEmbedded(folder, { alone })
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    if (!(error instanceof StatementError)) throw error
    throw new UserError(
      'database-refused',
      `${database.address}: the tables of this version cannot be made: ${error.message}`,
      { cause: error },
    )
  }
}
