/** Where a worker keeps what: everything of a tenant lies in folders of its own, and a job has a folder for each role. */
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../base/durable.ts'
import { ownerMayBeRunning, ownMark } from '../../base/process-mark.ts'
import { tenantFolder, tenantName } from '../../storage/runs/registry.ts'
import type { JobRole } from '../roles/contract.ts'

/** Below the data folder of the server. What is cached is shared by all workers of a machine, for one tenant each. */
export type TenantPlaces = {
  /** For `cacheFolder` of a collector, which keeps mirrors below; its tenant's own part of it. */
  fetched: string
  fetchedOwn: string
  /** In it: what a host asked to wait for, which publishers write and all of them heed. */
  pauses: string
  /** For `cacheFolder` of an analyzer: facts, index segments. */
  cache: string
  cacheOwn: string
  /** For `XDG_STATE_HOME` of an analyzer: runs on record. */
  state: string
  stateOwn: string
}

/** For `XDG_STATE_HOME` of whoever reads or deletes what is on record. Makes nothing. */
export function stateIn(data: string): string {
  return join(data, 'state')
}

/** All folders are made. */
export function placesOf(data: string, tenant: string): TenantPlaces {
  const [fetched, cache, state] = [join(data, 'fetched'), join(data, 'cache'), stateIn(data)]
  const places = {
    fetched,
    fetchedOwn: tenantFolder(fetched, tenant),
    pauses: join(tenantFolder(fetched, tenant), 'pauses'),
    cache,
    cacheOwn: tenantFolder(cache, tenant),
    state,
    stateOwn: tenantFolder(join(state, 'sightline'), tenant),
  }
  for (const folder of [places.fetchedOwn, places.pauses, places.cacheOwn, places.stateOwn])
    makeFolder(folder)
  return places
}

export type JobPlaces = {
  /** Private folders of the roles; each role sees only its own. */
  roles: Readonly<Record<JobRole, string>>
  /** The frozen change, which the collector writes and the others read. */
  frozen: string
  /** What the analyzer hands over; no other role writes it. */
  handed: string
  /** Before another attempt: as at the beginning. */
  empty(): void
  remove(): void
}

/** For what this process has running for a tenant besides jobs; made, and removed as those of jobs are. */
export function liveFolder(data: string, tenant: string): string {
  const folder = join(data, jobsFolder, nameOf(ownMark()), tenantName(tenant))
  makeFolder(folder)
  return folder
}

export function makeJobPlaces(data: string): JobPlaces {
  const root = join(data, jobsFolder, nameOf(ownMark()), randomBytes(8).toString('hex'))
  const folders = ['collector', 'analyzer', 'publisher', 'indexer', 'frozen', 'handed'].map((name) =>
    join(root, name),
  )
  const [collector = '', analyzer = '', publisher = '', indexer = '', frozen = '', handed = ''] = folders
  const remove = () => rmSync(root, { recursive: true, force: true })
  const make = () => folders.forEach(makeFolder)
  make()
  const empty = () => {
    remove()
    make()
  }
  return { roles: { collector, analyzer, publisher, indexer }, frozen, handed, empty, remove }
}

const jobsFolder = 'jobs'

/** What killed workers of this machine did not remove: the code of changes under review. */
export function removeAbandonedJobs(data: string): void {
  const root = join(data, jobsFolder)
  makeFolder(root)
  for (const name of readdirSync(root))
    if (!ownerMayBeRunning(name.replaceAll('_', ' ')))
      rmSync(join(root, name), { recursive: true, force: true })
}

function nameOf(mark: string): string {
  return mark.replaceAll(' ', '_')
}
