/** What is known of a command in a comment, from whoever checked it to whoever carries it out. */
import type { ChangeAddress, HostAccess, HostedChange } from '../../hosts/remote/contract.ts'
import type { HostedComment } from '../../hosts/repository/contract.ts'
import type { HostCommand } from '../../ledger/host-commands.ts'
import type { AskedChange } from './asked-change.ts'

export type AskedCommand = Pick<
  AskedChange,
  'connection' | 'tenant' | 'installation' | 'repository' | 'number' | 'isPatient'
> & { comment: string; place: 'conversation' | 'thread' }

export type CommandParts = {
  /** Most commands of one person in one repository within an hour. */
  commandsPerHour: number
  /** The server's: comments of ours are known by what it signed. */
  secretKey: string
}

/** By somebody who may give it. */
export type Ordered = {
  asked: AskedCommand
  command: HostCommand
  read: HostedComment
  change: HostedChange
  address: ChangeAddress
  /** To write on the host. */
  publishing: HostAccess
}

export type Carried = {
  /** Markdown for the person; null when nothing more is to be said now. */
  answer: string | null
  /** For the record. */
  outcome: string
  /** What the check says is different now: a review, which asks nothing twice, writes it again. */
  isRecounted?: boolean
}
