/** Ties reviews to the ledger: what a review must know of it, and what it adds. */
import { UserError } from '../base/errors.ts'
import type { Config } from '../config/schema.ts'
import type { Journal } from '../domain/journal.ts'
import type { Review } from '../domain/review.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import type { LedgerStore } from '../ledger/contract.ts'
import { foldLedger } from '../ledger/fold.ts'
import { followReview, type LedgerKeys, ledgerKeys, reported } from '../ledger/follow.ts'
import { readTeamFile, teamFile } from '../ledger/ignores.ts'
import { emptyView, LedgerView, viewOf } from '../ledger/settle.ts'
import { readChangeSet } from '../pipeline/diff/read-change-set.ts'
import { runRecorded } from './run-recorded.ts'

export async function keysOf(
  change: Pick<CollectedChange, 'request' | 'repositoryLabel' | 'branch'>,
): Promise<LedgerKeys> {
  return ledgerKeys(change.request, change.repositoryLabel, (await change.branch?.()) ?? null)
}

export type ViewInput = {
  journal: Journal | null
  ledger: LedgerStore
  change: CollectedChange
}

/** As it is now, on record for a replay. A ledger that cannot be read leaves findings as they are, and the review says so. */
export async function readLedgerView({ journal, ledger, change }: ViewInput): Promise<LedgerView> {
  const work = async () => await readNow(ledger, change)
  const { result } = await runRecorded(journal, taskOf(change), work, async () => false)
  return LedgerView.parse(result)
}

/** As it was when the run was recorded; runs of earlier versions knew none. */
export async function ledgerOnRecord(
  journal: Journal,
  change: Pick<CollectedChange, 'request'>,
): Promise<LedgerView> {
  try {
    const known = await journal.find(taskOf(change))
    return known ? LedgerView.parse(JSON.parse(known.body)) : emptyView
  } catch (error) {
    if (error instanceof UserError) return emptyView
    throw error
  }
}

function taskOf({ request: { base, head } }: Pick<CollectedChange, 'request'>) {
  const input = { version: 1, base: base.tree, head: head.tree }
  return { kind: 'tool', address: 'ledger', tool: 'ledger', input } as const
}

async function readNow(ledger: LedgerStore, change: CollectedChange): Promise<LedgerView> {
  const { entries: team, problem } = readTeamFile((await change.base.read(teamFile))?.text ?? null)
  const remarks = problem === null ? [] : [problem]
  try {
    const keys = await keysOf(change)
    const { events, damage } = await ledger.read(keys.repository)
    const damaged = damage === null ? [] : [`part of the ledger of findings cannot be read: ${damage}`]
    return { ...viewOf(foldLedger(events), keys.change), team, remarks: [...remarks, ...damaged] }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return {
      ...emptyView,
      team,
      remarks: [...remarks, `findings that were dismissed are shown: ${error.message}`],
    }
  }
}

export type FollowParts = {
  ledger: LedgerStore
  change: CollectedChange
  review: Review
  config: Config
  run: string | null
  now: Date
}

/** Adds what a review found to the ledger. Returns what a person should know of it; never rejects for a ledger that fails. */
export async function followFindings(parts: FollowParts): Promise<string[]> {
  const { ledger: store, change, review, config, run, now } = parts
  try {
    const keys = await keysOf(change)
    const ledger = foldLedger((await store.read(keys.repository)).events)
    const { base, head } = change
    const { files, overflow, unlisted } = await readChangeSet(await change.diff(), { ...config.paths, base })
    const renamed = new Map(
      files.flatMap(({ path, oldPath, status }) =>
        status === 'renamed' && oldPath ? [[oldPath, path]] : [],
      ),
    )
    const pathNow = (path: string) => renamed.get(path) ?? path
    const known = [...ledger.findings.values()].map(({ record }) => pathNow(record.path))
    const found = [...reported(review), ...(review.dismissed ?? []).map(({ finding }) => finding)]
    const changed = new Set(
      files.flatMap(({ path, oldPath }) => [path, ...(oldPath === null ? [] : [oldPath])]),
    )
    const paths = new Set([
      ...known.filter((path) => changed.has(path)),
      ...found.map(({ anchor }) => anchor.path),
    ])
    const [old, fresh] = await Promise.all([base.readMany([...paths]), head.readMany([...paths])])
    const events = followReview({
      ledger,
      review,
      change: keys.change,
      run,
      reviewed: { basis: '', files: {} },
      changed,
      isPartial: overflow.length > 0 || unlisted !== undefined,
      textOf: (side, path) => (side === 'old' ? old : fresh).get(path)?.text ?? null,
      pathNow,
      at: now,
    })
    await store.append(keys.repository, events)
    return []
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [`the findings could not be added to the ledger: ${error.message}`]
  }
}
