/** How long the data of a tenant is kept, and how all of it is deleted. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { UserError } from '../../base/errors.ts'
import type { JournalSettings } from '../../config/settings/schema.ts'
import { deleteRuns, localTenant, tenantName } from '../../storage/runs/registry.ts'
import type { Database } from '../database/contract.ts'
import { migrations } from '../database/migrations/registry.ts'
import { placesOf } from '../jobs/places.ts'
import { leaseSeconds } from '../queue/sql-queue.ts'
import { tenantTables } from './tables.ts'

/** Days, for a tenant without a number in the table `tenant`. */
export const defaultKeepDays = 30
const rowsAtOnce = 1000
/** Folders of tenants are at most so far below the data folder. */
const deepest = 4

/** Deletes rows whose time is over, few at once, so that nothing waits long. Returns how many, by table. */
export async function deleteExpired(database: Database): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {}
  for (const { table, at, where = 'true' } of migrations.flatMap(({ retained = [] }) => retained)) {
    const statement = `delete from "${table}" where ctid = any(array(
        select old.ctid from "${table}" as old left join tenant using (tenant)
        where old."${at}" < now() - make_interval(days => coalesce(tenant.keep_days, ${defaultKeepDays})) and ${where}
        limit ${rowsAtOnce})) returning 1`
    let rows: unknown[]
    do {
      rows = await database.query(statement)
      deleted[table] = (deleted[table] ?? 0) + rows.length
    } while (rows.length === rowsAtOnce)
  }
  return deleted
}

const retentionMs = 6 * 60 * 60 * 1000

/** Deletes expired rows now and every few hours, until it is stopped. */
export function startRetention(
  database: Database,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let last: Promise<unknown> = Promise.resolve()
  const sweep = () => {
    last = deleteExpired(database).catch(onError)
  }
  sweep()
  const timer = setInterval(sweep, retentionMs)
  return {
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}

export type TenantDeletion = {
  database: Database
  /** Where runs are kept, which may be a bucket, by the operator's settings for models. */
  journal: JournalSettings
  environment: NodeJS.ProcessEnv
  /** The data folder of the server on this machine; other machines' caches go with `deleteTenantFolders` there. */
  dataFolder: string
  tenant: string
}

/**
 * Deletes every row, every run and every folder of a tenant. Its jobs go first: workers that have some learn it within seconds
 * and stop, and only then is deleted what they may have written. May be repeated when it was interrupted. Rejects as a
 * `RunStore` does.
 */
export async function deleteTenant({
  database,
  journal,
  environment,
  dataFolder,
  tenant,
}: TenantDeletion): Promise<{
  rows: Record<string, number>
  /** Of a bucket. */
  objects: number
  folders: string[]
}> {
  if (tenant === localTenant) throw new UserError('usage', `${localTenant} does not belong to a server.`)
  const running = await database.query(
    `with ended as (delete from job where tenant = $1 returning state) select 1 from ended where state = 'running'`,
    [tenant],
  )
  if (running.length > 0) await wait(leaseSeconds * 1000)
  const rows = await database.transaction(async (tx) => {
    const deleted: Record<string, number> = {}
    for (const table of await tenantTables(tx))
      deleted[table] = (
        await tx.query(`delete from "${table}" where tenant = $1 returning 1`, [tenant])
      ).length
    return deleted
  })
  const { state } = placesOf(dataFolder, tenant)
  const runsOf = { environment: { ...environment, XDG_STATE_HOME: state }, tenant }
  const { objects, folder } = await deleteRuns(journal, runsOf)
  const folders = deleteTenantFolders(dataFolder, tenant)
  return { rows, objects, folders: folder === null ? folders : [folder, ...folders] }
}

/** Runs, mirrors, caches: every folder that has the tenant's name. Returns their paths. */
export function deleteTenantFolders(dataFolder: string, tenant: string): string[] {
  const found = foldersNamed(dataFolder, tenantName(tenant), deepest)
  for (const folder of found) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  return found
}

function foldersNamed(folder: string, name: string, depth: number): string[] {
  if (depth === 0) return []
  const children = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return children.flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.name === name ? [path] : foldersNamed(path, name, depth - 1)
  })
}
