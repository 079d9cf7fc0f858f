/**
 * SQLite files of one machine: the catalog beside the runs, and the index of a workspace. They hold nothing that cannot be
 * computed again, so a file that is damaged or of another version is replaced by an empty one, which is filled again.
 */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { makeFolder } from '../../base/durable.ts'
import type { SqlBackend, SqlParameter, SqlQueries } from './sql.ts'
import { catalogTables } from './sql-catalog.ts'
import { graphTables } from './sql-graph.ts'

/** `version`: of the tables and of what is in them; a file with another number is replaced. */
export type SqliteSchema = { version: number; tables: readonly string[] }

const catalogSchema: SqliteSchema = { version: 5, tables: [...catalogTables, ...graphTables] }
const waitMs = 5_000

export type SqliteHome = SqlBackend & { close(): void }

/** `file`: `:memory:` keeps nothing. */
export function openSqlite(file: string, schema = catalogSchema): SqliteHome {
  if (file === ':memory:') return homeOf(checked(new DatabaseSync(file), schema))
  makeFolder(dirname(file))
  try {
    return homeOf(checked(new DatabaseSync(file), schema))
  } catch {
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    return homeOf(checked(new DatabaseSync(file), schema))
  }
}

/** Throws for a file that is no database, or one of another version. */
function checked(database: DatabaseSync, { version, tables }: SqliteSchema): DatabaseSync {
  try {
    database.exec(`pragma busy_timeout = ${waitMs}; pragma journal_mode = wal; pragma synchronous = normal`)
    const found = Number(database.prepare('pragma user_version').get()?.user_version)
    if (found === version) return database
    if (found !== 0) throw new Error(`the file has version ${found}`)
    database.exec(`begin immediate; ${tables.join(';')}; pragma user_version = ${version}; commit`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function homeOf(database: DatabaseSync): SqliteHome {
  const statements = new Map<string, StatementSync>()
  const prepare = (statement: string): StatementSync => {
    const known = statements.get(statement)
    // By number: names are looked up one after the other, which takes long where there are thousands.
    const prepared = known ?? database.prepare(statement.replace(/\$(\d+)/g, '?$1'))
    // Long lists of values come in many lengths.
    if (!known && statement.length < 2_000) statements.set(statement, prepared)
    return prepared
  }
  const queries: SqlQueries = {
    query: async <Row>(statement: string, parameters: readonly SqlParameter[] = []) =>
      prepare(statement).all(...parameters.map(toSqlite)) as Row[],
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    ...queries,
    /** One at a time: there is one connection. */
    transaction(work) {
      const result = last.then(async () => {
        database.exec('begin immediate')
        try {
          const value = await work(queries)
          database.exec('commit')
          return value
        } catch (error) {
          database.exec('rollback')
          throw error
        }
      })
      last = result.catch(() => {})
      return result
    },
    close: () => database.close(),
  }
}

function toSqlite(value: SqlParameter): string | number | null {
  return typeof value === 'boolean' ? Number(value) : value
}
