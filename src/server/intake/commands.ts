/**
 * Commands that people give in comments. The comment and its author are read from the host; a command is carried out
 * once, however often its webhook comes, never for a bot, and each one is on record with what came of it.
 */
import { redactText } from '../../base/secrets/redact.ts'
import type { HostedChange } from '../../hosts/remote/contract.ts'
import { hostOf } from '../../hosts/remote/registry.ts'
import type { HostedComment } from '../../hosts/repository/contract.ts'
import { type HostCommand, mayRun, type ParsedComment, parseHostCommand } from '../../ledger/host-commands.ts'
import { answerMarks } from '../../pipeline/publish/sync/marker.ts'
import { addressOf } from '../connections/address.ts'
import { markerKeysFor } from '../connections/marker-keys.ts'
import type { Queries } from '../database/contract.ts'
import type { IntakeParts } from './asked-change.ts'
import { carryOut } from './carry-out.ts'
import type { AskedCommand, CommandParts } from './command-contract.ts'
import { followRename } from './follow-rename.ts'
import { nameOf } from './questions.ts'

/** `name`: the command, or why none was carried out. `order`: who ordered a review; null when nobody did. */
export type AnsweredCommand = { name: string; order: { askedBy: string; isFull: boolean } | null }

/**
 * Null when the comment is no command, or whoever wrote it may not even be answered. `too early`: it is carried out when it
 * is asked for once more.
 */
export async function answerCommand(
  parts: IntakeParts & CommandParts,
  asked: AskedCommand,
  signal: AbortSignal,
): Promise<AnsweredCommand | 'too early' | null> {
  const { connection, installation, repository, number, comment, place } = asked
  const access = await connection.open({ installation, id: repository.id }, 'read', signal)
  const address = addressOf(connection, repository, number)
  const read = await hostOf(connection.kind)
    .openRepository(address, access)
    .readComment({ number, id: comment, place }, signal)
  // What it says may be kept: a reason, a question.
  const parsed = read ? await parseHostCommand(redactText(read.body)) : null
  if (!read || !parsed || parsed.kind === 'none') return null
  const change = await hostOf(connection.kind).openReader(address, access).read(signal)
  if (change.repository.id !== repository.id) return null
  const begun = await parts.database.transaction(async (queries) => {
    await followRename(queries, connection, repository.id, nameOf(change))
    return await begin(queries, parts, { asked, parsed, read, change })
  })
  if (begun === null) return null
  const publishing = await connection.open({ installation, id: repository.id }, 'publish', signal)
  const at = { number, id: comment, place }
  if (begun.why === null)
    await orNothing(signal, hostOf(connection.kind).acknowledge(address, publishing, at, signal))
  const { command } = begun
  if (begun.why === null && (command.name === 'review' || command.name === 'full'))
    return { name: command.name, order: { askedBy: read.author.login, isFull: command.name === 'full' } }
  const done =
    begun.why === null
      ? await carryOut(parts, { asked, command, read, change, address, publishing }, signal)
      : { answer: begun.why, outcome: 'refused', isRecounted: false }
  if (done === 'too early') return done
  const { answer } = done
  if (answer !== null) {
    // Whoever dies before the end is on record leaves it to be carried out, but not answered, once more.
    const { secretKey } = parts
    const keys = await markerKeysFor({
      ...{ secretKey, connection, tenant: asked.tenant, repository: repository.id },
    })
    const posted = {
      body: answer,
      marks: answerMarks(comment, { ...keys, repositoryId: repository.id, number }),
    }
    await orNothing(signal, hostOf(connection.kind).answer(address, publishing, at, posted, signal))
  }
  await finish(parts, asked, done.outcome)
  parts.metrics.commands.inc({ name: command.name, outcome: begun.why === null ? 'done' : 'refused' })
  const order = done.isRecounted ? { askedBy: read.author.login, isFull: false } : null
  return {
    name: command.name === 'open-gate' && order ? command.name : `${command.name}: ${done.outcome}`,
    order,
  }
}

type Begun = {
  command: HostCommand
  /** Why it is not carried out, for the person; null when it is. */
  why: string | null
}

type Given = {
  asked: AskedCommand
  parsed: Exclude<ParsedComment, { kind: 'none' }>
  read: HostedComment
  change: HostedChange
}

/** Null when nothing is to be done or said: it was done before, or its author has no right to an answer. */
async function begin(
  queries: Queries,
  { commandsPerHour, now }: IntakeParts & CommandParts,
  { asked, parsed, read, change }: Given,
): Promise<Begun | null> {
  const { connection, tenant, repository, number, comment } = asked
  const lane = `${connection.name}/${repository.id}/${number}`
  // What is misspelt changes nothing: whoever may ask for help may hear so.
  const command: HostCommand = parsed.kind === 'command' ? parsed.command : { name: 'help' }
  const [earlier, ofPerson] = await Promise.all([
    readEarlier(queries, lane, read.author.id),
    countOf(queries, `${connection.name}/${repository.id}/`, read.author.id),
  ])
  const permission = mayRun(command, {
    actor: read.author,
    authorId: change.changeRequest.author.id,
    isEdited: read.isEdited,
    earlier,
    now: now().getTime(),
  })
  if (!permission.allowed && permission.silent) return null
  if (ofPerson >= commandsPerHour) return null
  const why = permission.allowed ? (parsed.kind === 'invalid' ? parsed.why : null) : permission.why
  // One that was begun and never ended is begun again.
  const [open] = await queries.query(
    `insert into host_command (connection, comment, tenant, lane, actor, name, is_refused)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (connection, comment) do update set lane = excluded.lane
       where host_command.done_at is null
     returning comment`,
    [connection.name, comment, tenant, lane, read.author.id, command.name, why !== null],
  )
  return open ? { command, why } : null
}

/** What cannot be written on the host is no reason not to do it. */
async function orNothing(signal: AbortSignal, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch {
    signal.throwIfAborted()
  }
}

async function finish(
  { database }: IntakeParts,
  { connection, comment }: AskedCommand,
  outcome: string,
): Promise<void> {
  await database.query(
    'update host_command set done_at = now(), outcome = $3 where connection = $1 and comment = $2',
    [connection.name, comment, outcome],
  )
}

/** Those that ordered a review: part of the transaction that decides on it. */
export async function finishCommands(
  queries: Queries,
  connection: string,
  comments: readonly string[],
): Promise<void> {
  await queries.query(
    `update host_command set done_at = now(), outcome = 'ordered'
     where connection = $1 and comment = any($2::text[]) and done_at is null`,
    [connection, comments],
  )
}

/** Of the last hour. What was refused to others keeps nobody from giving commands. */
async function readEarlier(
  queries: Queries,
  lane: string,
  actor: string,
): Promise<{ at: number; actorId: string }[]> {
  const rows = await queries.query<{ at: Date; actor: string }>(
    `select at, actor from host_command
     where lane = $1 and at > now() - interval '1 hour' and (not is_refused or actor = $2)`,
    [lane, actor],
  )
  return rows.map(({ at, actor: actorId }) => ({ at: at.getTime(), actorId }))
}

async function countOf(queries: Queries, lanes: string, actor: string): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    `select count(*)::int as count from host_command
     where starts_with(lane, $1) and actor = $2 and at > now() - interval '1 hour'`,
    [lanes, actor],
  )
  return row?.count ?? 0
}
