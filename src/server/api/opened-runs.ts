/** Runs of one tenant, opened: a run that has finished never changes, so the last ones that were looked at stay open. */

import { recordedChange, recordedContext } from '../../assembly/recorded-reviews.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import { Review } from '../../domain/review.ts'
import type { RunRow } from '../../storage/catalog/contract.ts'
import { describeRun } from '../../storage/catalog/describe-run.ts'
import { type RunStore, runName } from '../../storage/runs/contract.ts'
import { openStoredRun, type StoredRun } from '../../storage/runs/stored-run.ts'
import { Refused } from '../http/contract.ts'
import type { RunRetrieval } from './contract/runs.ts'
import { cutStrings } from './views/cut.ts'
import { retrievalOf } from './views/retrieval.ts'

export type OpenedRun = {
  run: StoredRun
  row: RunRow
  /** Null until it has finished, and for a run that kept no texts or has the shape of another version. */
  review: Review | null
  /** Rejects with `run-unreadable` when it kept no texts. */
  change(): Promise<ChangeSet>
  /** Computed once. */
  retrieval(): Promise<RunRetrieval>
}

const mostOpen = 8
/** Characters. */
const longestText = 20_000
const longestName = 4_000
/** For freezing a bundle again. */
const longestMs = 60_000

export class OpenedRuns {
  private readonly store: Pick<RunStore, 'read'>
  private readonly open = new Map<string, Promise<OpenedRun>>()

  constructor(store: Pick<RunStore, 'read'>) {
    this.store = store
  }

  /** Rejects with `run-unknown`, `run-unreadable`; refuses with 404 what is no name of a run. */
  async get(name: string): Promise<OpenedRun> {
    if (!runName.test(name)) throw new Refused(404, 'There is no such run.')
    const known = this.open.get(name)
    if (known) return await known
    const opening = openRun(this.store, name)
    this.open.set(name, opening)
    const [oldest] = this.open.keys()
    if (this.open.size > mostOpen && oldest !== undefined) this.open.delete(oldest)
    try {
      const opened = await opening
      if (opened.row.state !== 'finished') this.open.delete(name)
      return opened
    } catch (error) {
      this.open.delete(name)
      throw error
    }
  }
}

/** A model, a patch or whoever made the record may have written a name or an explanation of any length. */
function readReview(text: string): Review | null {
  const review = Review.safeParse(JSON.parse(text)).data
  if (!review) return null
  // Texts of evidence are cut where they are shown, with the number of characters that are left out.
  const evidence = review.evidence.map((item) => ({ ...cutStrings(item, longestName), text: item.text }))
  return { ...cutStrings({ ...review, evidence: [] }, longestText), evidence }
}

async function openRun(store: Pick<RunStore, 'read'>, name: string): Promise<OpenedRun> {
  const run = await openStoredRun(store, name)
  const { row } = await describeRun(run)
  const end = run.entries.find((entry) => entry.type === 'end')
  const text = end?.review ? await run.object(end.review) : null
  const review = text === null ? null : readReview(text)
  let change: Promise<ChangeSet> | null = null
  let retrieval: Promise<RunRetrieval> | null = null
  return {
    run,
    row,
    review,
    change() {
      change ??= recordedChange(run)
      return change
    },
    retrieval() {
      retrieval ??= retrievalOf(run, review, (graph) =>
        recordedContext(run, graph, AbortSignal.timeout(longestMs)),
      )
      return retrieval
    },
  }
}
