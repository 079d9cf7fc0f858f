/** Tries a note on the reviews that are on record: each is gone through again with the note and without it. */
import { UserError } from '../base/errors.ts'
import { matchGlobs } from '../base/globs.ts'
import type { Finding } from '../domain/finding.ts'
import type { MemoryNote, NoteTest } from '../domain/memory.ts'
import type { Review } from '../domain/review.ts'
import { compareFindings } from '../ledger/compare.ts'
import { findByName, type Ledger } from '../ledger/fold.ts'
import { ledgerKeys, reported } from '../ledger/follow.ts'
import { outcomeOf } from '../ledger/outcomes.ts'
import { recordsOf } from '../ledger/record.ts'
import {
  judgeTest,
  type TestedFinding,
  type TestFigures,
  type TestVerdict,
  tallyOf,
} from '../memory/judge-test.ts'
import { digestOf } from '../memory/note-file.ts'
import { dayOf } from '../memory/read-memory.ts'
import type { RunStore } from '../storage/runs/contract.ts'
import { openStoredRun } from '../storage/runs/stored-run.ts'
import { recordedReview } from './recorded-reviews.ts'

export type ReviewOnRecord = { run: string; review: Review }

/** Goes through a run again with another note, or without the one at `path`; asks the models again only if told to. */
export type ReplayWithNote = (
  run: string,
  memory: { path: string; note: MemoryNote | null },
  asksModels: boolean,
) => Promise<Review>

export type BackTest = TestFigures & {
  note: MemoryNote
  verdict: TestVerdict
  /** For the front matter of the note. */
  tested: NoteTest
  /** Why reviews could not be gone through again. */
  unusable: string[]
}

export type BackTestInput = {
  note: MemoryNote
  ledger: Ledger
  /** Of this repository; see `reviewsOnRecord`. */
  reviews: readonly ReviewOnRecord[]
  replay: ReplayWithNote
  asksModels: boolean
  now: Date
}

export async function backTest(input: BackTestInput): Promise<BackTest> {
  const { note, ledger, replay, asksModels, now } = input
  const active: MemoryNote = { ...note, state: 'active' }
  const reviews = firstOfEach(input.reviews)
  const tested = new Map<string, TestedFinding>()
  const unusable: string[] = []
  let replayed = 0
  for (const { run } of reviews.filter((one) => couldMatter(note, one.review, asksModels))) {
    try {
      const before = await replay(run, { path: note.path, note: null }, false)
      const after = await replay(run, { path: note.path, note: active }, asksModels && note.effect === null)
      replayed++
      // A finding that several reviews had counts once.
      for (const [key, finding] of changedFindings(before, after, run, ledger))
        tested.set(key, tested.get(key) ?? finding)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      unusable.push(`${run}: ${error.message}`)
    }
  }
  const findings = [...tested.values()]
  const figures = { runs: reviews.length, replayed, askedModels: asksModels, findings }
  const of = (kind: TestedFinding['kind']) => findings.filter((one) => one.kind === kind)
  return {
    ...figures,
    note,
    unusable,
    verdict: judgeTest(note, figures),
    tested: {
      runs: reviews.length,
      on: dayOf(now),
      of: digestOf(note),
      dismissed: tallyOf(of('dismissed')),
      lowered: tallyOf(of('lowered')),
      added: of('added').length,
    },
  }
}

/** A change that was reviewed again and again would count again and again: its first review is what people decided about. */
function firstOfEach(reviews: readonly ReviewOnRecord[]): ReviewOnRecord[] {
  const first = new Map<string, ReviewOnRecord>()
  for (const one of reviews.toSorted((a, b) => (a.run < b.run ? -1 : 1))) {
    const { base, head } = one.review.request
    const key = `${base.tree} ${head.tree}`
    if (!first.has(key)) first.set(key, one)
  }
  return [...first.values()]
}

/** A note about findings of a rule changes nothing where there are none; a fact, nothing that models did not read. */
function couldMatter({ effect, scope, paths }: MemoryNote, review: Review, asksModels: boolean): boolean {
  const matches = scope === 'paths' ? matchGlobs(paths) : () => true
  if (effect) return reported(review).some(({ rule, anchor }) => rule === effect.rule && matches(anchor.path))
  const isRead = review.depth === 'standard' || review.depth === 'deep'
  return asksModels && isRead && review.files.some(({ path }) => matches(path))
}

function changedFindings(
  before: Review,
  after: Review,
  run: string,
  ledger: Ledger,
): [string, TestedFinding][] {
  const old = reported(before)
  const ids = new Map(recordsOf(old).map(({ id }, at) => [old[at]?.id, id]))
  const outcomeIn = (finding: Finding | undefined) => {
    const [known] = findByName(ledger, ids.get(finding?.id) ?? '')
    return { key: known?.id ?? null, outcome: (known && outcomeOf(ledger, known)) ?? ('undecided' as const) }
  }
  return compareFindings(old, reported(after)).findings.flatMap((pair): [string, TestedFinding][] => {
    const kind =
      pair.kind === 'lost'
        ? 'dismissed'
        : pair.kind === 'severity-changed'
          ? 'lowered'
          : pair.kind === 'new'
            ? 'added'
            : null
    const brief = pair.before ?? pair.after
    if (kind === null || brief === null) return []
    const { rule, severity, path, startLine: line, title } = brief
    const { key, outcome } = outcomeIn(pair.before ? old.find(({ id }) => id === brief.id) : undefined)
    return [[key ?? `${run} ${brief.id}`, { kind, outcome, run, rule, severity, path, line, title }]]
  })
}

/** Reviews of one repository, the newest first; runs that cannot be read are left out. */
export async function reviewsOnRecord(
  store: RunStore,
  repository: string,
  most: number,
): Promise<ReviewOnRecord[]> {
  const found: ReviewOnRecord[] = []
  for (const run of await store.names()) {
    if (found.length >= most) break
    const review = await reviewOf(store, run, repository)
    if (review) found.push({ run, review })
  }
  return found
}

async function reviewOf(store: RunStore, name: string, repository: string): Promise<Review | null> {
  try {
    const run = await openStoredRun(store, name)
    const { header, entries } = run
    if (header.options.ask !== undefined || !entries.some(({ type }) => type === 'end')) return null
    const review = await recordedReview(run)
    return ledgerKeys(review.request, header.repository, null).repository === repository ? review : null
  } catch (error) {
    if (error instanceof UserError || error instanceof SyntaxError) return null
    throw error
  }
}
