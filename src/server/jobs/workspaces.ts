/**
 * The repositories of all workspaces, fetched and indexed in the background, so that no review waits for one: one at a time, at low
 * priority, each in a process with the token of that repository alone. Every machine with workers keeps its own.
 */

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tenantFolder } from '../../storage/runs/registry.ts'
import type { WorkspaceMember } from '../policies/workspace.ts'
import { type RoleAccount, type RunRole, runRole } from '../roles/run-role.ts'
import type { ProcessParts } from './job-roles.ts'
import { freeAbandonedLocks } from './locks.ts'
import { liveFolder, placesOf } from './places.ts'

export type WorkspaceSource = {
  /** Every tenant with what some review of it looks into, which may be nothing. */
  list(): Promise<ReadonlyMap<string, readonly WorkspaceMember[]>>
  /** What may be used to fetch one: the text of settings that name all of the tenant, and a token in an environment. */
  open(
    tenant: string,
    member: WorkspaceMember,
    signal: AbortSignal,
  ): Promise<{ settings: string; secrets: Readonly<Record<string, string>> }>
}

export type Workspaces = {
  /** Fetches these now, since something happened there; waits no longer than a minute. Never rejects but as the signal says. */
  refresh(
    tenant: string,
    repositories: readonly Pick<WorkspaceMember, 'connection' | 'id'>[],
    signal: AbortSignal,
  ): Promise<void>
  stop(): Promise<void>
}

export type WorkspaceEvent = { type: 'workspace-updated'; tenant: string; how: string; durationMs: number }

type WorkspacesParts = ProcessParts & {
  source: WorkspaceSource
  runRole?: RunRole | undefined
}

const lookMs = 60_000
/** Who may read a repository is believed for an hour. */
const everyMs = 30 * 60_000
/** What happened to a change request of it, such as that it was merged, is fetched no more often than this. */
const soonMs = 5 * 60_000
/** A review waits no longer for repositories with its other half. */
const patienceMs = 60_000

export function openWorkspaces(
  parts: WorkspacesParts,
  onEvent: (event: WorkspaceEvent) => void,
  onError: (error: unknown) => void,
): Workspaces {
  const stopping = new AbortController()
  const updatedAt = new Map<string, { whole: number; last: number }>()
  let running: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    for (const [tenant, members] of await parts.source.list()) {
      if (members.length === 0) removeWorkspace(parts.data, tenant)
      for (const member of members) {
        const { whole, last } = updatedAt.get(keyOf(tenant, member)) ?? { whole: 0, last: 0 }
        const [isWhole, age] = [Date.now() - whole >= everyMs, Date.now() - last]
        const isMoved = member.quietMs < age && age > soonMs
        if (!isWhole && !isMoved) continue
        if (stopping.signal.aborted) return
        await update(tenant, member, isWhole, stopping.signal).catch(onError)
      }
    }
  }

  async function update(
    tenant: string,
    member: WorkspaceMember,
    isWhole: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const key = keyOf(tenant, member)
    const last = Date.now()
    updatedAt.set(key, { last, whole: isWhole ? last : (updatedAt.get(key)?.whole ?? 0) })
    const { end, durationMs } = await updateMember(parts, { tenant, member, isWhole }, signal)
    onEvent({ type: 'workspace-updated', tenant, how: end.kind, durationMs })
    // Deleted meanwhile.
    if (!(await parts.source.list()).has(tenant)) removeWorkspace(parts.data, tenant)
  }

  const next = () => {
    running = running.then(look).catch(onError)
  }
  next()
  const timer = setInterval(next, lookMs)
  const asked = new Set<Promise<unknown>>()
  return {
    async refresh(tenant, repositories, signal) {
      const limit = AbortSignal.any([signal, stopping.signal, AbortSignal.timeout(patienceMs)])
      const members = (await parts.source.list()).get(tenant) ?? []
      const wanted = members.filter(({ connection, id }) =>
        repositories.some((one) => one.connection === connection && one.id === id),
      )
      const updates = wanted.map((member) => update(tenant, member, false, limit).catch(onError))
      const all = Promise.all(updates).finally(() => asked.delete(all))
      asked.add(all)
      await all
      signal.throwIfAborted()
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await Promise.all([running, ...asked])
    },
  }
}

function keyOf(tenant: string, { address }: WorkspaceMember): string {
  return `${tenant} ${address}`
}

async function updateMember(
  { data, limits, isBoxed, compiled, source, runRole: run = runRole }: WorkspacesParts,
  { tenant, member, isWhole }: { tenant: string; member: WorkspaceMember; isWhole: boolean },
  signal: AbortSignal,
): Promise<RoleAccount> {
  const { settings, secrets } = await source.open(tenant, member, signal)
  const { fetched, fetchedOwn } = placesOf(data, tenant)
  const folder = mkdtempSync(join(liveFolder(data, tenant), 'workspace-'))
  const file = join(folder, 'settings.yaml')
  writeFileSync(file, settings, { mode: 0o600 })
  const stopFreeing = freeAbandonedLocks(join(fetchedOwn, 'workspace'))
  try {
    return await run({
      ...{ folder, readable: [], writable: [fetchedOwn], isBoxed, compiled, hasNetwork: true, signal },
      limits: limits.workspace,
      order: {
        ...{ role: 'workspace', tenant, cache: fetched, address: member.address, isWhole },
        environment: { ...secrets, SIGHTLINE_SETTINGS: file },
      },
    })
  } finally {
    stopFreeing()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whoever left the workspace leaves nothing on this machine. */
function removeWorkspace(data: string, tenant: string): void {
  const folder = tenantFolder(join(data, 'fetched'), tenant)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder))
    if (/^workspace(?:\.sqlite.*)?$/.test(name)) rmSync(join(folder, name), { recursive: true, force: true })
}
