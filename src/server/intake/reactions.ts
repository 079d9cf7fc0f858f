/**
 * Reads what people showed of our findings: whenever a change request was read, and so for the last time when it is merged
 * or closed. Hosts send no events about emojis. Nothing depends on it, so whatever fails is only logged.
 */
import { findingsOnThreads } from '../../assembly/own-threads.ts'
import type { HostedChange } from '../../hosts/remote/contract.ts'
import { hostOf } from '../../hosts/remote/registry.ts'
import { foldLedger } from '../../ledger/fold.ts'
import { reactionEvents } from '../../ledger/reactions.ts'
import { addressOf, addressText } from '../connections/address.ts'
import { markerKeysFor } from '../connections/marker-keys.ts'
import { ledgerKey } from '../ledger/lent-ledger.ts'
import { openSqlLedger } from '../ledger/sql-ledger.ts'
import { failureFields, type Log } from '../log.ts'
import type { AskedChange, IntakeParts } from './asked-change.ts'
import type { CommandParts } from './command-contract.ts'

/** Of one change request; the newest. Each is a question to some hosts. */
const mostThreads = 30

/** Rejects only with the signal's reason. */
export async function recordReactions(
  parts: IntakeParts & CommandParts & { log: Log },
  asked: AskedChange,
  change: HostedChange,
  signal: AbortSignal,
): Promise<void> {
  try {
    await record(parts, asked, change, signal)
  } catch (error) {
    signal.throwIfAborted()
    parts.log.warn('reactions-unread', {
      connection: asked.connection.name,
      change: addressText(asked.connection, asked.repository.fullName, asked.number),
      ...failureFields(error),
    })
  }
}

async function record(
  { database, secretKey, now }: IntakeParts & CommandParts,
  { connection, tenant, installation, repository, number }: AskedChange,
  { changeRequest, repository: named }: HostedChange,
  signal: AbortSignal,
): Promise<void> {
  const store = openSqlLedger(database, tenant)
  const key = ledgerKey({ host: connection.host, name: [...named.owner, named.name].join('/') })
  const ledger = foldLedger((await store.read(key)).events)
  if (![...ledger.findings.values()].some((finding) => finding.change === `${number}`)) return
  const address = addressOf(connection, repository, number)
  const open = (purpose: 'publish' | 'read') =>
    connection.open({ installation, id: repository.id }, purpose, signal)
  const { kind } = connection
  const state = await hostOf(kind)
    .openWriter(address, await open('publish'))
    .readState(signal)
  const keys = await markerKeysFor({ secretKey, connection, tenant, repository: repository.id })
  const threads = findingsOnThreads(state, { ...keys, number }).slice(-mostThreads)
  const reader = hostOf(kind).openRepository(address, await open('read'))
  const shown = threads.flatMap(({ thread }) => thread ?? [])
  const reactions = shown.length === 0 ? [] : await reader.readReactions(number, shown, signal)
  const events = reactionEvents(
    ledger,
    threads.map(({ thread, record, isResolved }) => ({
      record: record.id,
      isResolved,
      reactions: reactions.filter((one) => one.thread === thread?.id),
    })),
    { change: `${number}`, author: changeRequest.author, head: state.head, at: now() },
  )
  if (events.length > 0) await store.append(key, events)
}
