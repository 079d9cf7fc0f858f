/** Brings the schema up to this version. Forward only, and safe while servers of this version and the one before run. */
import { sha256 } from '../../base/canonical-json.ts'
import { UserError } from '../../base/errors.ts'
import type { Database, Queries } from './contract.ts'
import type { Migration } from './migrations/contract.ts'
import { migrations as all } from './migrations/registry.ts'

/** Any number, the same in every version: whoever migrates holds this advisory lock. */
const lock = 7_481_155

/**
 * Applies what is missing, each step in a transaction of its own, and returns the names. A schema that has steps this version
 * does not know is left as it is: steps only add. Rejects with `UserError` when a step that was applied is not the one
 * of that name here.
 */
export async function migrate(database: Database, migrations: readonly Migration[] = all): Promise<string[]> {
  const applied: string[] = []
  const known = await hashesOf(database)
  for (const migration of migrations) {
    // Mostly all of them: whoever opens the database asks, and each step costs five statements.
    if (known.get(migration.name) === hashOf(migration)) continue
    const isNew = await database.transaction(async (queries) => {
      await queries.query('select pg_advisory_xact_lock($1)', [lock])
      await queries.query(
        `create table if not exists migration (
          name text primary key, hash text not null, applied_at timestamptz not null default now())`,
      )
      return await apply(queries, migration)
    })
    if (isNew) applied.push(migration.name)
  }
  return applied
}

/** Of the steps that were applied, by name; without a table of them none. */
async function hashesOf(queries: Queries): Promise<ReadonlyMap<string, string>> {
  const [found] = await queries.query<{ there: boolean }>(
    `select to_regclass('migration') is not null as there`,
  )
  if (!found?.there) return new Map()
  const rows = await queries.query<{ name: string; hash: string }>('select name, hash from migration')
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

function hashOf({ statements }: Migration): string {
  return sha256(statements.join(';\n'))
}

async function apply(queries: Queries, migration: Migration): Promise<boolean> {
  const { name, statements } = migration
  const hash = hashOf(migration)
  const [there] = await queries.query<{ hash: string }>('select hash from migration where name = $1', [name])
  if (there && there.hash !== hash)
    throw new UserError(
      'database-refused',
      `step ${name} of its schema is not the one of this version; it was made by a development version`,
    )
  if (there) return false
  for (const statement of statements) await queries.query(statement)
  await queries.query('insert into migration (name, hash) values ($1, $2)', [name, hash])
  return true
}
