/** The writes of a publication in the words of the host: the review with its comments, the check, and answers in threads. */
import { canonicalJson, sha256 } from '../../../base/canonical-json.ts'
import type { Finding } from '../../../domain/finding.ts'
import { type Gate, type GateOverride, makeBlocks } from '../../../domain/gate.ts'
import { type Review, shortfallOf } from '../../../domain/review.ts'
import type {
  PlannedCheck,
  PlannedClosing,
  PlannedOverview,
  PlannedReview,
  PublishedState,
  WriterAbilities,
} from '../../../hosts/remote/contract.ts'
import type { FindingRecord } from '../../../ledger/record.ts'
import type { LinkTo } from '../contract.ts'
import { count } from '../words.ts'
import {
  annotate,
  checkSummary,
  checkTitle,
  closingReply,
  commentBody,
  overviewBody,
  reviewBody,
  type Tally,
} from './bodies.ts'
import type { KnownFinding } from './known-findings.ts'
import { type MarkerScope, readMarker, writeMarker } from './marker.ts'
import type { Placement } from './placement.ts'

export type WritesInput = {
  review: Review
  state: PublishedState
  abilities: WriterAbilities
  scope: MarkerScope
  /** Null when the check only informs. */
  gate: Gate | null
  override?: GateOverride | null
  link?: LinkTo
  /** What the account may not do, in words, besides what the host shows with the state. */
  lacks?: readonly string[]
  /** What could not be done so far, in words. */
  remarks: readonly string[]
}

/** A finding of the review, and what of it is on the host. */
export type Row = { finding: Finding; record: FindingRecord; earlier: KnownFinding | null }
export type PlacedRow = Row & { placement: Placement }

export function closingOf(
  { thread, fate }: KnownFinding,
  { state, scope, review }: WritesInput,
): PlannedClosing[] {
  if (!thread) return []
  const marker = writeMarker({ kind: 'closed', head: state.head }, scope)
  // Answered already, when an earlier attempt ended before it could resolve the thread.
  return [{ thread: thread.id, reply: fate === 'open' ? `${closingReply(review)}\n\n${marker}` : null }]
}

/** The comment of the conversation that is there, and its key. */
export function findOverview(
  { bodies }: PublishedState,
  scope: MarkerScope,
): { id: string; key: string } | null {
  for (const body of bodies) {
    const marker = readMarker(body, scope)
    // Only its author may edit it.
    if (marker?.kind === 'overview' && body.author === scope.me) return { id: body.id, key: marker.key }
  }
  return null
}

/** Null when the one that is there says the same. */
export function overviewOf(
  input: WritesInput,
  found: ReturnType<typeof findOverview>,
  rows: readonly Row[],
  listed: readonly Row[],
  tally: Tally,
): PlannedOverview | null {
  const { review, state, scope, abilities, link } = input
  const { head } = state
  const lacks = lacksOf(input)
  const essence = {
    ...{ head, lacks, headline: review.conclusion.headline, complete: review.coverage.complete },
    ...{ open: tally.open, fixed: tally.fixed, dismissed: tally.dismissed },
    findings: rows.map(({ finding }) => finding.fingerprint),
    listed: listed.map(({ finding }) => finding.fingerprint),
  }
  const key = sha256(canonicalJson(essence)).slice(0, 12)
  if (found?.key === key) return null
  const marker = writeMarker({ kind: 'overview', head, key }, scope)
  const room = abilities.bodyLength - marker.length - 2
  const isListed = new Set(listed)
  const words = overviewBody(review, {
    ...{ tally, lacks, link, room },
    onLines: rows.filter((row) => !isListed.has(row)).map(({ finding }) => finding),
    listed: listed.map(({ finding }) => finding),
  })
  return { id: found?.id ?? null, body: `${words}\n\n${marker}` }
}

function lacksOf({ state, lacks = [], remarks }: WritesInput): string[] {
  return [...new Set([...state.lacks, ...lacks, ...remarks])]
}

