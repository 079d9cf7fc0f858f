/**
 * The publication plan: from a review, and from what of ours is on the change request now, the writes that lead to the
 * state in which every open finding is shown once, every fixed one is closed, and what people deleted or resolved stays
 * so. Pure: the same input gives the same plan, and a plan of a state that needs nothing is empty. So a publication that
 * was interrupted anywhere is completed by planning again.
 */
import { type ChangeSet, pathAfterRenames } from '../../../domain/change-set.ts'
import { concludeAgain } from '../../../domain/conclusion.ts'
import { type Finding, hasFinding } from '../../../domain/finding.ts'
import type { Review } from '../../../domain/review.ts'
import { isAtLeast, type Severity, severityRank } from '../../../domain/severity.ts'
import type {
  PlannedCheck,
  PlannedClosing,
  PlannedOverview,
  PlannedReview,
  PublishedState,
} from '../../../hosts/remote/contract.ts'
import { type Counted, countStates } from '../../../ledger/counts.ts'
import { whyGone } from '../../../ledger/gone.ts'
import { openPlaces } from '../../../ledger/locate.ts'
import { matchRecords } from '../../../ledger/match.ts'
import { recordsOf } from '../../../ledger/record.ts'
import { selectFindings } from '../selection.ts'
import type { Tally } from './bodies.ts'
import { type KnownFinding, knownFindings, wasClosedNow } from './known-findings.ts'
import { type MarkerScope, readMarker } from './marker.ts'
import { placeComment, shownFiles } from './placement.ts'
import {
  checkOf,
  closingOf,
  findOverview,
  overviewOf,
  type PlacedRow,
  type Row,
  reviewOf,
  type WritesInput,
} from './planned-writes.ts'

export type PlanInput = WritesInput & {
  change: ChangeSet
  /** Text of a file at the head (`new`) or base; null when there is none. Only for paths of `pathsToRead`. */
  textOf: (side: 'old' | 'new', path: string) => string | null
  /** Threads of ours that are open at the same time; more only for findings that are more severe than open ones. */
  maxInline: number
  /** The host refused the places: everything goes into the body. */
  withoutPlaces: boolean
  /** `findings`: once there is one; null where this token may not write it. */
  overview: 'always' | 'findings' | 'never' | null
  /** What the ledger says of the findings of this change request after this review; null where there is none. */
  counted?: readonly Counted[] | null
}

export type PublicationPlan = {
  overview: PlannedOverview | null
  review: PlannedReview | null
  closings: PlannedClosing[]
  check: PlannedCheck | null
  tally: Tally
  /** Records of findings that people settled on the host: they resolved or deleted the comment, and the code is still there. */
  settled: string[]
}

/** Files whose text the plan needs. */
export function pathsToRead(
  state: PublishedState,
  scope: MarkerScope,
  { findings }: Pick<Review, 'findings'>,
): string[] {
  const known = knownFindings(state, scope).map(({ record }) => record.path)
  return [...new Set([...known, ...findings.map(({ anchor }) => anchor.path)])]
}

