/**
 * What follows from events about one change request. Everything is read from the host now: the events say only which
 * change it is and which head they knew. All events that wait for the same change are answered with one reading.
 */
import { createHash } from 'node:crypto'
import { UserError } from '../../base/errors.ts'
import type { HostedChange } from '../../hosts/remote/contract.ts'
import { hostOf } from '../../hosts/remote/registry.ts'
import type { RepositoryReader } from '../../hosts/repository/contract.ts'
import { addressOf, addressText } from '../connections/address.ts'
import type { Queries } from '../database/contract.ts'
import { type OutcomeReason, type ReviewJob, reviewKind, type TriggerKind } from '../jobs/contract.ts'
import { passingReasons } from '../jobs/failures.ts'
import { ledgerKey } from '../ledger/lent-ledger.ts'
import { lastPause } from '../ledger/sql-ledger.ts'
import { type ChangeFacts, type Decision, decide } from '../policies/decide.ts'
import { effectivePolicy } from '../policies/effective.ts'
import { readAllowance } from '../policies/spending.ts'
import { priorities } from '../queue/contract.ts'
import { type AskedChange, type IntakeParts, laneOf } from './asked-change.ts'
import { type Beside, meetCompanions } from './companions.ts'
import { followRename } from './follow-rename.ts'
import { showArrival } from './show-arrival.ts'
import { newTriggerId, storeTrigger } from './triggers.ts'

/** `later`: the host does not show yet what an event already knew; `gone`: the tenant was deleted meanwhile. */
export type Answered = { result: string; change: HostedChange } | { later: true } | { gone: true }

/** Work that belongs to the same commit as the decision. */
export type Also = (queries: Queries, result: string) => Promise<void>

/** Throws as a `ChangeReader` does. */
export async function answerChange(
  parts: IntakeParts,
  asked: AskedChange,
  also: Also,
  signal: AbortSignal,
): Promise<Answered> {
  const { connection, tenant, installation, number } = asked
  const access = await connection.open({ installation, id: asked.repository.id }, 'read', signal)
  const address = addressOf(connection, asked.repository, number)
  const change = await hostOf(connection.kind).openReader(address, access).read(signal)
  const { repository } = change
  if (repository.id !== asked.repository.id)
    throw new UserError('change-request-unknown', 'another repository has this name now')
  const name = [...repository.owner, repository.name].join('/')
  const reader = hostOf(connection.kind).openRepository(address, access)
  if (!asked.isPatient && (await lagsBehind(change.head, asked.knownHeads, reader, signal)))
    return { later: true }
  const effective = effectivePolicy(parts.settings, { tenant, connection: connection.name, repository: name })
  const files = change.state === 'open' ? await readFiles(reader, number, signal) : null
  const isAgain = asked.isOrdered || (await endedInPassing(parts, asked))
  if (change.state !== 'open')
    await parts.queue.cancel(tenant, laneOf(asked), { actor: connection.host, reason: closedWords(change) })
  // Whoever has the events by now may have had the change reviewed: a check that waits would then wait for ever.
  await asked.hold()
  await showArrival(
    parts,
    { ...asked, repository: { id: repository.id, fullName: name } },
    change,
    isAgain,
    signal,
  )
  const result = await parts.database.transaction(async (queries) => {
    if (!(await holdInstallation(queries, asked))) return null
    const isOn = await rememberRepository(
      queries,
      asked,
      repository.id,
      name,
      repository.visibility !== 'public',
    )
    const offBy = isOn ? effective.offBy : 'its owner'
    const scope = { tenant, connection: connection.name, repository: repository.id }
    const budgets = effective.budgets
    const perReviewUsd =
      budgets.length > 0 ? (effective.perReviewUsd ?? parts.defaultPerReviewUsd) : effective.perReviewUsd
    const pausedBy = asked.isOrdered ? null : await readPause(queries, asked, connection.host, name)
    const decision =
      change.state !== 'open' || offBy !== null
        ? null
        : pausedBy !== null
          ? pausedDecision(pausedBy)
          : decide(
              factsOf(change, files),
              { ...effective, perReviewUsd },
              await readAllowance(queries, budgets, scope, parts.now()),
              asked,
            )
    // One that is not reviewed is no other side, but may have been one.
    const beside =
      decision?.kind === 'review' || change.state !== 'open'
        ? await meetCompanions(parts, queries, { asked, change, name })
        : []
    const settled = decision
      ? await decided(parts, queries, { asked, change, name, beside }, decision, isAgain)
      : await ended(parts, queries, asked, change, name, offBy)
    await also(queries, settled)
    return settled
  })
  return result === null ? { gone: true } : { result, change }
}

