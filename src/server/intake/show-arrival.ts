/**
 * The check of a change request from the moment that its webhook was read: that its new head waits for a review, and that the
 * review of an earlier head, or of a closed change, is not wanted any more. Written before the job exists, so that whatever a worker
 * writes comes later. What fails is logged; only the end of a closed change, of which no job will say more, is tried again with
 * its webhook.
 */
import { count } from '../../base/count.ts'
import type { Gate } from '../../domain/gate.ts'
import type { HostedChange } from '../../hosts/remote/contract.ts'
import { endedSign, type Sign, showSign } from '../access/show-check.ts'
import { addressText } from '../connections/address.ts'
import { reviewKind } from '../jobs/contract.ts'
import { isFinal, reasonOfError, remedyOf } from '../jobs/failures.ts'
import { failureFields } from '../log.ts'
import { effectivePolicy } from '../policies/effective.ts'
import { gateOf } from '../policies/gate.ts'
import type { Job } from '../queue/contract.ts'
import { type AskedChange, type IntakeParts, laneOf } from './asked-change.ts'

const unfinished: ReadonlySet<string> = new Set(['queued', 'running'])
/** As the queue has it: what ended so may be asked for again. */
const askedAgain: ReadonlySet<string> = new Set(['not-reviewed', 'superseded', 'skipped'])
const earlierHeads = 5

/** Throws what may be over by now where the check of a closed change could not be ended. */
export async function showArrival(
  parts: IntakeParts,
  asked: AskedChange,
  change: HostedChange,
  isAgain: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { connection, tenant, repository, number } = asked
  const isLast = change.state !== 'open'
  const at = { connection: connection.name, change: addressText(connection, repository.fullName, number) }
  try {
    const known = await parts.queue.jobs(tenant, { lane: laneOf(asked), limit: earlierHeads })
    const jobs = known.filter(({ kind }) => kind === reviewKind)
    const [depth, wanted] = await Promise.all([parts.queue.depth(), isWanted(parts, asked, change)])
    const waiting = depth.reduce((sum, one) => sum + (one.state === 'queued' ? one.count : 0), 0)
    const gate = gateOf(effectivePolicy(parts.settings, scopeOf(asked)).policy.gate, parts.now())
    const { knownHeads } = asked
    for (const sign of signsOf({ jobs, knownHeads, change, isAgain, isWanted: wanted, waiting, gate })) {
      const refused = await showSign(
        asked,
        { ...sign, url: parts.settings.url },
        { log: parts.log, signal, isLast },
      )
      if (refused !== null)
        parts.log.warn('check-refused', { ...at, reason: refused, remedy: remedyOf('no-access') })
    }
  } catch (error) {
    signal.throwIfAborted()
    if (isLast && !isFinal(error)) throw error
    const reason = reasonOfError(error)
    parts.log.warn('check-failed', { ...at, ...failureFields(error), reason, remedy: remedyOf(reason) })
  }
}

/** What is turned off hears nothing of us. */
async function isWanted(
  { database, settings }: IntakeParts,
  asked: AskedChange,
  { state }: HostedChange,
): Promise<boolean> {
  const { connection, repository } = asked
  if (state !== 'open') return false
  if (effectivePolicy(settings, scopeOf(asked)).offBy !== null) return false
  const [row] = await database.query<{ is_enabled: boolean }>(
    'select is_enabled from repository where connection = $1 and id = $2',
    [connection.name, repository.id],
  )
  return row?.is_enabled ?? true
}

const scopeOf = ({ connection, tenant, repository }: AskedChange) => ({
  tenant,
  connection: connection.name,
  repository: repository.fullName,
})

type Arrival = {
  /** Of this change request, the newest first. */
  jobs: readonly Job[]
  /** Heads that events knew. A process that ended may have shown that one waits, and made no job of it. */
  knownHeads: readonly string[]
  change: HostedChange
  isAgain: boolean
  isWanted: boolean
  /** Jobs of everybody that wait. */
  waiting: number
  gate: Gate | null
}

function signsOf({ jobs, knownHeads, change, isAgain, isWanted, waiting, gate }: Arrival): Sign[] {
  const { head, state } = change
  const why = state === 'open' ? 'newer commits were pushed' : `the change request is ${state}`
  const given = state === 'open' ? jobs.filter((job) => unfinished.has(job.state)) : jobs.slice(0, 1)
  const heads = given.flatMap(({ payload }) => (typeof payload.head === 'string' ? [payload.head] : []))
  const isHead = (commit: string) => head.startsWith(commit)
  const old = [...heads, ...knownHeads.slice(-earlierHeads)].filter((commit) => !isHead(commit))
  const over = state === 'open' ? old : [...old, head]
  const ends = [...new Set(over)].map((commit) => endedSign(commit, why, gate))
  // A job for this head that waits, runs or ended well: nothing begins.
  const [newest] = jobs
  const isKnown = newest?.payload.head === head && !askedAgain.has(newest.state) && !isAgain
  if (!isWanted || isKnown) return ends
  const place = waiting === 0 ? 'It is the next one.' : `${count(waiting, 'job is', 'jobs are')} before it.`
  const sign = {
    ...{ head, conclusion: 'queued' as const, ifOpen: false, title: 'Waiting for a review' },
    summary: `A review of ${head.slice(0, 12)} begins as soon as a worker is free. ${place}\n`,
  }
  return [...ends, sign]
}
