/** Which backend keeps the runs of a tenant, by the operator's settings. */
import { existsSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../../base/canonical-json.ts'
import type { JournalSettings } from '../../config/settings/schema.ts'
import type { RunStore } from './contract.ts'
import { FileRunStore } from './files/store.ts'

/** One person at a terminal. */
export const localTenant = 'local'

export type RunsOf = {
  environment: NodeJS.ProcessEnv
  tenant: string
}

/** Touches and asks nothing yet. Rejects with `run-store-refused` where the client of a bucket is not installed. */
export async function openRunStore(
  settings: JournalSettings,
  { environment, tenant }: RunsOf,
): Promise<RunStore> {
  const folder = tenantFolder(stateFolder(settings, environment), tenant)
  if (settings.store === 'files') return new FileRunStore(folder)
  const { openBucketStore } = await import('./s3/store.ts')
  return await openBucketStore({
    ...settings.s3,
    url: settings.store,
    tenant: tenantName(tenant),
    keyFolder: folder,
  })
}

/**
 * Deletes all runs of a tenant of a server, also those that are on, wherever they are kept. Returns how many objects of a
 * bucket that was, and the folder on this machine that was deleted; null when there was none. Rejects as a `RunStore` does, and then it may be repeated.
 */
export async function deleteRuns(
  settings: JournalSettings,
  { environment, tenant }: RunsOf,
): Promise<{ objects: number; folder: string | null }> {
  if (tenant === localTenant) throw new Error('below the folder of the local tenant lie those of all others')
  const folder = tenantFolder(stateFolder(settings, environment), tenant)
  let objects = 0
  if (settings.store !== 'files') {
    const { emptyBucketStore } = await import('./s3/store.ts')
    objects = await emptyBucketStore({ ...settings.s3, url: settings.store, tenant: tenantName(tenant) })
  }
  const isThere = existsSync(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  return { objects, folder: isThere ? folder : null }
}

/** `$XDG_STATE_HOME/sightline`, else `~/.local/state/sightline`. */
export function stateFolder(
  { folder }: Pick<JournalSettings, 'folder'>,
  environment: NodeJS.ProcessEnv,
): string {
  if (folder !== undefined) return folder
  const base = environment.XDG_STATE_HOME || join(environment.HOME || homedir(), '.local', 'state')
  return join(base, 'sightline')
}

/** What is a tenant's own below a folder that all share. The local tenant's lies where it always did. */
export function tenantFolder(folder: string, tenant: string): string {
  return tenant === localTenant ? folder : join(folder, 'tenants', tenantName(tenant))
}

/**
 * One step of a path, and another one for every tenant, whatever it is called: what can be read of the name, for people,
 * and its SHA-256. A name cannot climb out, and two names do not meet where a file system ignores case.
 */
export function tenantName(tenant: string): string {
  const readable = tenant
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  return `t-${readable}-${sha256(tenant).slice(0, 32)}`
}