/** `isOnLines`: the overview has the rest. Null when it would say nothing. */
export function reviewOf(
  input: WritesInput,
  inline: readonly PlacedRow[],
  listed: readonly Row[],
  tally: Tally,
  isOnLines: boolean,
): PlannedReview | null {
  if (inline.length === 0 && listed.length === 0) return null
  const { review, state, scope, abilities, link } = input
  const { head } = state
  const { marker, told } = reviewMarker(input, inline, listed)
  const room = abilities.bodyLength - marker.length - 2
  const words = isOnLines
    ? `On lines of the change: ${count(inline.length, 'new finding')}.`
    : reviewBody(review, {
        ...{ tally, link, room, told, lacks: lacksOf(input) },
        listed: listed.map(({ finding }) => finding),
      })
  return {
    head,
    base: review.request.base.commit ?? '',
    body: `${words}\n\n${marker}`,
    comments: inline.map(({ finding, record, placement }) => {
      const { isCommittable, linesAbove, ...place } = placement
      const signed = writeMarker({ kind: 'finding', head, record }, scope)
      const body = commentBody(review, finding, {
        fence: isCommittable ? fenceOf(abilities, linesAbove) : null,
        link,
        room: abilities.bodyLength - signed.length - 2,
      })
      return { ...place, body: `${body}\n\n${signed}` }
    }),
  }
}

const mostRecorded = 100

/**
 * In half of what a body has room for. `told`: of the listed findings, how many it has; the others are listed after another push.
 * Those on lines come first, although each has a marker in its comment: by this one it is known that people deleted a comment.
 */
function reviewMarker(
  { state: { head }, scope, abilities }: WritesInput,
  inline: readonly Row[],
  listed: readonly Row[],
): { marker: string; told: number } {
  const records = [...inline, ...listed.slice(0, mostRecorded)].map(({ record }) => record)
  for (let most = records.length; ; most--) {
    const [kept, at] = [records.slice(0, most), inline.length]
    const marker = writeMarker(
      { kind: 'review', head, inline: kept.slice(0, at), listed: kept.slice(at) },
      scope,
    )
    if (most === 0 || marker.length <= abilities.bodyLength / 2)
      return { marker, told: Math.max(0, most - at) }
  }
}

function fenceOf({ suggestions }: WriterAbilities, linesAbove: number): string | null {
  return suggestions === 'counted' ? `suggestion:-${linesAbove}+0` : suggestions && 'suggestion'
}

/** `found`: all findings, with those that are hidden or that people settled. */
export type CheckInput = WritesInput & { found: readonly Finding[] }

/** Null when a check that says the same is there already. */
export function checkOf(
  input: CheckInput,
  listed: readonly Row[],
  open: readonly KnownFinding[],
  tally: Tally,
): PlannedCheck | null {
  const { review, state, abilities, gate, link } = input
  const { head } = state
  const { conclusion, words } = judgeCheck(input)
  const urls = open.flatMap(({ thread }) => (thread?.url ? [thread.url] : []))
  const annotations = annotate(
    listed.map(({ finding }) => finding),
    gate,
  )
  const content = {
    title: checkTitle(review, tally, words),
    summary: checkSummary(review, { tally, urls, gate: words, link, room: abilities.bodyLength }),
    annotations,
  }
  // What a repetition changes, times and cost, is no reason to write again.
  const essence = {
    head,
    conclusion,
    title: content.title,
    annotations,
    findings: review.findings.map(({ fingerprint }) => fingerprint),
  }
  const key = sha256(canonicalJson(essence)).slice(0, 12)
  return state.check?.key === key ? null : { head, key, conclusion, ...content }
}

/**
 * An incomplete review is never green, and never opens a gate. What people resolved or deleted by hand blocks all the same:
 * nobody knows who it was and why; a command says both.
 */
function judgeCheck({ review, found, gate, override }: CheckInput): {
  conclusion: PlannedCheck['conclusion']
  /** For people; empty where there is nothing to say. */
  words: string
} {
  const isComplete = shortfallOf(review) === null
  const isClean = found.every(({ preExisting }) => preExisting)
  if (gate === null) return { conclusion: isClean && isComplete ? 'success' : 'neutral', words: '' }
  if (override) return { conclusion: 'success', words: `opened by ${override.by}: ${override.because}` }
  const blocking = found.filter(makeBlocks(gate)).length
  if (blocking > 0)
    return {
      conclusion: 'failure',
      words: blocking === 1 ? 'one of them blocks' : `${blocking} of them block`,
    }
  if (isComplete) return { conclusion: 'success', words: '' }
  return gate.failOn === 'never'
    ? { conclusion: 'neutral', words: '' }
    : { conclusion: 'failure', words: 'blocked, because the review is not whole' }
}
