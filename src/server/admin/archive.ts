/**
 * A copy of the database as one file, independent of the engine: the way to back up, to move between the embedded database and
 * PostgreSQL, and past a new major version of either. Gzipped lines of JSON: a header, then per table its rows, as the
 * database itself writes them in JSON, then the numbers that sequences have reached, then an end, without which a file is
 * incomplete.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { privateFile } from '../../base/durable.ts'
import { UserError } from '../../base/errors.ts'
import type { Database, Queries } from '../database/contract.ts'
import { identityColumns, tablesOf } from './tables.ts'

const rowsAtOnce = 200
/** Claims made after the copy have higher numbers than those made before it, wherever those workers are. */
const fenceMargin = 1_000_000

const Line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sightline-database'), format: z.literal(1), migrations: z.array(z.string()) }),
  z.object({ type: z.literal('rows'), table: z.string(), rows: z.array(z.string()) }),
  z.object({ type: z.literal('sequence'), name: z.string(), value: z.number() }),
  z.object({ type: z.literal('end'), rows: z.number() }),
])
type Line = z.infer<typeof Line>

export type Copied = { tables: number; rows: number }

/** Writes `path` whole or not at all. The copy is of one moment; the embedded engine answers nothing else meanwhile. */
export async function backup(database: Database, path: string): Promise<Copied> {
  const folder = dirname(path)
  if (!existsSync(folder)) throw new UserError('usage', `there is no folder ${folder} for the backup`)
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`
  try {
    return await database.transaction(async (tx) => {
      await tx.query('set transaction isolation level repeatable read, read only')
      const copied: Copied = { tables: 0, rows: 0 }
      const lines = async function* () {
        for await (const line of readLines(tx, copied)) yield `${JSON.stringify(line)}\n`
      }
      const file = createWriteStream(draft, { flags: 'wx', mode: privateFile, flush: true })
      await pipeline(Readable.from(lines()), createGzip(), file)
      renameSync(draft, path)
      return copied
    })
  } finally {
    rmSync(draft, { force: true })
  }
}

/**
 * Fills a database that has the schema of this version and no rows. Everything or nothing. Rejects with `UserError`
 * (`backup-refused`) for one that has rows, and for a file that is incomplete or of a newer version.
 */
export async function restore(database: Database, path: string): Promise<Copied> {
  await (await open(path).catch(refuse(path))).close()
  return await database.transaction(async (tx) => {
    const tables = await tablesOf(tx)
    await refuseRows(tx, tables)
    const copied: Copied = { tables: 0, rows: 0 }
    const filled = new Set<string>()
    let end: number | null = null
    try {
      for await (const text of linesOf(path)) {
        const line = lineIn(text)
        if (line.type === 'sightline-database') await refuseNewer(tx, line.migrations)
        else if (line.type === 'end') end = line.rows
        else if (line.type === 'sequence') await raiseSequence(tx, line)
        else {
          if (!tables.includes(line.table)) throw new Error(`it has an unknown table ${line.table}`)
          await insertRows(tx, line.table, line.rows)
          filled.add(line.table)
          copied.rows += line.rows.length
        }
      }
    } catch (error) {
      if (error instanceof UserError) throw error
      throw new UserError('backup-refused', `${path}: ${(error as Error).message}`, { cause: error })
    }
    if (end !== copied.rows) throw new UserError('backup-refused', `${path} is incomplete`)
    copied.tables = filled.size
    return copied
  })
}

function lineIn(text: string): Line {
  const { data } = Line.safeParse(JSON.parse(text))
  if (!data) throw new Error('it is not a backup of a server, or one of a newer version')
  return data
}

/** A line that has no end, of a file that was cut, is left out. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(path).pipe(createGunzip()).setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

async function* readLines(tx: Queries, copied: Copied): AsyncGenerator<Line> {
  const migrations = await tx.query<{ name: string }>('select name from migration order by name')
  yield { type: 'sightline-database', format: 1, migrations: migrations.map(({ name }) => name) }
  for (const table of await tablesOf(tx)) {
    copied.tables++
    await tx.query(
      `declare copied no scroll cursor for select to_jsonb(one)::text as row from "${table}" as one`,
    )
    for (;;) {
      const rows = await tx.query<{ row: string }>(`fetch ${rowsAtOnce} from copied`)
      if (rows.length === 0) break
      copied.rows += rows.length
      yield { type: 'rows', table, rows: rows.map(({ row }) => row) }
    }
    await tx.query('close copied')
  }
  for (const { name, value } of await tx.query<{ name: string; value: number | null }>(
    `select sequencename as name, last_value as value from pg_sequences where schemaname = current_schema()`,
  ))
    if (value !== null) yield { type: 'sequence', name, value }
  yield { type: 'end', rows: copied.rows }
}

async function refuseRows(tx: Queries, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    if ((await tx.query(`select 1 from "${table}" limit 1`)).length > 0)
      throw new UserError('backup-refused', `the database has rows already (in table ${table})`)
}

async function refuseNewer(tx: Queries, needed: readonly string[]): Promise<void> {
  const here = new Set(
    (await tx.query<{ name: string }>('select name from migration')).map(({ name }) => name),
  )
  const missing = needed.filter((name) => !here.has(name))
  if (missing.length > 0)
    throw new UserError('backup-refused', `it was made by a newer version, which has ${missing.join(', ')}`)
}

/** A column that a version added since gets its default. */
async function insertRows(tx: Queries, table: string, [first, ...more]: readonly string[]): Promise<void> {
  if (first === undefined) return
  const names = Object.keys(JSON.parse(first)).map((name) => `"${name.replaceAll('"', '""')}"`)
  await tx.query(
    `insert into "${table}" (${names.join(', ')}) overriding system value
     select ${names.join(', ')} from jsonb_populate_recordset(null::"${table}", $1::jsonb)`,
    [`[${[first, ...more].join(',')}]`],
  )
}

async function raiseSequence(tx: Queries, { name, value }: { name: string; value: number }): Promise<void> {
  const [there] = await tx.query(
    'select 1 from pg_sequences where schemaname = current_schema() and sequencename = $1',
    [name],
  )
  if (!there) return
  const isIdentity = (await identityColumns(tx)).has(name)
  await tx.query('select setval($1::regclass, $2)', [name, isIdentity ? value : value + fenceMargin])
}

function refuse(path: string): (cause: Error) => never {
  return (cause) => {
    throw new UserError('backup-refused', `${path}: ${cause.message}`, { cause })
  }
}
