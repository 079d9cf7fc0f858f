/**
 * Brings a change request into the planned state: reads what is there, plans, writes, and after any unclear end reads and
 * plans again. The check comes last and seals the publication, so whatever interrupts it, the next attempt completes it.
 */
import { UserError } from '../../../base/errors.ts'
import type { ReviewRequest } from '../../../domain/review-request.ts'
import {
  AnchorsRefused,
  type ChangeWriter,
  type PublishedState,
  WriteUnclear,
} from '../../../hosts/remote/contract.ts'
import type { Tally } from './bodies.ts'
import { type PlanInput, type PublicationPlan, planPublication } from './plan.ts'

export type DeliverOptions = Omit<
  PlanInput,
  'state' | 'abilities' | 'withoutPlaces' | 'textOf' | 'scope' | 'overview' | 'remarks'
> & {
  writer: ChangeWriter
  /** An earlier attempt of ours may have been killed while it wrote, and have left its lock behind. */
  isAgain?: boolean
  /** Absent leaves the conversation alone. */
  overview?: NonNullable<PlanInput['overview']>
  scope: Omit<PlanInput['scope'], 'repositoryId' | 'me' | 'writers'>
  /** Reads the files that a plan for this state needs. */
  readFiles: (state: PublishedState, scope: PlanInput['scope']) => Promise<PlanInput['textOf']>
  /** Waits before reading again what was written and a host may show only a moment later. */
  pause: (attempt: number) => Promise<void>
  signal: AbortSignal
}

export type Delivery = {
  tally: Tally
  /** As in the plan. */
  settled: string[]
  /** Calls that wrote: reviews, groups of closed threads, checks. */
  writes: number
  /** What could not be done, in words. */
  remarks: string[]
}

const attempts = 5
/** Seconds that whoever holds the lock gets, and one more for some comments; then it was killed. */
const patience = { first: 5, again: 2 }
const commentsInSecond = 5

/**
 * Throws `head-moved` when the host has another head than the review, `change-request-closed`, `host-refused` when a
 * needed right is missing, and `host-unavailable` when the host fails again and again.
 */
export async function deliverReview(options: DeliverOptions): Promise<Delivery> {
  const lock: Lock = { isHeld: false, isOffered: true }
  try {
    return await deliverWith(lock, options)
  } finally {
    // Also when the publication was called off.
    if (lock.isHeld) await options.writer.unlock(AbortSignal.timeout(unlockMs)).catch(() => {})
  }
}

type Lock = { isHeld: boolean; isOffered: boolean }
const unlockMs = 5_000

async function deliverWith(lock: Lock, { writer, readFiles, ...options }: DeliverOptions): Promise<Delivery> {
  const { review, signal } = options
  const remarks = new Set<string>()
  let writes = 0
  let did: Pick<PublicationPlan, 'tally' | 'settled'> | null = null
  let withoutPlaces = false
  let withoutCheck = writer.abilities.check === null
  /** Something was written, or may have been, since the state was read. */
  let isNewer = false
  let overview: PlanInput['overview'] = options.overview ?? 'never'
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (isNewer) await options.pause(attempt)
    isNewer = false
    signal.throwIfAborted()
    const state = await writer.readState(signal)
    refuseOther(state, review.request, options.scope.number)
    const { repositoryId, me, writers } = state
    const scope = { ...options.scope, repositoryId, me, writers }
    const textOf = await readFiles(state, scope)
    const abilities = withoutCheck ? { ...writer.abilities, check: 'status' as const } : writer.abilities
    const planned = { ...options, state, scope, abilities, textOf, withoutPlaces, overview }
    const plannedRemarks = [...remarks]
    const plan = planPublication({ ...planned, remarks: plannedRemarks })
    // The first plan tells what the whole publication did; a later one completes it.
    did ??= plan
    const { tally, settled } = did
    try {
      // What is added could be added twice. What was read before the lock was taken may be old.
      if (isAdding(plan) && lock.isOffered && !lock.isHeld) {
        lock.isOffered = await takeLock(writer, options, secondsFor(plan, options))
        lock.isHeld = lock.isOffered
        if (lock.isHeld) {
          attempt--
          continue
        }
      }
      if (plan.closings.length > 0) {
        const { refused } = await writer.closeThreads(plan.closings, signal)
        if (refused !== null) remarks.add(`some threads could not be resolved: ${refused}`)
        writes++
        isNewer = true
      }
      // Before the comments: only who finds nothing of ours begins one.
      const isStale = remarks.size > plannedRemarks.length
      const page = isStale ? planPublication({ ...planned, remarks: [...remarks] }).overview : plan.overview
      if (page) {
        const { refused } = await writer.putOverview(page, signal)
        if (refused === null) {
          writes++
          isNewer = true
        } else {
          remarks.add(`the overview could not be written: ${refused}`)
          // What it would have said goes into the review.
          overview = null
          continue
        }
      }
      if (plan.review) {
        await writer.postReview(plan.review, signal)
        writes++
        isNewer = true
      }
      if (!plan.check || withoutCheck) return { tally, settled, writes, remarks: [...remarks] }
      const before = writer.abilities.check
      const { refused } = await writer.putCheck(plan.check, signal)
      if (refused === null) return { tally, settled, writes: writes + 1, remarks: [...remarks] }
      remarks.add(`the check could not be written: ${refused}`)
      // What its page would have shown goes into the review; a host that has nothing less is left without a check.
      withoutCheck = before === writer.abilities.check
    } catch (error) {
      if (error instanceof AnchorsRefused && !withoutPlaces) {
        remarks.add('the host refused the place of a comment, so all findings are in the body of the review')
        withoutPlaces = true
      } else if (error instanceof WriteUnclear) isNewer = true
      else throw error
    }
  }
  throw new UserError('host-unavailable', `it failed ${attempts} times in a row while the review was written`)
}

function isAdding({ overview, review, closings }: PublicationPlan): boolean {
  return review !== null || overview?.id === null || closings.some(({ reply }) => reply !== null)
}

function secondsFor(
  { review }: PublicationPlan,
  { isAgain = false }: Pick<DeliverOptions, 'isAgain'>,
): number {
  if (isAgain) return patience.again
  return patience.first + Math.floor((review?.comments.length ?? 0) / commentsInSecond)
}

/** False where the host offers none to this token. Who holds it for too long was killed. */
async function takeLock(
  writer: ChangeWriter,
  { pause, signal }: Pick<DeliverOptions, 'pause' | 'signal'>,
  most: number,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const isTaken = await writer.lock(signal)
    if (isTaken !== false) return isTaken === true
    if (attempt % most === 0) await writer.unlock(signal)
    else await pause(1)
  }
}

/** A review is posted to the change request and the head that it is of. */
function refuseOther(
  { head, state, repositoryId, isPublic }: PublishedState,
  { repository, changeRequest, head: { commit: reviewed } }: ReviewRequest,
  number: number,
): void {
  if (repository?.id !== repositoryId || changeRequest?.number !== number)
    throw new UserError('review-unusable', 'it is not a review of this change request')
  // It may speak of what only members could read: other files, tickets, discussions.
  if (isPublic && repository.visibility !== 'public')
    throw new UserError(
      'host-refused',
      'the repository became public after the change was collected, so nothing was posted; review it again',
    )
  if (state !== 'open') throw new UserError('change-request-closed', `it is ${state}; nothing was posted`)
  if (head === reviewed) return
  throw new UserError(
    'head-moved',
    `it is at ${head.slice(0, 12)} now; the review is of ${reviewed?.slice(0, 12)}`,
  )
}
