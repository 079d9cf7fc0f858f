/** From the embedded database to PostgreSQL. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../database/open-database.ts'
import { backup, type Copied, restore } from './archive.ts'

/**
 * Copies everything in one transaction; the embedded database stays as it is. Rejects with `UserError` when a server uses it
 * or when the other one has rows.
 */
export async function moveToPostgres({ folder, url }: { folder: string; url: string }): Promise<Copied> {
  const copy = join(folder, 'moving.gz')
  try {
    const from = await openDatabase({ folder, alone: true, isThere: true })
    await backup(from, copy).finally(() => from.close())
    const to = await openDatabase({ url, folder })
    return await restore(to, copy).finally(() => to.close())
  } finally {
    rmSync(copy, { force: true })
  }
}
