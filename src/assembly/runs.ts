/** Runs on record: which there are, what each did, and a run as one file. */
import { writeFile } from 'node:fs/promises'
import { UserError } from '../base/errors.ts'
import { loadSettings } from '../config/settings/load.ts'
import { JournalAnswer, JournalRequest } from '../domain/journal.ts'
import type { RunEntry, RunSummary } from '../storage/contract.ts'
import { type Swept, sweep } from '../storage/runs/retention.ts'
import { RunStore, stateFolder } from '../storage/runs/run-store.ts'
import { summaryOf } from '../storage/runs/stored-run.ts'
import { exportRun, importRun, readPack } from '../storage/runs/transfer.ts'

/** Newest first. Throws `run-unreadable` for a store that a newer version made. */
export async function listRuns(environment: NodeJS.ProcessEnv = process.env): Promise<RunSummary[]> {
  return (await openStore(environment)).list()
}

/** What stands in the way of reading the runs that are not listed, in words. */
export async function listUnreadableRuns(environment: NodeJS.ProcessEnv = process.env): Promise<string[]> {
  return (await openStore(environment)).unreadable()
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
export async function readRun(
  asked: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<RunTrace> {
  const store = await openStore(environment)
  const { run, address } = store.find(asked)
  const read = (name: string | null) => (name === null ? null : store.objects.get(name))
  const exchanges = run.entries.flatMap((entry): RunExchange[] => {
    if (entry.type !== 'answer') return []
    const request = read(entry.request)
    const answer = read(entry.answer)
    return [
      {
        entry,
        request: request === null ? null : JournalRequest.parse(JSON.parse(request)),
        answer: answer === null ? null : JournalAnswer.parse(JSON.parse(answer)),
      },
    ]
  })
  const summary = summaryOf(run, store.runs, store.objects)
  return { summary, entries: run.entries, exchanges, address }
}

/** Writes the run as one file; what is there is replaced. Throws `run-unknown`, `run-unreadable`, `output-unwritable`. */
export async function exportRunTo(
  asked: string,
  file: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const store = await openStore(environment)
  const run = store.open(asked)
  const pack = exportRun(store, run)
  await writeFile(file, pack, { mode: 0o600 }).catch((error: Error) => {
    throw new UserError('output-unwritable', `${file}: ${error.message}`, { cause: error })
  })
  return run.header.run
}

/** The name of the run. Throws `run-unreadable`. */
export async function importRunFrom(
  file: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  return importRun(await openStore(environment), readPack(file))
}

/** Removes what is older than the settings say, or all of it. */
export async function removeRuns(all: boolean, environment: NodeJS.ProcessEnv = process.env): Promise<Swept> {
  const { settings } = await loadSettings(environment)
  const store = new RunStore(stateFolder(settings.journal, environment))
  return sweep(store, all ? 0 : settings.journal.keepDays, new Date())
}

async function openStore(environment: NodeJS.ProcessEnv): Promise<RunStore> {
  const { settings } = await loadSettings(environment)
  return new RunStore(stateFolder(settings.journal, environment))
}
