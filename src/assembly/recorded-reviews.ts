/** Reviews as runs kept them: one by itself, two compared, and the change that one was about. */
import { UserError } from '../base/errors.ts'
import { redactStrings } from '../base/secrets/redact.ts'
import { configOfTree, loadConfig } from '../config/load.ts'
import { type Config, defaultConfig } from '../config/schema.ts'
import type { ChangeSet } from '../domain/change-set.ts'
import type { Comparison } from '../domain/comparison.ts'
import { Review } from '../domain/review.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { replayChange } from '../hosts/recorded/replay-change.ts'
import { compareFindings } from '../ledger/compare.ts'
import { readChangeSet } from '../pipeline/diff/read-change-set.ts'
import { otherFormat } from '../storage/runs/log.ts'
import { findRun, readKept, type StoredRun } from '../storage/runs/stored-run.ts'
import type { Services } from './services.ts'

/** The review of a finished run. Rejects with `run-unreadable` for a run that kept none. */
export async function recordedReview(run: StoredRun): Promise<Review> {
  const end = run.entries.find((entry) => entry.type === 'end')
  const text = end?.review ? await run.object(end.review) : null
  if (text === null) {
    const why = end ? 'was recorded without its review' : 'did not finish'
    throw new UserError('run-unreadable', `run ${run.header.run} ${why}`)
  }
  const read = Review.safeParse(JSON.parse(text))
  if (read.success) return read.data
  const { format, versions } = run.header
  throw new UserError(
    'run-unreadable',
    `run ${run.header.run}: its review has an unknown format: ${otherFormat(format, versions.sightline)}`,
    { cause: read.error },
  )
}

/** Rejects with `run-unknown`, `run-unreadable`. */
export async function readReview(asked: string, { runs }: Pick<Services, 'runs'>): Promise<Review> {
  return await recordedReview((await findRun(runs, asked)).run)
}

export type ComparedRuns = { before: string; after: string; comparison: Comparison }

/** Rejects with `run-unknown`, `run-unreadable`. */
export async function compareRuns(
  before: string,
  after: string,
  { runs }: Pick<Services, 'runs'>,
): Promise<ComparedRuns> {
  const [a, b] = await Promise.all([findRun(runs, before), findRun(runs, after)])
  const [old, now] = await Promise.all([recordedReview(a.run), recordedReview(b.run)])
  return {
    before: a.run.header.run,
    after: b.run.header.run,
    comparison: compareFindings(old.findings, now.findings),
  }
}

/** The change as the run read it, with all secrets masked. Rejects with `run-unreadable` when it kept no texts. */
export async function recordedChange(run: StoredRun): Promise<ChangeSet> {
  // Without the key: what was sealed stays sealed.
  const { reads } = await readKept(run, null)
  const change = replayChange(reads)
  const { paths } = await configOf(change)
  const { base, request } = change
  const within = request.source.paths
  return redactStrings(await readChangeSet(await change.diff(), { ...paths, base, within }))
}

async function configOf(change: CollectedChange): Promise<Config> {
  try {
    return (await loadConfig(configOfTree(change.base))).config
  } catch (error) {
    if (error instanceof UserError) return defaultConfig
    throw error
  }
}
