/**
 * Live indexes of a worker: one process for each tenant with repositories that are indexed, so that a push is reviewed
 * against an index that is milliseconds old. A process of its own for each tenant, since it reads foreign code and writes what
 * later reviews trust. Without one, or when it fails, a review reads the nearest index on disk, and all is as slow as before.
 */

import { linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isAnyIndexed } from '../../assembly/warm-indexes.ts'
import { frozenFiles } from '../../hosts/frozen/frozen-change.ts'
import type { Order } from '../roles/contract.ts'
import { type RoleAccount, runRole } from '../roles/run-role.ts'
import type { ProcessParts } from './job-roles.ts'
import { liveFolder, placesOf } from './places.ts'

export type LiveIndexes = {
  /**
   * Indexes the head of a frozen change, if its repository has an index. True when it is indexed; false when it is not, or
   * takes longer than a review should wait. Never rejects.
   */
  refresh(tenant: string, repository: string, frozen: string): Promise<boolean>
  /** Ends all processes. */
  stop(): Promise<void>
}

export type LiveIndexEvent =
  | { type: 'index-refreshed'; tenant: string; read: number; durationMs: number }
  | { type: 'live-index-ended'; tenant: string; how: string; megabytes: number; cpuSeconds: number }

type LiveParts = ProcessParts & {
  /** A review goes on without it after so long. */
  patienceMs?: number
}

const defaultPatienceMs = 5_000
/** Without a push for so long, a process ends. */
const idleMs = 10 * 60_000
/** Tenants with a process; beyond, the one that was used least recently ends. */
const mostProcesses = 4
/** After a process died, its tenant does without one for so long. */
const restMs = 60_000

export function openLiveIndexes(parts: LiveParts, onEvent: (event: LiveIndexEvent) => void): LiveIndexes {
  /** By tenant; used last at the end. */
  const running = new Map<string, LiveProcess>()
  const all = new Set<LiveProcess>()
  const restsUntil = new Map<string, number>()

  function start(tenant: string): LiveProcess {
    const live = new LiveProcess(tenant, parts)
    all.add(live)
    void live.ended.then(({ end, peakMegabytes: megabytes, cpuSeconds }) => {
      all.delete(live)
      if (running.get(tenant) === live) running.delete(tenant)
      if (end.kind !== 'done' && end.kind !== 'aborted') restsUntil.set(tenant, performance.now() + restMs)
      onEvent({ type: 'live-index-ended', tenant, how: end.kind, megabytes, cpuSeconds })
    })
    return live
  }

  function processOf(tenant: string): LiveProcess | null {
    if (performance.now() < (restsUntil.get(tenant) ?? 0)) return null
    const live = running.get(tenant) ?? start(tenant)
    running.delete(tenant)
    running.set(tenant, live)
    for (const [name, other] of [...running].slice(0, -mostProcesses)) {
      running.delete(name)
      other.end()
    }
    return live
  }

  return {
    async refresh(tenant, repository, frozen) {
      const startedAt = performance.now()
      try {
        if (!isAnyIndexed(repository, placesOf(parts.data, tenant).cacheOwn)) return false
        const read = (await processOf(tenant)?.refresh(frozen)) ?? null
        if (read === null) return false
        const durationMs = Math.round(performance.now() - startedAt)
        onEvent({ type: 'index-refreshed', tenant, read, durationMs })
        return true
      } catch {
        // A full disk is no reason not to review.
        return false
      }
    },
    async stop() {
      for (const live of all) live.end()
      await Promise.all([...all].map(({ ended }) => ended))
    },
  }
}

class LiveProcess {
  readonly ended: Promise<RoleAccount>
  private readonly stop = new AbortController()
  /** What it can read: a folder with one change for each refresh under way. */
  private readonly inbox: string
  private readonly waiting = new Map<number, (read: number | null) => void>()
  private readonly send: Promise<(words: Order) => void>
  private idle: NodeJS.Timeout | null = null
  private last = 0
  private readonly patienceMs: number

  constructor(tenant: string, parts: LiveParts) {
    const { data, limits, isBoxed, compiled } = parts
    this.patienceMs = parts.patienceMs ?? defaultPatienceMs
    const { cache, cacheOwn } = placesOf(data, tenant)
    const folder = liveFolder(data, tenant)
    const own = mkdtempSync(join(folder, 'own-'))
    this.inbox = mkdtempSync(join(folder, 'inbox-'))
    const { promise, resolve } = Promise.withResolvers<(words: Order) => void>()
    this.send = promise
    this.ended = runRole({
      ...{ folder: own, readable: [this.inbox], writable: [cacheOwn], isBoxed, compiled, hasNetwork: false },
      limits: limits['live-index'],
      signal: this.stop.signal,
      order: {
        ...{ role: 'live-index', tenant, cache, megabytes: limits['live-index'].megabytes },
        environment: { XDG_STATE_HOME: join(own, 'home') },
      },
      onStart: resolve,
      onReport: (report) => {
        if (report.type === 'refreshed') this.waiting.get(report.id)?.(report.read)
      },
    }).finally(() => {
      for (const answer of this.waiting.values()) answer(null)
      if (this.idle) clearTimeout(this.idle)
      for (const path of [own, this.inbox]) rmSync(path, { recursive: true, force: true })
    })
    this.rest()
  }

  /** Files that were read; null when it failed, or takes too long. Never rejects. */
  async refresh(frozen: string): Promise<number | null> {
    const id = ++this.last
    const change = join(this.inbox, String(id))
    try {
      mkdirSync(change)
      for (const name of frozenFiles) linkSync(join(frozen, name), join(change, name))
      const answer = new Promise<number | null>((resolve) => this.waiting.set(id, resolve))
      void this.send.then((send) => send({ type: 'refresh', id, change }))
      return await Promise.race([answer, delay(this.patienceMs, null, { ref: false })])
    } catch {
      // Its folder was removed, such as with all of its tenant.
      this.end()
      return null
    } finally {
      this.waiting.delete(id)
      rmSync(change, { recursive: true, force: true })
      this.rest()
    }
  }

  end(): void {
    this.stop.abort()
  }

  private rest(): void {
    if (this.idle) clearTimeout(this.idle)
    this.idle = setTimeout(() => this.end(), idleMs).unref()
  }
}
