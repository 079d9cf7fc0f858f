/**
 * Embedded databases for tests, which all begin with the same empty one. Making it costs seconds of processor time, so one
 * run of the tests makes it once and copies its files; how it is made is a matter of `test/server/database`.
 */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/server/database/contract.ts'
import { openDatabase } from '../../src/server/database/open-database.ts'

/** With the tables of this version. `folder` must not have one yet. */
export async function openEmptyDatabase(folder: string): Promise<Database> {
  await placeEmptyDatabase(folder)
  return await openDatabase({ folder })
}

/** For a process that opens it itself. */
export async function placeEmptyDatabase(folder: string): Promise<void> {
  const made = await madeOnce()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  cpSync(join(made, 'pgdata'), join(folder, 'pgdata'), { recursive: true })
}

async function madeOnce(): Promise<string> {
  const folder = process.env.SIGHTLINE_TEST_FOLDER
  if (!folder) throw new Error('only a run of the tests has a folder for this')
  const made = join(folder, 'empty-database')
  if (existsSync(made)) return made
  const own = `${made}-${process.pid}`
  const database = await openDatabase({ folder: own })
  await database.close()
  try {
    renameSync(own, made)
  } catch {
    // Another worker was first.
    rmSync(own, { recursive: true, force: true })
  }
  return made
}
