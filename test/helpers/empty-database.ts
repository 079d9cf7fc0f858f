/**
 * Embedded databases for tests, which all begin with the same empty one. Making its files costs seconds of processor time, so a
 * checkout makes them once and copies them; to open them costs more than a second, so a worker opens them once and
 * lends the database to one test after the other. How it is made and opened is a matter of `test/server/database`.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../../src/base/canonical-json.ts'
import { packageRoot } from '../../src/base/package-root.ts'
import { type Database, DatabaseUnavailableError } from '../../src/server/database/contract.ts'
import { migrations } from '../../src/server/database/migrations/registry.ts'
import { openDatabase } from '../../src/server/database/open-database.ts'
import { keptFolder } from './kept-compiled.ts'

type Kept = { database: Database; isLent: boolean }

/** Mostly one: a second one is for tests that need two at a time. */
const ofWorker: Kept[] = []

/** With the tables of this version, and no rows. */
export async function openEmptyDatabase(): Promise<Database> {
  const free = ofWorker.find(({ isLent }) => !isLent)
  if (free) free.isLent = true
  const kept = free ?? { database: await openNew(), isLent: true }
  if (!free) ofWorker.push(kept)
  await empty(kept.database)
  return lend(kept)
}

async function openNew(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-db-'))
  await placeEmptyDatabase(folder)
  return await openDatabase({ folder })
}

/** Row by row: to truncate a table costs the engine more than all the rows of a test. */
async function empty(database: Database): Promise<void> {
  await database.query(`do $$ declare name text; begin
    for name in select quote_ident(tablename) from pg_tables where schemaname = 'public' and tablename <> 'migration'
    loop execute 'delete from ' || name; end loop;
    for name in select quote_ident(sequencename) from pg_sequences where schemaname = 'public' and last_value is not null
    loop execute 'alter sequence ' || name || ' restart'; end loop;
  end $$`)
}

/** Once it is closed, nothing that the test left running reads or writes what the next one has in it. */
function lend(kept: Kept): Database {
  const { database } = kept
  const listening: (() => Promise<void>)[] = []
  let isOpen = true
  const requireOpen = () => {
    if (!isOpen) throw new DatabaseUnavailableError('the test that had this database has ended')
  }
  return {
    kind: database.kind,
    address: database.address,
    async query(statement, parameters) {
      requireOpen()
      return await database.query(statement, parameters)
    },
    async transaction(work) {
      requireOpen()
      return await database.transaction(work)
    },
    async listen(channel, onNotice) {
      requireOpen()
      const end = await database.listen(channel, onNotice)
      listening.push(end)
      return end
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      await Promise.all(listening.map((end) => end()))
      kept.isLent = false
    },
  }
}

/** For a process that opens it itself. */
export async function placeEmptyDatabase(folder: string): Promise<void> {
  const made = await madeOnce()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  cpSync(join(made, 'pgdata'), join(folder, 'pgdata'), { recursive: true })
}

/** Kept for later runs too, for as long as the schema and the engine are the same. */
async function madeOnce(): Promise<string> {
  const folder = keptFolder ?? process.env.SIGHTLINE_TEST_FOLDER
  if (!folder) throw new Error('only a run of the tests has a folder for this')
  const name = `database-${stateOfDatabase()}`
  const made = join(folder, name)
  if (existsSync(made)) return made
  const own = mkdtempSync(join(tmpdir(), 'sightline-empty-'))
  const database = await openDatabase({ folder: own })
  await database.close()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const other of readdirSync(folder))
    if (other.startsWith('database-') && !other.startsWith(name))
      rmSync(join(folder, other), { recursive: true, force: true })
  const whole = `${made}-${process.pid}`
  cpSync(own, whole, { recursive: true })
  rmSync(own, { recursive: true, force: true })
  try {
    renameSync(whole, made)
  } catch {
    // Another worker was first.
    rmSync(whole, { recursive: true, force: true })
  }
  return made
}

function stateOfDatabase(): string {
  const engine = join(packageRoot, 'src/server/database/embedded')
  const files = readdirSync(engine).map((name) => join(engine, name))
  const texts = [...files, join(packageRoot, 'node_modules/@electric-sql/pglite/package.json')].sort()
  const state = [migrations, ...texts.map((path) => readFileSync(path, 'utf8'))]
  return sha256(JSON.stringify(state)).slice(0, 16)
}
