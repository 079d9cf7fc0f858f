/** Runs on record: which there are, what each did, and a run as one file. */
import { writeNamed } from '../base/below.ts'
import { UserError } from '../base/errors.ts'
import { loadSettings } from '../config/settings/load.ts'
import { JournalAnswer, JournalRequest } from '../domain/journal.ts'
import type { RunEntry, RunSummary, Swept } from '../storage/runs/contract.ts'
import { localTenant, openRunStore } from '../storage/runs/registry.ts'
import {
  checkStore,
  findRun,
  type ListedRuns,
  listRuns as listStored,
  summaryOf,
} from '../storage/runs/stored-run.ts'
import { exportRun, importRun, readPack } from '../storage/runs/transfer.ts'

export type RunsOptions = {
  /** The process's when not given. */
  environment?: NodeJS.ProcessEnv
  tenant?: string
}

/**
 * The newest `limit` runs, and why others cannot be read. Throws `run-unreadable` for a store that a newer version wrote
 * to; this and all below also throw `run-store-unavailable` and `run-store-refused`.
 */
export async function listRuns({
  limit,
  ...options
}: RunsOptions & { limit?: number } = {}): Promise<ListedRuns> {
  const { store } = await openStore(options)
  return await listStored(store, limit)
}

/** One exchange with the outside, as it went over the wire. */
export type RunExchange = {
  entry: Extract<RunEntry, { type: 'answer' }>
  /** Null when texts are not kept, or are lost. Foreign text. */
  request: JournalRequest | null
  answer: JournalAnswer | null
}

export type RunTrace = {
  summary: RunSummary
  entries: readonly RunEntry[]
  exchanges: RunExchange[]
  /** Of the calls that were asked for behind the name or the place; null when it was the whole run. */
  address: string | null
}

/**
 * By its name, a part of it, `last`, or its place, and an address in it behind a slash:
 * `local/shop/1a2b3c4d5e6f/explore/iter-2`. Throws `run-unknown`, `run-unreadable`.
 */
export async function readRun(asked: string, options: RunsOptions = {}): Promise<RunTrace> {
  const { store } = await openStore(options)
  const { run, address } = await findRun(store, asked)
  const read = async (name: string | null): Promise<unknown> => {
    const text = name === null ? null : await run.object(name)
    return text === null ? null : JSON.parse(text)
  }
  const exchanges: RunExchange[] = []
  for (const entry of run.entries) {
    if (entry.type !== 'answer') continue
    const request = JournalRequest.nullable().parse(await read(entry.request))
    const answer = JournalAnswer.nullable().parse(await read(entry.answer))
    exchanges.push({ entry, request, answer })
  }
  return { summary: await summaryOf(run), entries: run.entries, exchanges, address }
}

/**
 * Writes the run as one file; what is there is replaced. `folder`: where a relative path begins; the process's when not given.
 * Throws `run-unknown`, `run-unreadable`, `output-unwritable`.
 */
export async function exportRunTo(
  asked: string,
  file: string,
  { folder = process.cwd(), ...options }: RunsOptions & { folder?: string } = {},
): Promise<string> {
  const { store } = await openStore(options)
  const { run } = await findRun(store, asked)
  const pack = await exportRun(run)
  try {
    writeNamed(folder, file, pack, 0o600)
  } catch (error) {
    throw new UserError('output-unwritable', `${file}: ${(error as Error).message}`, { cause: error })
  }
  return run.header.run
}

/** The name of the run. Throws `run-unreadable`. */
export async function importRunFrom(file: string, options: RunsOptions = {}): Promise<string> {
  const { store } = await openStore(options)
  return await importRun(store, readPack(file))
}

/** Removes what is older than the settings say, or all of it. */
export async function removeRuns(all: boolean, options: RunsOptions = {}): Promise<Swept> {
  const { store, settings } = await openStore(options)
  await checkStore(store)
  return await store.sweep(all ? 0 : settings.keepDays, new Date())
}

async function openStore({ environment = process.env, tenant = localTenant }: RunsOptions) {
  const { settings } = await loadSettings(environment)
  return { settings: settings.journal, store: await openRunStore(settings.journal, { environment, tenant }) }
}
