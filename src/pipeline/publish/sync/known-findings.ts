/**
 * What was published before: the findings in the markers of our reviews and comments, each with its thread and what
 * people or we did with it. The markers are all that a publication remembers.
 */
import type { OwnThread, PublishedState } from '../../../hosts/remote/contract.ts'
import type { FindingRecord } from '../../../ledger/record.ts'
import { type Marker, type MarkerScope, readMarker } from './marker.ts'

/** An earlier finding, with what became of its comment. */
export type KnownFinding = {
  record: FindingRecord
  thread: OwnThread | null
  fate: 'open' | 'closed' | 'dismissed' | 'listed'
}

/** Everything that was published, each finding once: an open thread counts before others, then the last that was posted. */
export function knownFindings(state: PublishedState, scope: MarkerScope): KnownFinding[] {
  const known = new Map<string, KnownFinding>()
  const threads: MarkedThread[] = state.threads.map((thread) => ({
    thread,
    marker: readMarker(thread, scope),
  }))
  // Somebody edited the comment, and the marker went with it.
  const unmarked = new Set(
    threads.flatMap(({ thread, marker }) => (marker || thread.author !== scope.me ? [] : [thread])),
  )
  for (const body of state.bodies) {
    const marker = readMarker(body, scope)
    if (marker?.kind !== 'review') continue
    for (const record of marker.listed) known.set(record.id, { record, thread: null, fate: 'listed' })
    for (const [record, thread] of threadsOf(marker, threads, unmarked))
      known.set(record.id, { record, thread, fate: thread ? fateOf(thread, scope) : 'dismissed' })
  }
  for (const { thread, marker } of threads) {
    if (marker?.kind !== 'finding') continue
    const { record } = marker
    const fate = fateOf(thread, scope)
    // The body that lists it may be gone.
    if (fate === 'open' || !known.has(record.id)) known.set(record.id, { record, thread, fate })
  }
  return [...known.values()]
}

type MarkedThread = { thread: OwnThread; marker: Marker | null }

/** The comments of one review: by their markers, then, the nearest first, by their places. Those leave `unmarked`. */
function threadsOf(
  { head, inline }: Extract<Marker, { kind: 'review' }>,
  threads: readonly MarkedThread[],
  unmarked: Set<OwnThread>,
): Map<FindingRecord, OwnThread | null> {
  const found = new Map<FindingRecord, OwnThread | null>(
    inline.map((record) => {
      const own = threads.find(
        ({ marker }) => marker?.kind === 'finding' && marker.head === head && marker.record.id === record.id,
      )
      return [record, own?.thread ?? null]
    }),
  )
  const pairs = inline
    .filter((record) => found.get(record) === null)
    .flatMap((record) =>
      [...unmarked].flatMap((thread) => {
        const distance = distanceOf(record, head, thread)
        return distance <= placeTolerance ? [{ record, thread, distance }] : []
      }),
    )
    .sort((a, b) => a.distance - b.distance)
  for (const { record, thread } of pairs)
    if (found.get(record) === null && unmarked.delete(thread)) found.set(record, thread)
  return found
}

/** Lines; a host may show a comment of several lines on another one of them. */
const placeTolerance = 5

function distanceOf(record: FindingRecord, head: string, { path, posted }: OwnThread): number {
  const isThere = posted?.commit === head && posted.side === record.side && path === record.path
  return isThere ? Math.abs(posted.line - record.line) : Number.POSITIVE_INFINITY
}

/** What we answered as fixed is closed even where the token may not resolve it. */
function fateOf({ isResolved, replies }: OwnThread, scope: MarkerScope): KnownFinding['fate'] {
  if (closedAt(replies, scope) !== null) return 'closed'
  return isResolved ? 'dismissed' : 'open'
}

/** The head at which we closed it; null when we did not. */
function closedAt(replies: OwnThread['replies'], scope: MarkerScope): string | null {
  const own = replies.map((reply) => readMarker(reply, scope))
  const last = own.findLast((marker) => marker?.kind === 'closed')
  return last?.head ?? null
}

/** By an earlier attempt at this very head. */
export function wasClosedNow(
  { thread, fate }: KnownFinding,
  { state, scope }: { state: PublishedState; scope: MarkerScope },
): boolean {
  return fate === 'closed' && thread !== null && closedAt(thread.replies, scope) === state.head
}
