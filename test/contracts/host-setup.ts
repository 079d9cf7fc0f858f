/** What the contract suite has to know of a host: its adapter, and how its stand-in is set up. */
import type { ChangeAddress } from '../../src/hosts/remote/contract.ts'
import type { Host } from '../../src/hosts/remote/host.ts'
import type { Change } from '../helpers/hosts/engine/change.ts'
import type { Faults } from '../helpers/hosts/engine/faults.ts'
import type { Project, World } from '../helpers/hosts/engine/world.ts'

/** A strict server on 127.0.0.1: it enforces the published API over a real git repository. */
export type FakeHost = {
  readonly url: string
  readonly world: World
  readonly faults: Faults
  readonly violations: readonly string[]
  writes(): readonly unknown[]
  close(): Promise<void>
}

export type HostSetup = {
  readonly name: string
  readonly host: Host
  /** Writes for a first review with one body, any comments and a check, and two for the lock: 4 where one request carries all. */
  readonly mostWrites: number
  /** The host has no reviews: a note of the conversation has the body. */
  readonly bodyIsNote?: true
  /** The host has no such thing, or nothing that is published of it. */
  readonly lacks?: ReadonlySet<
    | 'labels'
    | 'lock'
    | 'checks'
    | 'edits'
    | 'forks'
    | 'renaming'
    | 'former names'
    | 'heads of deleted forks'
    | 'html'
    | 'patches'
    | 'whole ids in lists'
  >
  /** Of a repository, where names may have what an address has to encode. */
  readonly spacedName?: string
  /** The lock is a comment that nobody else sees, and the first that is posted. */
  readonly locksByComment?: true
  /** Of the requests that read and post comments, where it has neither reviews nor discussions. */
  readonly commentPath?: RegExp
  start(): Promise<FakeHost>
  addressOf(fake: FakeHost, project: Project, change: Change): ChangeAddress
  /** Tokens with the least rights for each half. */
  tokens(fake: FakeHost, project: Project): { read: string; write: string; tokenName: string }
  /** What the host calls a note, where that is not its number. */
  noteId?(fake: FakeHost, change: Change, note: number): string
  /** What the account reacted with, or its lock where that is something else. */
  reactions(fake: FakeHost): readonly unknown[]
  /** Begins a secondary rate limit for everything that writes. */
  limitWrites(fake: FakeHost, seconds: number): void
}
