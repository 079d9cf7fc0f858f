/** Runs an evaluation of retrieval: fetches each repository as for a review, measures the bundle, keeps what it held. */
import { type IndexStore, UserError } from '../../src/index.ts'
import type { EvalCase } from '../cases/eval-case.ts'
import { type FetchRepository, fetchRepository } from '../repositories/fetch-repository.ts'
import { type CaseProgress, eachCase } from '../run/each-case.ts'
import type { RunFolder } from '../run/run-folder.ts'
import { failureOf, fatalCodes } from '../run/run-set.ts'
import { measureRetrieval } from './measure.ts'
import type { FaultTruth } from './needed-units.ts'
import type { RecordedRetrieval } from './recorded-retrieval.ts'

export type RunRetrievalOptions = {
  /** Its settings measure retrieval. */
  run: RunFolder
  mirrors: string | null
  /** Where the repository of a case comes from; `fetchRepository` when not given. */
  repositoryOf?: FetchRepository
  /** Null keeps facts about files in memory only. */
  cacheFolder: string | null
  /** Shared by all cases, and closed by whoever opened it; each opens its own when not given. */
  facts?: IndexStore
  jobs: number
  signal: AbortSignal
  onCase?: (progress: CaseProgress) => void
}

export type RunRetrievalReport = {
  measured: number
  /** Those a killed evaluation had done before. */
  kept: number
  failed: { id: string; reason: string }[]
}

/** Changes without a known fault need nothing and are passed over. Rejects with the signal's reason after an abort. */
export async function runRetrieval(options: RunRetrievalOptions): Promise<RunRetrievalReport> {
  const { run } = options
  const faulty = run.cases.filter(({ expected }) => expected.length > 0)
  const waiting = faulty.filter(({ id }) => run.retrieval.find(id)?.failure !== null)
  const report: RunRetrievalReport = { measured: 0, kept: faulty.length - waiting.length, failed: [] }
  await eachCase(waiting, options, async (one) => {
    const record = await measureCase(one, options)
    run.retrieval.keep(record)
    if (record.failure === null) report.measured++
    else report.failed.push({ id: one.id, reason: record.failure })
    return record.failure ?? `${record.units.length} needed units`
  })
  report.failed.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  return report
}

async function measureCase(
  one: EvalCase,
  { run, mirrors, repositoryOf = fetchRepository, cacheFolder, facts, signal }: RunRetrievalOptions,
): Promise<RecordedRetrieval> {
  try {
    const fetched = await repositoryOf(one, { mirrors, history: run.head.settings.history, signal })
    try {
      const { base, head } = one
      const kept = { cacheFolder, ...(facts && { facts }) }
      const question = { folder: fetched.folder, base, head, truth: truthOf(one), ...kept, signal }
      const { units, bundles } = await measureRetrieval({ ...question, withoutLists: false })
      return { case: one.id, failure: null, units, bundles }
    } finally {
      await fetched.close()
    }
  } catch (error) {
    if (signal.aborted || (error instanceof UserError && fatalCodes.has(error.code))) throw error
    return { case: one.id, failure: failureOf(error), units: [], bundles: [] }
  }
}

function truthOf({ expected }: EvalCase): FaultTruth {
  return {
    places: expected.flatMap(({ place }) => place ?? []),
    also: expected.flatMap(({ also }) => also),
    fixed: new Map(),
  }
}
