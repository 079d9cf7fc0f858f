/** Reviews as runs kept them: one by itself, two compared, the change that one was about, and what it rested on. */
import { UserError } from '../base/errors.ts'
import { redactStrings } from '../base/secrets/redact.ts'
import { createFactStore } from '../code-index/fact-store.ts'
import { configOfTree, loadConfig } from '../config/load.ts'
import { type Config, defaultConfig } from '../config/schema.ts'
import type { ChangeSet } from '../domain/change-set.ts'
import type { Comparison } from '../domain/comparison.ts'
import type { MemoryNote } from '../domain/memory.ts'
import { Review } from '../domain/review.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { replayChange } from '../hosts/recorded/replay-change.ts'
import { compareFindings } from '../ledger/compare.ts'
import type { GraphRetrieval } from '../pipeline/context/retrieval/contract.ts'
import { readChangeSet } from '../pipeline/diff/read-change-set.ts'
import { freezeContext } from '../pipeline/freeze-context.ts'
import { otherFormat } from '../storage/runs/log.ts'
import { replayJournal } from '../storage/runs/replay-journal.ts'
import { findRun, readKept, readReview, type StoredRun } from '../storage/runs/stored-run.ts'
import { ledgerOnRecord } from './follow-findings.ts'
import type { Services } from './services.ts'

/** The review of a finished run. Rejects with `run-unreadable` for a run that kept none. */
export async function recordedReview(run: StoredRun): Promise<Review> {
  return parseRecorded(run, await readReview(run))
}

/** A run of another version may hold a review of another shape. Throws `run-unreadable`. */
export function parseRecorded({ header }: StoredRun, text: string): Review {
  const read = Review.safeParse(JSON.parse(text))
  if (read.success) return read.data
  const { format, versions } = header
  throw new UserError(
    'run-unreadable',
    `run ${header.run}: its review has an unknown format: ${otherFormat(format, versions.sightline)}`,
    { cause: read.error },
  )
}

/** Rejects with `run-unknown`, `run-unreadable`. */
export async function reviewOfRun(asked: string, { runs }: Pick<Services, 'runs'>): Promise<Review> {
  return await recordedReview((await findRun(runs, asked)).run)
}

/** The notes that a run read from the base of its change; none for a run of an earlier version, or without texts. */
export async function notesOnRecord(
  asked: string,
  { runs }: Pick<Services, 'runs'>,
): Promise<readonly MemoryNote[]> {
  try {
    const { run } = await findRun(runs, asked)
    const view = await ledgerOnRecord(replayJournal(run, runs.keyFolder), await recordedReview(run))
    return view.memory.notes
  } catch (error) {
    if (error instanceof UserError) return []
    throw error
  }
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
  return redactStrings((await readChange(replayChange(reads))).changeSet)
}

/**
 * The bundle of a review at depth standard or deep, frozen once more from what the run read, with the graph retrieval that
 * it recorded (null: it has none). Secrets are masked. Rejects with `run-unreadable` when it kept no texts.
 */
export async function recordedContext(
  run: StoredRun,
  graph: GraphRetrieval | null,
  signal: AbortSignal,
): Promise<ReviewContext> {
  const { reads } = await readKept(run, null)
  const change = replayChange(reads)
  const { changeSet, config } = await readChange(change)
  const facts = createFactStore({ cacheFolder: null, signal })
  try {
    const { depth } = run.header
    const frozen = await freezeContext(change, changeSet, {
      config: { ...config, review: { ...config.review, depth } },
      facts,
      signal,
      retrieveGraph: graph && (async () => graph),
    })
    return redactStrings(frozen)
  } finally {
    await facts.close()
  }
}

async function readChange(change: CollectedChange): Promise<{ changeSet: ChangeSet; config: Config }> {
  const config = await configOf(change)
  const { base, request } = change
  const within = request.source.paths
  return { changeSet: await readChangeSet(await change.diff(), { ...config.paths, base, within }), config }
}

async function configOf(change: CollectedChange): Promise<Config> {
  try {
    return (await loadConfig(configOfTree(change.base))).config
  } catch (error) {
    if (error instanceof UserError) return defaultConfig
    throw error
  }
}
