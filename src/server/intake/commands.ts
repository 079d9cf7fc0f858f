/**
 * Commands that people give in comments. The comment and its author are read from the host; a command is carried out
 * once, however often its webhook comes, and never for a bot.
 */
import type { Actor } from '../../domain/review-request.ts'
import type { ChangeAddress } from '../../hosts/remote/contract.ts'
import { hosts } from '../../hosts/remote/registry.ts'
import type { CommentPlace } from '../../hosts/repository/contract.ts'
import { acknowledgeComment, repositoryReaders } from '../../hosts/repository/registry.ts'
import { mayRun, parseHostCommand } from '../../ledger/host-commands.ts'
import type { Queries } from '../database/contract.ts'
import { type AskedChange, addressOf, type IntakeParts } from './change-events.ts'

export type AskedCommand = Pick<
  AskedChange,
  'connection' | 'tenant' | 'installation' | 'repository' | 'number'
> & { comment: string; place: 'conversation' | 'thread' }

export type CommandParts = {
  /** Most commands of one person in one repository within an hour. */
  commandsPerHour: number
}

/** Who ordered a review; null when the comment is no such command, or whoever wrote it may not. */
export async function answerCommand(
  parts: IntakeParts & CommandParts,
  { connection, tenant, installation, repository, number, comment, place }: AskedCommand,
  signal: AbortSignal,
): Promise<{ askedBy: string } | null> {
  const access = await connection.open({ installation, id: repository.id }, 'read', signal)
  const address = addressOf(connection, repository.fullName, number)
  const reader = repositoryReaders[connection.kind](address, access)
  const read = await reader.readComment({ number, id: comment, place }, signal)
  const parsed = read ? parseHostCommand(read.body) : null
  if (!read || parsed?.kind !== 'command') return null
  const lane = `${connection.name}/${repository.id}/${number}`
  const change = await hosts[connection.kind].openReader(address, access).read(signal)
  const order = await parts.database.transaction(async (queries) => {
    const [earlier, ofPerson] = await Promise.all([
      readEarlier(queries, lane),
      countOf(queries, `${connection.name}/${repository.id}/`, read.author),
    ])
    const permission = mayRun(parsed.command, {
      actor: read.author,
      authorId: change.changeRequest.author.id,
      isEdited: read.isEdited,
      earlier,
      now: parts.now().getTime(),
    })
    if (!permission.allowed || ofPerson >= parts.commandsPerHour) return null
    // One that was begun and never ended is begun again.
    const [open] = await queries.query(
      `insert into host_command (connection, comment, tenant, lane, actor) values ($1, $2, $3, $4, $5)
       on conflict (connection, comment) do update set lane = excluded.lane
         where host_command.done_at is null
       returning comment`,
      [connection.name, comment, tenant, lane, read.author.id],
    )
    if (!open) return null
    const { name } = parsed.command
    return name === 'review' || name === 'full' ? { askedBy: read.author.login } : null
  })
  if (order)
    await acknowledge(
      { connection, installation, repository },
      address,
      { number, id: comment, place },
      signal,
    )
  return order
}

/** A person sees at once that somebody listens. Where that cannot be written, the review itself is the answer. */
async function acknowledge(
  { connection, installation, repository }: Pick<AskedCommand, 'connection' | 'installation' | 'repository'>,
  address: ChangeAddress,
  comment: CommentPlace,
  signal: AbortSignal,
): Promise<void> {
  try {
    const access = await connection.open({ installation, id: repository.id }, 'publish', signal)
    await acknowledgeComment[connection.kind](address, access, comment, signal)
  } catch {
    signal.throwIfAborted()
  }
}

/** Part of the transaction that acts on them. */
export async function finishCommands(
  queries: Queries,
  connection: string,
  comments: readonly string[],
): Promise<void> {
  await queries.query(
    'update host_command set done_at = now() where connection = $1 and comment = any($2::text[])',
    [connection, comments],
  )
}

async function readEarlier(queries: Queries, lane: string): Promise<{ at: number; actorId: string }[]> {
  const rows = await queries.query<{ at: Date; actor: string }>(
    `select at, actor from host_command where lane = $1 and at > now() - interval '1 hour'`,
    [lane],
  )
  return rows.map(({ at, actor }) => ({ at: at.getTime(), actorId: actor }))
}

async function countOf(queries: Queries, lanes: string, { id }: Actor): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    `select count(*)::int as count from host_command
     where starts_with(lane, $1) and actor = $2 and at > now() - interval '1 hour'`,
    [lanes, id],
  )
  return row?.count ?? 0
}
