/**
 * Signs of life on a change request: its check says that a review waits or runs, and that one which waited is not wanted any
 * more. One small request, by the server itself; what a review says is written by its publisher.
 */
import { UserError } from '../../base/errors.ts'
import type { Gate } from '../../domain/gate.ts'
import { type HostAccess, type PlannedCheck, unfinishedKey } from '../../hosts/remote/contract.ts'
import { hostOf } from '../../hosts/remote/registry.ts'
import { turnMs, type WritePause } from '../../hosts/remote/transport.ts'
import { addressOf } from '../connections/address.ts'
import type { HostConnection } from '../connections/connections.ts'
import type { Log } from '../log.ts'

export type CheckPlace = {
  connection: HostConnection
  installation: string | null
  repository: { id: string; fullName: string }
  number: number
}

export type Sign = Pick<PlannedCheck, 'head' | 'title' | 'conclusion'> & {
  summary: string
  url?: string | undefined
  /** Only what waits for its end is changed: an end that somebody wrote meanwhile stays. */
  ifOpen: boolean
  /** Other words for what is shown already, which a status has no room for. */
  isUpdate?: boolean
}

/**
 * That the review of a commit is not wanted any more. With a gate the check fails: the commit may be the head once more, or that of
 * another change request, and hosts take `neutral` for passed.
 */
export function endedSign(head: string, why: string, gate: Gate | null): Sign {
  return {
    ...{ head, conclusion: gate ? 'failure' : 'neutral', ifOpen: true },
    ...{ title: `Not reviewed: ${why}`, summary: `Not reviewed, because ${why}.\n` },
  }
}

/** A host that makes us wait, as at a rate limit, does not hold up the review: the next sign, or the review itself, says more. */
const defaultMostMs = 5_000

export type SignOptions = {
  log: Pick<Log, 'warn'>
  signal?: AbortSignal
  isLast?: boolean
  /** All that it may take. */
  mostMs?: number
}

/**
 * Why it may not be written, in words; null when it was, or when there was nothing to write. Throws `host-unavailable` after a
 * few seconds. A pause that the host asked for is no failure: it is logged once, for whatever waits for it. `isLast`: nothing else
 * will be said on this check, so what a pause keeps back throws too.
 */
export async function showSign(
  place: CheckPlace,
  sign: Sign,
  { log, signal, isLast = false, mostMs = defaultMostMs }: SignOptions,
): Promise<string | null> {
  const limit = AbortSignal.timeout(mostMs)
  const ending = signal ? AbortSignal.any([signal, limit]) : limit
  const { connection, installation, repository } = place
  let pause: WritePause | null = null
  try {
    const access = await connection.open({ installation, id: repository.id }, 'publish', ending)
    pause = access.pause
    return await writeSign(place, access, sign, ending)
  } catch (error) {
    signal?.throwIfAborted()
    if (!limit.aborted) throw error
    const now = Date.now()
    const left = pause?.left(now) ?? 0
    if (left > 0) {
      // The same words for all that wait, so that the log has them once; whose turn it is after a pause is no news.
      if (left > turnMs)
        log.warn('host-paused', { connection: connection.name, until: new Date(now + left).toISOString() })
      if (!isLast) return null
    }
    const words = `the check was not written within ${mostMs / 1000} seconds`
    throw new UserError('host-unavailable', words, { cause: error })
  }
}

async function writeSign(
  { connection, repository, number }: CheckPlace,
  access: HostAccess,
  { ifOpen, isUpdate = false, url, ...sign }: Sign,
  signal: AbortSignal,
): Promise<string | null> {
  const address = addressOf(connection, repository, number)
  const writer = hostOf(connection.kind).openWriter(address, access)
  if (isUpdate && writer.abilities.check !== 'run') return null
  if (ifOpen && (await writer.readCheck(sign.head, signal))?.isOpen !== true) return null
  // Somebody may end it meanwhile.
  const check = {
    ...sign,
    ifOpen,
    key: unfinishedKey,
    annotations: [],
    ...(url === undefined ? {} : { url }),
  }
  const kind = writer.abilities.check
  const { refused } = await writer.putCheck(check, signal)
  // Without the right to check runs a status takes their place.
  if (refused === null || writer.abilities.check === kind) return refused
  return (await writer.putCheck(check, signal)).refused
}