export function planPublication(given: PlanInput): PublicationPlan {
  const { change, state, abilities, scope, maxInline } = given
  const found = [...given.review.findings, ...hiddenFindings(given.review)]
  const known = knownFindings(state, scope)
  const pathNow = pathAfterRenames(change.files)
  const { lineNow, isTakenOut } = openPlaces(given.textOf, pathNow)
  const records = recordsOf(given.review.findings, given.textOf)
  const dismissed = (given.review.dismissed ?? []).map(({ finding }) => finding)
  const unshown = recordsOf([...dismissed, ...hiddenFindings(given.review)], given.textOf).map((record) => ({
    ...record,
    id: `${record.id}-9999`,
  }))
  const fates = new Map(known.map(({ record, fate }) => [record, fate]))
  const matched = matchRecords({
    // Closed ones that are found again are new: their comment is about code that is no longer there.
    earlier: known.flatMap(({ record, fate }) => (fate === 'closed' ? [] : [record])),
    now: [...records, ...unshown],
    lineNow,
    isTakenOut,
    isSettled: (record) => fates.get(record) === 'dismissed',
    isOpen: (record) => fates.get(record) === 'open',
    pathNow,
  })
  const fateOf = new Map(known.map((one) => [matched.get(one.record.id), one]))
  const rows = given.review.findings.flatMap((finding, at) => {
    const record = records[at]
    return record ? [{ finding, record, earlier: fateOf.get(record.id) ?? null }] : []
  })
  const input = { ...given, review: withoutSettled(given.review, rows) }
  const { review } = input
  const left = {
    ...{ review, pathNow, lineNow, isPartial: isBeyond(change) },
    isChanged: (path: string) => change.files.some((file) => file.path === path || file.oldPath === path),
  }
  const isFixed = ({ record }: KnownFinding) => !matched.has(record.id) && whyGone(record, left) !== null
  const fixed = known.filter((one) => one.fate === 'open' && isFixed(one))
  const byHand = known.filter(({ fate }) => fate === 'dismissed')
  // Resolved with the fix, as people do.
  const fixedByHand = byHand.filter(isFixed)
  const settledByHand = byHand.filter((one) => !fixedByHand.includes(one))
  const answered = known.filter((one) => wasClosedNow(one, input))
  const unresolved = answered.filter(({ thread }) => thread?.isResolved === false)
  // Dismissed elsewhere: with the command, by a comment beside the code, or in the file of the team.
  const dismissals = new Set(unshown.slice(0, dismissed.length).map(({ id }) => id))
  const settled = known.filter(
    ({ fate, record }) => fate === 'open' && dismissals.has(matched.get(record.id) ?? ''),
  )
  const closings = [
    ...[...fixed, ...unresolved].flatMap((one) => closingOf(one, input)),
    ...settled.flatMap(({ thread }) => (thread ? [{ thread: thread.id, reply: null }] : [])),
  ].filter(({ reply }) => abilities.resolve || reply !== null)
  const open = known.filter((one) => one.fate === 'open' && !fixed.includes(one) && !settled.includes(one))
  const fresh = rows.filter(({ earlier }) => earlier === null)
  const matchedRows = new Map(
    rows.flatMap(({ finding, earlier }) => (earlier ? [[earlier, finding] as const] : [])),
  )
  // One that was not found again may be anything; most of what is posted is medium.
  const openSeverities = open.map((one) => matchedRows.get(one)?.severity ?? 'medium')
  const inline = withinRoom(placeNew(input, rows, new Set(fresh)), maxInline, openSeverities)
  const onLines = new Set(inline.map(({ finding }) => finding))
  const isListed = (row: Row) =>
    row.earlier?.fate !== 'dismissed' && row.earlier?.fate !== 'open' && !onLines.has(row.finding)
  const listed = rows.filter(isListed)
  // What is new and on no line is said in the review, once. Where a check has a page, that is reason enough for a review of
  // its own only if it is not minor.
  const untold = listed.filter(({ earlier }) => earlier?.fate !== 'listed')
  const hasPage = abilities.check === 'run' && !input.withoutPlaces
  const earlier = given.overview === null ? null : findOverview(state, scope)
  const hasOverview = earlier !== null || isFirst(input, known, rows)
  const isTold = !hasOverview && (!hasPage || inline.length > 0 || untold.some(isSerious))
  const told = isTold ? untold : []
  const unfound = open.filter((one) => one.thread !== null && !matchedRows.has(one))
  // What was closed and is found again is open, before and after it gets its new comment.
  const isBack = new Set(records.map(({ id }) => id))
  const shown: Shown = {
    reviewed: {
      open: review.findings.filter(({ preExisting }) => !preExisting).length,
      dismissed: dismissed.length,
    },
    unfound: {
      open: unfound,
      fixed: [
        ...fixed,
        ...fixedByHand,
        ...known.filter(({ fate, record }) => fate === 'closed' && !isBack.has(record.id)),
      ],
      dismissed: settledByHand.filter(({ record }) => !dismissals.has(matched.get(record.id) ?? '')),
    },
    settled: new Set(settledByHand.map(({ record }) => record.id)),
  }
  const tally: Tally = {
    ...tallyOf(shown, given.counted ?? null),
    ...{ posted: inline.length, listed: listed.length },
  }
  return {
    overview: hasOverview
      ? overviewOf(
          input,
          earlier,
          rows.filter(({ earlier }) => earlier?.fate !== 'dismissed'),
          listed,
          tally,
        )
      : null,
    review: reviewOf(input, inline, told, tally, hasOverview),
    closings,
    check: checkOf(
      { ...input, found },
      rows.filter((row) => isListed(row) || isOutOfSight(row)),
      open,
      tally,
    ),
    tally,
    settled: settledByHand.map(({ record }) => record.id),
  }
}

