/** What every search of this plane looks at. */
import type { ParseFailure } from '../../../code-index/contract.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import type { ChangeSet } from '../../../domain/change-set.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { FileKinds } from './file-kinds.ts'

export type Scene = {
  base: World
  head: World
  headSnapshot: RepoSnapshot
  change: ChangeSet
  kinds: FileKinds
  /** Files that could not be parsed so far. */
  failures(): readonly ParseFailure[]
  /** By the clock of `performance`: uses are judged until then. */
  endsAt: number
  signal: AbortSignal
}
