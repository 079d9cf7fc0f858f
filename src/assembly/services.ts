/**
 * What every entry point hands to the three stages: whose work it is, where things are kept, who hears of it, and when it is.
 * An entry point opens one of these and wires nothing else.
 */

import { homedir } from 'node:os'
import { join } from 'node:path'
import type { IndexStore } from '../code-index/contract.ts'
import { createFactStore, lendFacts } from '../code-index/fact-store.ts'
import { loadSettings } from '../config/settings/load.ts'
import type { Settings } from '../config/settings/schema.ts'
import type { EventListener } from '../domain/events.ts'
import type { LedgerStore } from '../ledger/contract.ts'
import { FileLedger } from '../ledger/files.ts'
import type { RunStore } from '../storage/runs/contract.ts'
import { localTenant, openRunStore, stateFolder, tenantFolder } from '../storage/runs/registry.ts'

export type Services = {
  /** The operator's settings; never a repository's. */
  readonly settings: Settings
  /** Where keys and addresses are looked for. */
  readonly environment: NodeJS.ProcessEnv
  /** Whose runs, answers and caches these are: none of them is seen by another tenant. One person at a terminal is `local`. */
  readonly tenant: string
  readonly folders: {
    /** What can be computed again; null keeps it in memory only. */
    readonly cache: string | null
  }
  /** Facts about files; shared by all reviews over these services. */
  readonly facts: IndexStore
  /** Runs on record. */
  readonly runs: RunStore
  /** What became of findings. */
  readonly ledger: LedgerStore
  readonly now: () => Date
  readonly onEvent: EventListener
  readonly signal: AbortSignal
  /** Closes what was opened for it; what was handed in stays open. */
  close(): Promise<void>
}

export type ServicesOptions = {
  /** The process's when not given. */
  environment?: NodeJS.ProcessEnv
  tenant?: string
  /** Shared by all tenants, each with a place below it. Null keeps nothing between runs. Default: the user's cache folder. */
  cacheFolder?: string | null
  /** Where findings are followed; files beside the runs when not given. */
  ledger?: LedgerStore
  /** A store that outlives these services, so that its parsers stay warm. */
  facts?: IndexStore
  onEvent?: EventListener
  signal?: AbortSignal
  now?: () => Date
}

/** Reads the settings and opens the stores; nothing is written or started yet. Throws `settings-invalid`, `run-store-refused`. */
export async function openServices(options: ServicesOptions = {}): Promise<Services> {
  const { environment = process.env, tenant = localTenant, now = () => new Date() } = options
  const { signal = new AbortController().signal, onEvent = () => {} } = options
  const shared = options.cacheFolder === undefined ? defaultCacheFolder(environment) : options.cacheFolder
  const cache = shared && tenantFolder(shared, tenant)
  const { settings } = await loadSettings(environment)
  const runs = await openRunStore(settings.journal, { environment, tenant })
  const facts = options.facts ? lendFacts(options.facts) : createFactStore({ cacheFolder: cache, signal })
  return {
    settings,
    environment,
    tenant,
    folders: { cache },
    facts,
    runs,
    ledger: options.ledger ?? openLedger(settings.journal, { environment, tenant }),
    now,
    onEvent,
    signal,
    close: () => facts.close(),
  }
}

/** Beside the runs, also where these are in a bucket. Nothing is written yet. */
export function openLedger(
  journal: Settings['journal'],
  { environment, tenant }: { environment: NodeJS.ProcessEnv; tenant: string },
): LedgerStore {
  return new FileLedger(join(tenantFolder(stateFolder(journal, environment), tenant), 'ledger'))
}

/** Where what can be computed again is kept between runs: `$XDG_CACHE_HOME/sightline`, else `~/.cache/sightline`. */
export function defaultCacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const base = environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), '.cache')
  return join(base, 'sightline')
}