function pausedDecision(by: string): Decision {
  return { kind: 'skip', why: 'reviews of this change request are paused', by, isHeld: true }
}

/** Who paused it by a command; null when it is not paused. */
async function readPause(
  queries: Queries,
  { tenant, number }: AskedChange,
  host: string,
  name: string,
): Promise<string | null> {
  const last = await lastPause(queries, tenant, ledgerKey({ host, name }), `${number}`)
  return last?.type === 'paused' ? last.by.name : null
}

type Reader = RepositoryReader

/** A host may send an event before all of its machines know what it is about. */
async function lagsBehind(
  head: string,
  known: readonly string[],
  reader: Reader,
  signal: AbortSignal,
): Promise<boolean> {
  // Of two that are not on one line the host's own word counts: somebody pushed with force.
  for (const later of known.filter((each) => !head.startsWith(each)).slice(-3))
    if (await reader.isAncestor(head, later, signal)) return true
  return false
}

async function readFiles(reader: Reader, number: number, signal: AbortSignal): Promise<ChangeFacts['files']> {
  try {
    return await reader.readFiles(number, signal)
  } catch (error) {
    signal.throwIfAborted()
    // A policy about paths then holds nothing back; the review itself reads the commits.
    if (error instanceof UserError && error.code !== 'host-unavailable') return null
    throw error
  }
}

function factsOf({ changeRequest }: HostedChange, files: ChangeFacts['files']): ChangeFacts {
  const { isDraft, isFork, author, labels, baseRef } = changeRequest
  return {
    isDraft,
    isFork,
    author: { login: author.login, isBot: author.isBot, trust: author.trust },
    labels,
    baseBranch: baseRef,
    files,
  }
}

/**
 * Whether the installation is still there, for the rest of the transaction: while the host was asked, its tenant may have been
 * deleted, of which nothing may be written any more.
 */
async function holdInstallation(
  queries: Queries,
  { connection, tenant, installation }: AskedChange,
): Promise<boolean> {
  if (installation === null) return true
  const rows = await queries.query(
    'select 1 from installation where connection = $1 and id = $2 and tenant = $3 for share',
    [connection.name, installation, tenant],
  )
  return rows.length > 0
}

/** Whether its owner has it reviewed. */
async function rememberRepository(
  queries: Queries,
  { connection, tenant, installation }: AskedChange,
  id: string,
  name: string,
  isPrivate: boolean,
): Promise<boolean> {
  await queries.query('insert into tenant (tenant) values ($1) on conflict do nothing', [tenant])
  await followRename(queries, connection, id, name)
  const [row] = await queries.query<{ is_enabled: boolean }>(
    `insert into repository (connection, id, tenant, installation, full_name, is_private)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (connection, id) do update set tenant = excluded.tenant, installation = excluded.installation,
       is_private = excluded.is_private, seen_at = now()
     returning is_enabled`,
    [connection.name, id, tenant, installation, name, isPrivate],
  )
  return row?.is_enabled ?? true
}

type Asked = { asked: AskedChange; change: HostedChange; name: string; beside: readonly Beside[] }

