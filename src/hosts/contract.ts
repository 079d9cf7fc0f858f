/** Where changes come from and where reviews go. Both are plain carriers: a source freezes, a target delivers, neither judges. */
import type { Config } from '../config/schema.ts'
import type { AddedSecret, Unlisted } from '../domain/change-set.ts'
import type { Review } from '../domain/review.ts'
import type { ReviewRequest } from '../domain/review-request.ts'
import type { RepoHistory, RepoSnapshot } from '../domain/snapshot.ts'
import type { OpenPatches } from './repository/open-patches.ts'

/** The collector's half of a host. Holds whatever token the host asks for; knows no model. */
export interface ChangeSource {
  /**
   * Freezes the change. Called again with other limits when the configuration in the base has its own. Throws a
   * `UserError` when there is nothing to compare.
   */
  collect(limits: Config['limits'], signal: AbortSignal): Promise<CollectedChange>
  /** True where the change was collected before, with all that trackers say of it: they are not asked again. */
  readonly isFrozen?: boolean
  /** The folder in which the files of the change may lie, with what linters wrote about them; null and absent where there is none. */
  workTree?(): string | null
  /** Removes what it keeps between two calls, when the last change of it is closed; absent where it keeps nothing. */
  close?(): Promise<void>
}

/** The publisher's half. Knows no model; gets only reviews whose anchors were checked against `change`. */
export interface ReviewTarget<Delivered> {
  /** The change as the target has it now. Its diff decides which findings still have a place. */
  readonly change: CollectedChange
  /** `config` as it lies in the base of the change. */
  deliver(review: Review, config: Config): Promise<Delivered>
}

/** A collected change: the request, and read access to both of its sides. */
export interface CollectedChange {
  readonly request: ReviewRequest
  readonly base: RepoSnapshot
  readonly head: RepoSnapshot
  readonly history: RepoHistory
  /** For people; a path or a host's name of the repository. Never part of a hash. */
  readonly repositoryLabel: string
  /** Where a local repository was cloned from, as it says itself; foreign, and never part of a hash. Absent for a change of a host. */
  readonly originUrl?: string | null
  /**
   * The branch that the change is made on; null when it is on none, such as a commit out of the middle. For pointers to
   * tickets; never part of a hash, since another clone may be on another branch. Absent where it is not known.
   */
  branch?(): Promise<string | null>
  /**
   * What the other open change requests of its repository change; those that were read when `isOutOfTime` answers true.
   * Absent where no host can be asked. Throws as `RepositoryReader` does.
   */
  openPatches?(isOutOfTime: () => boolean, signal: AbortSignal): Promise<OpenPatches>
  /**
   * The whole change as git prints it (`diff --git …`, base to head, renames and copies found), as bytes,
   * with the files whose objects are missing named instead of failing.
   */
  diff(): Promise<RawDiff>
  /**
   * Writes every object of both trees as one git pack, so that another process can read the change without this
   * repository. `file`: open for writing. Absent where only what an earlier run read is known.
   */
  pack?(file: number): Promise<void>
  /**
   * The same change within other limits; of what was opened and read for it, what they do not change is used again. It
   * takes the place of this one, which is closed with it. Absent where it would have to be collected again.
   */
  within?(limits: Config['limits']): Promise<CollectedChange>
  /** Removes what was made on disk for it. */
  close(): Promise<void>
}

export type RawDiff = {
  /** One per changed file, in git's order. */
  files: RawFileDiff[]
  /** Paths beyond the cap on changed files; not in `files`. The first of them; the others are counted in `unlisted`. */
  overflow: string[]
  unlisted?: Unlisted
}

/** Names and modes come from `--raw -z`, never from the patch text, so odd paths cannot be misread. */
export type RawFileDiff = {
  path: string
  oldPath: string | null
  /** Git's letter: A, D, M, R, C, T. */
  status: string
  similarity: number | null
  oldMode: string | null
  newMode: string | null
  oldBlob: string | null
  newBlob: string | null
  /** From `--numstat -z`; null for binary. */
  added: number | null
  removed: number | null
  /** The file's part of the patch, raw bytes; null when it was left out, and then why. */
  patch: Uint8Array | null
  omitted: string | null
  /** At the head, and nowhere before in the files of the change; absent when there are none. */
  secrets?: AddedSecret[]
}

/** The one question a local repository can be asked: what shall be reviewed? */
export type ChangeSelector = ChangeKind & {
  /** Only these files and folders, absolute or relative to `pathsFrom`; all when not given. */
  paths?: readonly string[]
  /** The current folder when not given. */
  pathsFrom?: string
}

export type ChangeKind =
  | { kind: 'auto' }
  | { kind: 'uncommitted' }
  | { kind: 'staged' }
  | { kind: 'unstaged' }
  /** The current branch (or work tree, when dirty) against where it left `base`. */
  | { kind: 'base'; base: string }
  /** `A..B` compares the two; `A...B` starts at their merge base. */
  | { kind: 'range'; range: string }
  | { kind: 'commit'; commit: string }
  /** A branch against where it left the default one; any other name as the commit it stands for. */
  | { kind: 'name'; name: string }
  /** Unified diff bytes, applied to `base` (default HEAD). */
  | { kind: 'patch'; patch: Uint8Array; base: string | null }
  /** The work tree with texts that are not on disk yet; only these files are reviewed. Null: the file is deleted. */
  | { kind: 'unsaved'; files: readonly UnsavedFile[] }

/** `path` from the root of the repository, with `/`. */
export type UnsavedFile = { readonly path: string; readonly text: string | null }
