/** The SQL that SQLite and PostgreSQL have in common: how a catalog asks either of them. */

export type SqlParameter = string | number | boolean | null

export type SqlQueries = {
  query<Row extends Record<string, unknown>>(
    statement: string,
    parameters?: readonly SqlParameter[],
  ): Promise<Row[]>
}

/** A database with the tables of `catalogTables`. */
export type SqlBackend = SqlQueries & {
  transaction<T>(work: (queries: SqlQueries) => Promise<T>): Promise<T>
}

/** `$4, $5, $6`: one for each of `values`. */
export function placeholders(values: readonly unknown[], first: number): string {
  return values.map((_, at) => `$${first + at}`).join(', ')
}

/** `into`: table and columns. `then`: what follows, such as `on conflict … returning …`. Nothing for no rows. */
export async function insertRows<Row extends Record<string, unknown>>(
  queries: SqlQueries,
  into: string,
  rows: readonly (readonly SqlParameter[])[],
  then = '',
): Promise<Row[]> {
  if (rows.length === 0) return []
  let at = 0
  const values = rows.map((row) => `(${row.map(() => `$${++at}`).join(', ')})`)
  return await queries.query<Row>(`insert into ${into} values ${values.join(', ')} ${then}`, rows.flat())
}
