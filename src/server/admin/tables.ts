/** What the database has, read from its own catalogue, so that a new table is never forgotten. */
import type { Queries } from '../database/contract.ts'

/** Of the engine and of the schema itself, not of the server's data. */
const ownTables = new Set(['migration', 'sync_probe'])

/** All tables with data, by name. */
export async function tablesOf(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name`,
  )
  return rows.map(({ name }) => name).filter((name) => !ownTables.has(name))
}

/** Those of them whose rows belong to a tenant each. */
export async function tenantTables(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = current_schema() and column_name = 'tenant'`,
  )
  const names = new Set(rows.map(({ name }) => name))
  return (await tablesOf(queries)).filter((name) => names.has(name))
}

/** The sequences that number the rows of a table. */
export async function identityColumns(queries: Queries): Promise<ReadonlySet<string>> {
  const rows = await queries.query<{ name: string }>(
    `select pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass::text as name
     from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`,
  )
  return new Set(rows.map(({ name }) => name))
}
