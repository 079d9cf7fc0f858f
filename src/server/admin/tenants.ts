/** How long the data of a tenant is kept, and how all of it is deleted. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { UserError } from '../../base/errors.ts'
import type { JournalSettings } from '../../config/settings/schema.ts'
import { deleteRuns, localTenant, openRunStore, tenantName } from '../../storage/runs/registry.ts'
import type { Database } from '../database/contract.ts'
import { migrations } from '../database/migrations/registry.ts'
import { stateIn } from '../jobs/places.ts'
import { leaseSeconds } from '../queue/sql-queue.ts'
import { tenantTables } from './tables.ts'

const rowsAtOnce = 1000
/** Folders of tenants are at most so far below the data folder. */
const deepest = 4

/**
 * Deletes rows whose time is over, few at once, so that nothing waits long. `keepDays`: for a tenant without a number in the
 * table `tenant`. Returns how many, by table.
 */
export async function deleteExpired(database: Database, keepDays: number): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {}
  for (const { table, at, where = 'true', leastDays = 0 } of migrations.flatMap(
    ({ retained = [] }) => retained,
  )) {
    const statement = `delete from "${table}" where ctid = any(array(
        select old.ctid from "${table}" as old left join tenant using (tenant)
        where old."${at}" < now() - make_interval(days => greatest(coalesce(tenant.keep_days, $1), $2)) and ${where}
        limit ${rowsAtOnce})) returning 1`
    let rows: unknown[]
    do {
      rows = await database.query(statement, [keepDays, leastDays])
      deleted[table] = (deleted[table] ?? 0) + rows.length
    } while (rows.length === rowsAtOnce)
  }
  return deleted
}

const retentionMs = 6 * 60 * 60 * 1000

/** Where runs are kept, which may be a bucket, by the operator's settings for models. */
type RunPlaces = { journal: JournalSettings; environment: NodeJS.ProcessEnv; dataFolder: string }

/** Runs of tenants without new reviews, too, which no analyzer would sweep. Returns how many. Rejects as a `RunStore` does. */
export async function deleteExpiredRuns(
  database: Database,
  keepDays: number,
  { journal, environment, dataFolder }: RunPlaces,
): Promise<number> {
  const tenants = await database.query<{ tenant: string; days: number }>(
    `select tenant, coalesce(tenant.keep_days, $1) as days from repository left join tenant using (tenant) group by 1, 2`,
    [keepDays],
  )
  let deleted = 0
  for (const { tenant, days } of tenants) {
    const runs = await openRunStore(journal, {
      environment: { ...environment, XDG_STATE_HOME: stateIn(dataFolder) },
      tenant,
    })
    deleted += (await runs.sweep(Math.min(days, journal.keepDays), new Date())).runs
  }
  return deleted
}

/** Deletes expired rows and runs now and every few hours, until it is stopped. */
export function startRetention(
  database: Database,
  keepDays: number,
  places: RunPlaces,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let last: Promise<unknown> = Promise.resolve()
  const sweep = () => {
    last = deleteExpired(database, keepDays)
      .then(() => deleteExpiredRuns(database, keepDays, places))
      .catch(onError)
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

/** `dataFolder`: of the server on this machine; other machines' caches go with `deleteTenantFolders` there. */
export type TenantDeletion = RunPlaces & { database: Database; tenant: string }

/**
 * Deletes every row, every run and every folder of a tenant. Its installations go first, so that nothing new comes in, then
 * its jobs: workers that have some learn it within seconds and stop, and only then is deleted what they may have written. May be
 * repeated when it was interrupted. Rejects as a `RunStore` does.
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
  // What decides on its changes holds these, and decides on nothing more.
  const installations = await database.query('delete from installation where tenant = $1 returning 1', [
    tenant,
  ])
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
    return { ...deleted, installation: installations.length }
  })
  const runsOf = { environment: { ...environment, XDG_STATE_HOME: stateIn(dataFolder) }, tenant }
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
  if (depth === 0 || !existsSync(folder)) return []
  const children = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return children.flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.name === name ? [path] : foldersNamed(path, name, depth - 1)
  })
}
