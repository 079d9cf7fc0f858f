/** Ties reviews to the ledger: what a review must know of it, and what it adds. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { type Config, defaultConfig } from '../config/schema.ts'
import type { MemorySettings } from '../config/settings/schema.ts'
import { pathAfterRenames, pathOn } from '../domain/change-set.ts'
import type { EarlierReview } from '../domain/earlier-review.ts'
import type { Journal } from '../domain/journal.ts'
import type { EarlierChange, MemoryView } from '../domain/memory.ts'
import { Review } from '../domain/review.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import type { EventOf, LedgerEvent, LedgerStore } from '../ledger/contract.ts'
import { foldLedger } from '../ledger/fold.ts'
import { followReview, type LedgerKeys, ledgerKeys, reported } from '../ledger/follow.ts'
import { readTeamFile, teamFile } from '../ledger/ignores.ts'
import { emptyView, LedgerView, viewOf } from '../ledger/settle.ts'
import { earlierChangesBy, isLeftOut } from '../memory/earlier-changes.ts'
import { readLeftOut, readMemory } from '../memory/read-memory.ts'
import { readChangeSet } from '../pipeline/diff/read-change-set.ts'
import type { RunStore } from '../storage/runs/contract.ts'
import { findRun, readReview } from '../storage/runs/stored-run.ts'
import { runRecorded } from './run-recorded.ts'

export async function keysOf(
  change: Pick<CollectedChange, 'request' | 'repositoryLabel' | 'branch'>,
): Promise<LedgerKeys> {
  return ledgerKeys(change.request, change.repositoryLabel, (await change.branch?.()) ?? null)
}

export type ViewInput = {
  journal: Journal | null
  ledger: LedgerStore
  /** Where earlier reviews are. */
  runs: RunStore
  change: CollectedChange
  settings: MemorySettings
  now: () => Date
}

/** As it is now, on record for a replay. A ledger that cannot be read leaves findings as they are, and the review says so. */
export async function readLedgerView({ journal, ...input }: ViewInput): Promise<LedgerView> {
  const { change } = input
  const work = async () => await readNow(input)
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

async function readNow(input: Omit<ViewInput, 'journal'>): Promise<LedgerView> {
  const { ledger: store, runs, change, now } = input
  const { entries: team, problem } = readTeamFile((await change.base.read(teamFile))?.text ?? null)
  const memory = await readMemory(change.base, now())
  const remarks = [...(problem === null ? [] : [problem]), ...memoryRemarks(memory)]
  try {
    const keys = await keysOf(change)
    const { events, damage } = await store.read(keys.repository)
    const ledger = foldLedger(events)
    const reviewed = ledger.reviewed.get(keys.change)
    const earlier = reviewed ? await earlierReview(reviewed, runs) : null
    const damaged = damage === null ? [] : [`part of the ledger of findings cannot be read: ${damage}`]
    const { developer, fault } = await readDeveloper(input, events, keys.change)
    return {
      ...viewOf(ledger, keys.change),
      earlier,
      team,
      memory,
      developer,
      remarks: [...remarks, ...damaged, ...fault],
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return {
      ...emptyView,
      team,
      memory,
      remarks: [...remarks, `findings that were dismissed are shown: ${error.message}`],
    }
  }
}

const mostRemarks = 10

/** What of the memory has no effect although it is there; what people proposed or retired needs no word. */
function memoryRemarks({ notes, faults }: MemoryView): string[] {
  const idle = notes.flatMap(({ path, state, expires }) => {
    if (state === 'expired') return [`${path} expired on ${expires}; it had no effect.`]
    if (state === 'untested')
      return [
        `${path} had no effect: it was edited after its back-test, or never had one. Run \`sightline memory accept\`.`,
      ]
    return []
  })
  const all = [...faults.map((fault) => `${fault} The note had no effect.`), ...idle]
  const left = all.length - mostRemarks
  return left > 0
    ? [...all.slice(0, mostRemarks), `and ${left} more remarks about notes; see \`sightline memory list\``]
    : all
}

/** As many as other readers of history ask for, so that history is read once. */
const commitsRead = 2_000

async function readDeveloper(
  { change, settings }: Omit<ViewInput, 'journal'>,
  events: readonly LedgerEvent[],
  own: string,
): Promise<{ developer: EarlierChange[]; fault: string[] }> {
  const { author } = change.request
  const nothing = { developer: [], fault: [] }
  if (!settings.developers || author === null || events.length === 0) return nothing
  const { people, fault } = await readLeftOut(change.base)
  if (fault !== null) return { developer: [], fault: [fault] }
  if (isLeftOut(author, [...people, ...settings.withoutDevelopers])) return nothing
  const { commits } = await change.history.recent(commitsRead)
  const { files } = await readChangeSet(await change.diff(), { ...defaultConfig.paths, base: change.base })
  const paths = files.map((file) => pathOn('old', file))
  return { developer: earlierChangesBy({ author, commits, events, paths, change: own }), fault: [] }
}

/** Null where the run is no longer on record: everything is then asked again. */
async function earlierReview(
  { run, head, bundle, basis, files }: EventOf<'reviewed'>,
  runs: RunStore,
): Promise<EarlierReview | null> {
  if (run === null) return null
  try {
    const review = Review.parse(JSON.parse(await readReview((await findRun(runs, run)).run)))
    const { verdicts, evidence, refutations = [], contests = [], dismissed = [], coverage } = review
    const found = new Map(dismissed.map(({ finding }) => [finding.id, finding]))
    return {
      head,
      isPartial: coverage.earlier !== undefined,
      restsOn: { bundle, basis, files },
      verdicts: verdicts.map((one) => ({
        ...one,
        finding: one.finding ?? found.get(one.candidate.id) ?? null,
      })),
      evidence,
      refutations,
      contests,
    }
  } catch (error) {
    if (error instanceof UserError || error instanceof z.ZodError || error instanceof SyntaxError) return null
    throw error
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
    const pathNow = pathAfterRenames(files)
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
