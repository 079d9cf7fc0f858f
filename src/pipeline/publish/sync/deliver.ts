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
import { type PlanInput, planPublication } from './plan.ts'

export type DeliverOptions = Omit<PlanInput, 'state' | 'abilities' | 'withoutPlaces' | 'textOf' | 'scope'> & {
  writer: ChangeWriter
  scope: Omit<PlanInput['scope'], 'repositoryId' | 'me'>
  /** Reads the files that a plan for this state needs. */
  readFiles: (state: PublishedState, scope: PlanInput['scope']) => Promise<PlanInput['textOf']>
  /** Waits before reading again what a host may show only a moment later. */
  pause: (attempt: number) => Promise<void>
  signal: AbortSignal
}

export type Delivery = {
  tally: Tally
  /** Calls that wrote: reviews, groups of closed threads, checks. */
  writes: number
  /** What could not be done, in words. */
  remarks: string[]
}

const attempts = 5

/**
 * Throws `head-moved` when the host has another head than the review, `change-request-closed`, `host-refused` when a
 * needed right is missing, and `host-unavailable` when the host fails again and again.
 */
export async function deliverReview({ writer, readFiles, ...options }: DeliverOptions): Promise<Delivery> {
  const { review, signal } = options
  const remarks = new Set<string>()
  let writes = 0
  let tally: Tally | null = null
  let withoutPlaces = false
  let withoutCheck = false
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await options.pause(attempt)
    signal.throwIfAborted()
    const state = await writer.readState(signal)
    refuseOther(state, review.request, options.scope.number)
    const scope = { ...options.scope, repositoryId: state.repositoryId, me: state.me }
    const textOf = await readFiles(state, scope)
    const abilities = withoutCheck ? { ...writer.abilities, check: 'status' as const } : writer.abilities
    const plan = planPublication({ ...options, state, scope, abilities, textOf, withoutPlaces })
    // The first plan tells what the whole publication did; a later one completes it.
    tally ??= plan.tally
    try {
      if (plan.review) {
        await writer.postReview(plan.review, signal)
        writes++
      }
      if (plan.closings.length > 0) {
        const { refused } = await writer.closeThreads(plan.closings, signal)
        if (refused !== null) remarks.add(`some threads were answered, and not resolved: ${refused}`)
        writes++
      }
      if (!plan.check || withoutCheck) return { tally, writes, remarks: [...remarks] }
      const before = writer.abilities.check
      const { refused } = await writer.putCheck(plan.check, signal)
      if (refused === null) return { tally, writes: writes + 1, remarks: [...remarks] }
      remarks.add(`the check could not be written: ${refused}`)
      // What its page would have shown goes into the review; a host that has nothing less is left without a check.
      withoutCheck = before === writer.abilities.check
    } catch (error) {
      if (error instanceof AnchorsRefused && !withoutPlaces) {
        remarks.add('the host refused the place of a comment, so all findings are in the body of the review')
        withoutPlaces = true
      } else if (!(error instanceof WriteUnclear)) throw error
    }
  }
  throw new UserError('host-unavailable', `it failed ${attempts} times in a row while the review was written`)
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
