/**
 * Turns stored deliveries into triggers and jobs. A lane is answered by one process at a time; what fails for a passing
 * reason is taken up again later, and ends within a bounded time.
 */
import { UserError } from '../../base/errors.ts'
import { addressText } from '../connections/address.ts'
import type { OutcomeReason, TriggerKind } from '../jobs/contract.ts'
import { isFinal, remedyOf } from '../jobs/failures.ts'
import { failureFields, type Log } from '../log.ts'
import type { AskedChange, IntakeParts } from './asked-change.ts'
import { answerChange } from './change-events.ts'
import type { AskedCommand, CommandParts } from './command-contract.ts'
import { answerCommand, finishCommands } from './commands.ts'
import {
  postponeDeliveries,
  Retaken,
  renewDeliveries,
  type StoredDelivery,
  settleDeliveries,
  takeDeliveries,
} from './deliveries.ts'
import { recordReactions } from './reactions.ts'
import { newTriggerId, storeTrigger } from './triggers.ts'

export type IntakeLoop = {
  /** Something was stored. */
  wake(): void
  /** Takes up nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
}

/** Lanes that are answered side by side. */
const mostLanes = 8
/** How often it looks without being woken: for what another process stored, or took up and never settled. */
const pollMs = 1_000
/** How often what is under way is held for longer. */
const renewMs = 2_000
/** Seconds until the next attempt, after each failed one; then it ends. */
const waits = [2, 5, 15, 60, 120, 300, 600, 600, 600]
/** Seconds that a host gets to show what an event already knew, and a review to record what it has shown, in all. */
const lagSeconds = 10

type LoopParts = IntakeParts &
  CommandParts & {
    log: Log
    /** The share of its time that is waited until the next attempt; 1 when not given. Tests wait less. */
    patience?: number
  }

type LaneParts = Omit<LoopParts, 'patience'> & {
  /** They are taken up again after so many seconds. */
  postpone(lane: readonly StoredDelivery[], seconds: number): Promise<void>
}

export function startIntake({ patience = 1, ...given }: LoopParts): IntakeLoop {
  const stopping = new AbortController()
  let wakeUp: (() => void) | null = null
  let isAwake = false
  const rest = () =>
    new Promise<void>((resolve) => {
      if (isAwake || stopping.signal.aborted) return resolve()
      const timer = setTimeout(resolve, pollMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const wake = () => {
    isAwake = true
    wakeUp?.()
  }
  const postpone = async (lane: readonly StoredDelivery[], seconds: number) => {
    await postponeDeliveries(given.database, lane, seconds * patience)
    setTimeout(wake, Math.ceil(seconds * patience * 1000)).unref()
  }
  const parts: LaneParts = { ...given, postpone }
  const under = new Set<Promise<void>>()
  const take = async (free: number) => {
    try {
      return free === 0 ? [] : await takeDeliveries(parts.database, free)
    } catch (error) {
      parts.log.error('intake-failed', failureFields(error))
      return []
    }
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      isAwake = false
      const lanes = await take(mostLanes - under.size)
      // Each ends for itself: one that waits for a host that is slow to answer holds up none of the others.
      for (const lane of lanes) {
        const answered = answerLane(parts, lane, stopping.signal).finally(() => {
          under.delete(answered)
          wake()
        })
        under.add(answered)
      }
      if (lanes.length > 0) continue
      await rest()
      wakeUp = null
    }
    await Promise.all(under)
  }
  const running = run()
  return {
    wake,
    async stop() {
      stopping.abort()
      wakeUp?.()
      await running
    },
  }
}

/** Never rejects. */
async function answerLane(
  parts: LaneParts,
  lane: readonly StoredDelivery[],
  stopping: AbortSignal,
): Promise<void> {
  const [first] = lane
  if (!first) return
  const { connection: name, event } = first
  const host = parts.connections.get(name)
  const change =
    event.type === 'installation' || !host ? null : addressText(host, event.repository.fullName, event.number)
  const fields = { connection: name, change, about: event.type, deliveries: lane.length }
  const lost = new AbortController()
  const signal = AbortSignal.any([stopping, lost.signal])
  const renewal = setInterval(() => {
    renewDeliveries(parts.database, lane).then(
      (isHeld) => isHeld || lost.abort(),
      (error: unknown) => parts.log.warn('intake-failed', { ...fields, ...failureFields(error) }),
    )
  }, renewMs)
  try {
    const result = await answer(parts, lane, signal)
    parts.log.info('intake-answered', { ...fields, result })
  } catch (error) {
    if (lost.signal.aborted || error instanceof Retaken) return parts.log.info('intake-retaken', fields)
    if (signal.aborted) return await tryLater(parts, lane, 0)
    const attempts = Math.max(...lane.map((delivery) => delivery.attempts))
    const wait = waits[attempts]
    const isOver = isFinal(error) || wait === undefined
    // Once with what to do; that it fails again is no news.
    if (isOver || attempts === 0) {
      const reason = reasonOf(error)
      const then = { reason, next: isOver ? null : `in ${wait} seconds`, remedy: remedyOf(reason) }
      parts.log.warn('intake-failed', { ...fields, ...failureFields(error), ...then })
    }
    if (!isOver) return await tryLater(parts, lane, wait)
    await giveUp(parts, lane, error).catch((failed: unknown) =>
      parts.log.error('intake-failed', { ...fields, ...failureFields(failed) }),
    )
  } finally {
    clearInterval(renewal)
  }
}

/** When this fails too, another process takes them up when their time is over. */
async function tryLater(parts: LaneParts, lane: readonly StoredDelivery[], seconds: number): Promise<void> {
  await parts
    .postpone(lane, seconds)
    .catch((error: unknown) => parts.log.error('intake-failed', failureFields(error)))
}

async function answer(
  parts: LaneParts,
  lane: readonly StoredDelivery[],
  signal: AbortSignal,
): Promise<string> {
  const [first] = lane
  const connection = first && parts.connections.get(first.connection)
  if (!first || !connection) {
    await settleDeliveries(parts.database, lane, { tenant: '', result: 'the connection was removed' })
    return 'the connection was removed'
  }
  if (first.event.type === 'installation') {
    await connection.refreshInstallations(signal)
    const result = 'installations read'
    await settleDeliveries(parts.database, lane, { tenant: '', result })
    return result
  }
  const { repository, number, installation } = first.event
  const tenant = await connection.tenantOf(installation, signal)
  if (tenant === null) return await settleUnknown(parts, lane)
  const isPatient = parts.now().getTime() - first.receivedAt.getTime() > lagSeconds * 1000
  const at = { connection, tenant, installation, repository, number, isPatient }
  const answers = await answerCommands(parts, at, lane, signal)
  if (answers === 'too early') {
    await parts.postpone(lane, 1)
    return 'the review has not ended'
  }
  const { ordered, names } = answers
  const changes = lane.filter(({ event }) => event.type === 'change')
  const comments = lane.flatMap(({ event }) => (event.type === 'comment' ? [event.comment] : []))
  if (changes.length === 0 && ordered === null) {
    const result = names.length === 0 ? 'no command' : names.join(', ')
    await settleDeliveries(parts.database, lane, { tenant, result })
    return result
  }
  const asked: AskedChange = {
    ...at,
    ...(ordered ?? { kind: kindOf(changes), askedBy: null, isOrdered: isRerun(changes), isFull: false }),
    beside: changes.flatMap(({ event }) => (event.type === 'change' && event.beside) || []),
    knownHeads: changes.flatMap(({ event }) => (event.type === 'change' && event.head ? [event.head] : [])),
    receivedAt: first.receivedAt,
    async hold() {
      if (!(await renewDeliveries(parts.database, lane))) throw new Retaken()
    },
  }
  const answered = await answerChange(
    parts,
    asked,
    async (queries, result) => {
      await settleDeliveries(queries, lane, { tenant, result })
      await finishCommands(queries, connection.name, comments)
    },
    signal,
  )
  if ('gone' in answered) return await settleUnknown(parts, lane)
  if ('result' in answered) {
    await recordReactions(parts, asked, answered.change, signal)
    return answered.result
  }
  await parts.postpone(lane, 1)
  return 'the host lags behind'
}

async function settleUnknown({ database }: IntakeParts, lane: readonly StoredDelivery[]): Promise<string> {
  const result = 'unknown installation'
  await settleDeliveries(database, lane, { tenant: '', result })
  return result
}

type Order = Pick<AskedChange, 'kind' | 'askedBy' | 'isOrdered' | 'isFull'>

/** In their order. Of several that order a review, the last one has its name on it. */
async function answerCommands(
  parts: IntakeParts & CommandParts,
  at: Omit<AskedCommand, 'comment' | 'place'>,
  lane: readonly StoredDelivery[],
  signal: AbortSignal,
): Promise<{ ordered: Order | null; names: string[] } | 'too early'> {
  let ordered: Order | null = null
  const names: string[] = []
  for (const { event } of lane) {
    if (event.type !== 'comment') continue
    const asked = { ...at, comment: event.comment, place: event.place }
    const answered = await answerCommand(parts, asked, signal)
    if (answered === 'too early') return answered
    if (!answered) continue
    names.push(answered.name)
    if (answered.order) ordered = { kind: 'comment', ...answered.order, isOrdered: true }
  }
  return { ordered, names }
}

const kinds: Readonly<Record<string, TriggerKind>> = {
  opened: 'opened',
  open: 'opened',
  created: 'opened',
  reopened: 'reopened',
  reopen: 'reopened',
  ready_for_review: 'ready',
  rerequested: 'manual',
  reconciled: 'reconciler',
  companion: 'reconciler',
}

function kindOf(changes: readonly StoredDelivery[]): TriggerKind {
  const last = changes.at(-1)?.event
  return (last?.type === 'change' && last.action && kinds[last.action]) || 'pushed'
}

function isRerun(changes: readonly StoredDelivery[]): boolean {
  return changes.some(({ event }) => event.type === 'change' && event.action === 'rerequested')
}

/** Ends where people can look it up; nothing can be shown on a host that does not let us. */
async function giveUp(parts: IntakeParts, lane: readonly StoredDelivery[], error: unknown): Promise<void> {
  const [first] = lane
  if (!first || first.event.type === 'installation') {
    await settleDeliveries(parts.database, lane, { tenant: '', result: 'failed' })
    return
  }
  const { event, connection, receivedAt } = first
  const tenant =
    event.installation === null
      ? await parts.connections.get(connection)?.tenantOf(null, AbortSignal.timeout(1000))
      : await knownTenant(parts, connection, event.installation)
  const reason = reasonOf(error)
  await parts.database.transaction(async (queries) => {
    if (tenant)
      await storeTrigger(queries, newTriggerId(), {
        ...{ tenant, connection, number: event.number, askedBy: null, head: null, receivedAt },
        repository: { id: event.repository.id, name: event.repository.fullName },
        ...{ kind: kindOf(lane), decision: 'not reviewed', job: null, ownsJob: false, holdUsd: 0 },
        ended: { state: 'not-reviewed', reason },
      })
    await settleDeliveries(queries, lane, { tenant: tenant ?? '', result: `not reviewed: ${reason}` })
  })
  parts.metrics.triggers.inc({ decision: 'failed' })
}

async function knownTenant(
  { database }: IntakeParts,
  connection: string,
  installation: string,
): Promise<string | null> {
  const [row] = await database.query<{ tenant: string }>(
    'select tenant from installation where connection = $1 and id = $2',
    [connection, installation],
  )
  return row?.tenant ?? null
}

function reasonOf(error: unknown): OutcomeReason {
  if (!(error instanceof UserError)) return isFinal(error) ? 'no-access' : 'failed'
  if (error.code === 'change-request-unknown') return 'gone'
  return error.code === 'host-refused' ? 'no-access' : 'host-unavailable'
}
