/** PGlite opened so that what it says is committed survives a power cut. */
import { PGlite } from '@electric-sql/pglite'
import { DurableFiles } from './durable-files.ts'

/** `-F` is PGlite's way to switch syncs off. `fdatasync` does nothing in its build, so `fsync` is named. */
const startParams = [
  ...PGlite.defaultStartParams.filter((each) => each !== '-F'),
  ...['fsync=on', 'wal_sync_method=fsync', 'full_page_writes=on', 'synchronous_commit=on'].flatMap(setting),
  ...['shared_buffers=16MB', 'wal_buffers=1MB', 'max_wal_size=64MB'].flatMap(setting),
]

const int8 = 20
const date = 1082
const parsers = { [int8]: Number, [date]: (value: string) => value }

/** Opens PGlite on a folder, settings for a server's process included, and verifies that a commit reaches the disk. */
export async function openDurable(folder: string, files = new DurableFiles(folder)): Promise<PGlite> {
  const database = await PGlite.create({ fs: files, startParams, parsers })
  const before = files.syncs
  await database.exec(
    'create table if not exists sync_probe (tenant text primary key, at timestamptz);' +
      "insert into sync_probe values ('', now()) on conflict (tenant) do update set at = now()",
  )
  if (files.syncs === before)
    throw new Error('a committed row was not written through to the disk (no fsync was seen)')
  return database
}

function setting(text: string): string[] {
  return ['-c', text]
}
