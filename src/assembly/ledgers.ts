/** Questions and decisions about findings that were reported before: what the commands around the ledger do. */
import { randomUUID } from 'node:crypto'
import { UserError } from '../base/errors.ts'
import { defaultConfig } from '../config/schema.ts'
import { loadSettings } from '../config/settings/load.ts'
import { collectLocal } from '../hosts/local/collect.ts'
import type { DismissalKind, LedgerEvent, LedgerStore, Mover, Reach } from '../ledger/contract.ts'
import { findByName, foldLedger, isOpen, type Ledger, type LedgerFinding } from '../ledger/fold.ts'
import { ledgerKeys } from '../ledger/follow.ts'
import { calibratedOutcomes, type OutcomeRow } from '../ledger/outcomes.ts'
import { localTenant } from '../storage/runs/registry.ts'
import { openLedger } from './services.ts'

export type LedgerOptions = {
  /** Any folder inside the repository whose ledger it is. */
  folder: string
  /** Another repository of this ledger, such as `github.com/owner/repo`; wins over the folder. */
  repository?: string | undefined
  environment?: NodeJS.ProcessEnv
  tenant?: string
  now?: () => Date
  signal?: AbortSignal
}

export type OpenedLedger = {
  store: LedgerStore
  /** Its key. */
  repository: string
  ledger: Ledger
  /** What could not be read, in words; null when all of it could. */
  damage: string | null
}

/** Rejects with `not-a-repository`, `ledger-unavailable`. */
export async function openLedgerOf(options: LedgerOptions): Promise<OpenedLedger> {
  const store = await storeOf(options)
  const repository = options.repository ?? (await localKey(options))
  const { events, damage } = await store.read(repository)
  return { store, repository, ledger: foldLedger(events), damage }
}

async function storeOf({
  environment = process.env,
  tenant = localTenant,
}: LedgerOptions): Promise<LedgerStore> {
  const { settings } = await loadSettings(environment)
  return openLedger(settings.journal, { environment, tenant })
}

async function localKey({ folder, signal, environment = process.env }: LedgerOptions): Promise<string> {
  const { borrowFrom } = (await loadSettings(environment)).settings.repositories
  const { limits } = defaultConfig
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const change = await collectLocal({ folder, selector, limits, borrowFrom, signal })
  try {
    return ledgerKeys(change.request, change.repositoryLabel, null).repository
  } finally {
    await change.close()
  }
}

/** Every event, in order: the whole ledger as data. */
export async function exportLedger(options: LedgerOptions): Promise<LedgerEvent[]> {
  const { store, repository } = await openLedgerOf(options)
  return (await store.read(repository)).events
}

/** The one finding of that name. Rejects with `finding-unknown`. */
export function oneFinding(ledger: Ledger, typed: string): LedgerFinding {
  const [found, other] = findByName(ledger, typed)
  if (!found) throw new UserError('finding-unknown', typed)
  if (other)
    throw new UserError('finding-unknown', `${typed} is the beginning of several ids; type more of it`)
  return found
}

export type Decision = {
  because: string
  kind: DismissalKind
  /** How far it reaches: the finding, its rule in its file, or its rule in all paths that fit the globs. */
  reach: { kind: 'here' } | { kind: 'file' } | { kind: 'rule'; paths: readonly string[] }
  by: Mover
}

export async function dismissFinding(
  typed: string,
  { because, kind, reach, by }: Decision,
  options: LedgerOptions,
): Promise<LedgerFinding> {
  const { store, repository, ledger } = await openLedgerOf(options)
  const found = oneFinding(ledger, typed)
  const { rule, path } = found.record
  const wide: Reach =
    reach.kind === 'here'
      ? reach
      : reach.kind === 'file'
        ? { kind: 'file', rule, path }
        : { kind: 'rule', rule, paths: [...reach.paths] }
  const event = { ...eventFor(found, options), type: 'dismissed', because, kind, reach: wide, by } as const
  await store.append(repository, [event])
  return found
}

/** Takes a dismissal back. */
export async function restoreFinding(
  typed: string,
  { because, by }: Pick<Decision, 'because' | 'by'>,
  options: LedgerOptions,
): Promise<LedgerFinding> {
  const { store, repository, ledger } = await openLedgerOf(options)
  const found = oneFinding(ledger, typed)
  if (found.dismissal === null) throw new UserError('finding-unknown', `${typed} is not dismissed`)
  await store.append(repository, [{ ...eventFor(found, options), type: 'restored', because, by }])
  return found
}

/** Dismisses all that is open, so that only what comes later is shown. Returns how many. */
export async function makeBaseline(
  { because, by }: Pick<Decision, 'because' | 'by'>,
  options: LedgerOptions,
): Promise<number> {
  const { store, repository, ledger } = await openLedgerOf(options)
  const open = [...ledger.findings.values()].filter(isOpen)
  const events = open.map((found): LedgerEvent => {
    const reach = { kind: 'here' } as const
    return { ...eventFor(found, options), type: 'dismissed', because, kind: 'baseline', reach, by }
  })
  await store.append(repository, events)
  return open.length
}

function eventFor({ id: finding, change }: LedgerFinding, { now = () => new Date() }: LedgerOptions) {
  return { id: randomUUID(), at: now().toISOString(), change, finding }
}

/** Of all repositories of the ledger, or of the one that is named. */
export async function outcomesOf(
  options: Omit<LedgerOptions, 'folder'>,
): Promise<{ rows: OutcomeRow[]; damage: string[] }> {
  const store = await storeOf({ ...options, folder: '' })
  const keys = options.repository === undefined ? await store.repositories() : [options.repository]
  const ledgers = new Map<string, Ledger>()
  const damage: string[] = []
  for (const key of keys) {
    const read = await store.read(key)
    ledgers.set(key, foldLedger(read.events))
    if (read.damage !== null) damage.push(read.damage)
  }
  return { rows: calibratedOutcomes(ledgers), damage }
}
