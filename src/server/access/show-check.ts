/**
 * Signs of life on a change request: its check says that a review waits or runs, and that one which waited is not wanted any
 * more. One small request, by the server itself; what a review says is written by its publisher.
 */
import { UserError } from '../../base/errors.ts'
import { type PlannedCheck, unfinishedKey } from '../../hosts/remote/contract.ts'
import { hosts } from '../../hosts/remote/registry.ts'
import { addressOf } from '../connections/address.ts'
import type { HostConnection } from '../connections/connections.ts'

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

/** A host that makes us wait, as at a rate limit, does not hold up the review: the next sign, or the review itself, says more. */
const mostMs = 5_000

/**
 * Why it may not be written, in words; null when it was, or when there was nothing to write. Throws `host-unavailable` after a
 * few seconds.
 */
export async function showSign(place: CheckPlace, sign: Sign, signal?: AbortSignal): Promise<string | null> {
  const limit = AbortSignal.timeout(mostMs)
  try {
    return await writeSign(place, sign, signal ? AbortSignal.any([signal, limit]) : limit)
  } catch (error) {
    signal?.throwIfAborted()
    if (!limit.aborted) throw error
    const words = `the check was not written within ${mostMs / 1000} seconds`
    throw new UserError('host-unavailable', words, { cause: error })
  }
}

async function writeSign(
  { connection, installation, repository, number }: CheckPlace,
  { ifOpen, isUpdate = false, url, ...sign }: Sign,
  signal: AbortSignal,
): Promise<string | null> {
  const access = await connection.open({ installation, id: repository.id }, 'publish', signal)
  const address = addressOf(connection, repository.fullName, number)
  const writer = hosts[connection.kind].openWriter(address, access)
  if (isUpdate && writer.abilities.check === 'status') return null
  if (ifOpen && (await writer.readCheck(sign.head, signal))?.isOpen !== true) return null
  const check = { ...sign, key: unfinishedKey, annotations: [], ...(url === undefined ? {} : { url }) }
  const kind = writer.abilities.check
  const { refused } = await writer.putCheck(check, signal)
  // Without the right to check runs a status takes their place.
  if (refused === null || writer.abilities.check === kind) return refused
  return (await writer.putCheck(check, signal)).refused
}