type Shown = {
  /** What this review found. */
  reviewed: { open: number; dismissed: number }
  /** What the host has of earlier ones besides. */
  unfound: Record<Counted['state'], KnownFinding[]>
  /** Ids of records that people resolved or deleted. */
  settled: ReadonlySet<string>
}

/** The ledger's word counts, and the host's on what people did there. Of a ledger that was lost, the host knows the rest. */
function tallyOf({ reviewed, unfound, settled }: Shown, counted: readonly Counted[] | null) {
  const { open, fixed, dismissed } = unfound
  if (counted === null)
    return {
      open: reviewed.open + open.length,
      fixed: fixed.length,
      dismissed: reviewed.dismissed + dismissed.length,
    }
  const names = new Set(counted.flatMap((one) => one.names))
  const others = (['open', 'fixed', 'dismissed'] as const).flatMap((state) =>
    unfound[state].flatMap(({ record }) => (names.has(record.id) ? [] : [state])),
  )
  const own = counted.map(({ names, state }) =>
    state === 'open' && names.some((name) => settled.has(name)) ? 'dismissed' : state,
  )
  return countStates([...own, ...others])
}

/** Only where nothing of ours is there: one that people deleted does not come back. */
function isFirst(
  { overview, state, scope }: PlanInput,
  known: readonly KnownFinding[],
  rows: readonly Row[],
): boolean {
  if (overview === null || overview === 'never' || (overview === 'findings' && rows.length === 0))
    return false
  return known.length === 0 && state.bodies.every((body) => readMarker(body, scope) === null)
}

/** What people resolved or deleted is no longer of the review that people read: neither of its words nor of its counts. */
function withoutSettled(review: Review, rows: readonly Row[]): Review {
  const settled = new Set(
    rows.flatMap(({ finding, earlier }) => (earlier?.fate === 'dismissed' ? [finding] : [])),
  )
  if (settled.size === 0) return review
  const findings = review.findings.filter((finding) => !settled.has(finding))
  return { ...review, findings, conclusion: concludeAgain(review, findings) }
}

/** Findings that a filter keeps out of sight are found all the same. */
function hiddenFindings({ hidden = [], verdicts }: Review): Finding[] {
  const ids = new Set(hidden.map(({ id }) => id))
  return verdicts.filter(hasFinding).flatMap(({ finding }) => (ids.has(finding.id) ? [finding] : []))
}

/** Files that were not even listed may be among those of the change. */
function isBeyond({ overflow, unlisted }: ChangeSet): boolean {
  return overflow.length > 0 || unlisted !== undefined
}

/**
 * New comments on lines, most important first; what has no place, and what is minor, is listed instead. The choice is made
 * among all findings, so that it is the same when some of them are posted already.
 */
function placeNew(input: PlanInput, rows: readonly Row[], fresh: ReadonlySet<Row>): PlacedRow[] {
  if (input.withoutPlaces) return []
  const shown = shownFiles(input.change, input.abilities)
  const placed = rows.flatMap((row) => {
    const placement =
      row.earlier?.fate === 'dismissed' ? null : placeComment(row.finding, shown, input.abilities)
    return placement ? [{ row, placement }] : []
  })
  const findings = placed.map(({ row }) => row.finding)
  const { full } = selectFindings({ ...input.review, findings }, { maxInline: input.maxInline }).fresh
  return placed
    .filter(({ row }) => fresh.has(row) && full.includes(row.finding))
    .map(({ row, placement }) => ({ ...row, placement }))
}

/**
 * Threads that are open leave so much less room. One that is more severe than an open one is shown all the same: for each
 * open thread one, so that old threads cannot keep a critical finding off its line.
 */
function withinRoom(
  placed: readonly PlacedRow[],
  most: number,
  openSeverities: readonly Severity[],
): PlacedRow[] {
  // The least severe last.
  const open = openSeverities.toSorted((a, b) => severityRank(a) - severityRank(b))
  let room = Math.max(0, most - open.length)
  return placed.filter(({ finding: { severity } }) => {
    if (room > 0) return room-- > 0
    const last = open.at(-1)
    if (last === undefined || severityRank(severity) >= severityRank(last)) return false
    open.pop()
    return true
  })
}

function isSerious({ finding: { severity, preExisting } }: Row): boolean {
  return !preExisting && isAtLeast(severity, 'medium')
}

/** Still there, but where the host shows it no longer. */
function isOutOfSight({ earlier }: Row): boolean {
  return earlier?.fate === 'open' && earlier.thread?.line === null
}