async function decided(
  parts: IntakeParts,
  queries: Queries,
  { asked, change, name, beside }: Asked,
  decision: Decision,
  isAgain: boolean,
): Promise<string> {
  const { connection, tenant, number, kind, askedBy } = asked
  const id = newTriggerId()
  const content = [
    ...[change.head, change.changeRequest.baseRef, keyOf(decision), isAgain ? id : null],
    ...asked.beside.map(({ event }) => event),
  ]
  const { id: job, isNew } = await parts.queue.enqueue(
    {
      tenant,
      kind: reviewKind,
      lane: laneOf(asked),
      contentKey: createHash('sha256').update(JSON.stringify(content)).digest('hex'),
      payload: jobOf({ asked, change, name, beside }, decision, id),
      priority: priorityOf(kind),
      supersedes: true,
    },
    queries,
  )
  const said = inWords(decision)
  await storeTrigger(queries, id, {
    ...{ tenant, connection: connection.name, repository: { id: change.repository.id, name }, number },
    ...{ kind, askedBy, head: change.head, receivedAt: asked.receivedAt, decision: said, job },
    title: change.title,
    ownsJob: isNew,
    holdUsd: isNew && decision.kind === 'review' ? (decision.budgetUsd ?? 0) : 0,
    ended: null,
  })
  parts.metrics.triggers.inc({ decision: isNew ? decision.kind : 'joined' })
  return isNew ? said : `joined: ${said}`
}

/** What failed for a passing reason is tried again as soon as anything happens. */
async function endedInPassing({ queue }: IntakeParts, asked: AskedChange): Promise<boolean> {
  const known = await queue.jobs(asked.tenant, { lane: laneOf(asked), limit: 5 })
  const reason = known.find(({ kind }) => kind === reviewKind)?.result?.reason
  return passingReasons.has(reason as OutcomeReason)
}

function closedWords({ state }: HostedChange): string {
  return `the change request is ${state}`
}

/** Nothing is shown on the host: a closed change needs no word from us, and neither does a repository that is off. */
async function ended(
  parts: IntakeParts,
  queries: Queries,
  asked: AskedChange,
  change: HostedChange,
  name: string,
  offBy: string | null,
): Promise<string> {
  const { connection, tenant, number, kind, askedBy, receivedAt } = asked
  const why = change.state === 'open' ? `turned off by ${offBy}` : closedWords(change)
  await storeTrigger(queries, newTriggerId(), {
    ...{ tenant, connection: connection.name, repository: { id: change.repository.id, name }, number },
    ...{ kind, askedBy, head: change.head, receivedAt, decision: `skipped: ${why}` },
    ...{ job: null, ownsJob: false, holdUsd: 0 },
    ended: { state: 'skipped', reason: change.state === 'open' ? 'policy' : 'closed' },
  })
  parts.metrics.triggers.inc({ decision: 'ended' })
  return `skipped: ${why}`
}

function jobOf({ asked, change, name, beside }: Asked, decision: Decision, id: string): ReviewJob {
  const { connection, installation, number, kind, askedBy, isFull } = asked
  return {
    address: addressText(connection, name, number),
    connection: connection.name,
    installation,
    repository: { host: connection.host, id: change.repository.id, name },
    number,
    head: change.head,
    trigger: { id, kind, by: askedBy },
    decision: isFull && decision.kind === 'review' ? { ...decision, isFull } : decision,
    ...(beside.length > 0 ? { beside: [...beside] } : {}),
  }
}

/** Two decisions alike need no second job: how much money is left is no difference. */
function keyOf(decision: Decision): unknown[] {
  return decision.kind === 'skip' ? ['skip', decision.why] : ['review', decision.depth]
}

function inWords(decision: Decision): string {
  if (decision.kind === 'skip') return `skipped: ${decision.why}, by ${decision.by}`
  return decision.notice ?? `review at depth ${decision.depth}`
}

/** A person who waits comes before a push, a push before background work. */
function priorityOf(kind: TriggerKind): number {
  if (kind === 'comment' || kind === 'manual') return priorities.person
  return kind === 'reconciler' || kind === 'nightly' ? priorities.sweep : priorities.change
}
