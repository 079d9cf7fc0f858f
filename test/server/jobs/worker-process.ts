/** A worker as a process of its own, for tests that kill one. Its only argument is a `WorkerFile`. */
import { readFileSync } from 'node:fs'
import { openDatabase } from '../../../src/server/database/open-database.ts'
import type { Access } from '../../../src/server/jobs/contract.ts'
import { openWorker } from '../../../src/server/jobs/worker.ts'
import { openQueue } from '../../../src/server/queue/sql-queue.ts'
import { startPackedChildren } from '../../helpers/packed-children.ts'

export type WorkerFile = { url?: string; folder: string; data: string; access: Access; slots: number }

startPackedChildren()
const { url, folder, data, access, slots } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as WorkerFile
const database = await openDatabase({ url, folder })
const say = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`)
const worker = await openWorker({
  queue: openQueue(database),
  database,
  data,
  openAccess: async () => access,
  slots,
  onEvent: say,
})
process.once('SIGTERM', async () => {
  await worker.stop()
  await database.close()
  process.exit(0)
})
say({ type: 'open' })
