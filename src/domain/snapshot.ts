/**
 * The only way the rest of the program sees a repository: one frozen tree, read through git objects.
 * No method touches a work tree, so symbolic links, case folding and `..` mean nothing here.
 */
import { z } from 'zod'

export type TreeEntry = {
  /** Relative to the root, `/` as separator, decoded as UTF-8 (lossily, if the repository does not use it). */
  path: string
  /** `100644`, `100755`, `120000` (symbolic link), `160000` (submodule). */
  mode: string
  blob: string
  /** Bytes; null when the object is not here (partial clone) or is a submodule. */
  size: number | null
}

export type FileText = {
  text: string
  blob: string
  /** True when the bytes were not valid UTF-8 and replacement characters stand in. */
  lossy: boolean
}

/** One path at which two trees differ; null where it is absent. */
export type TreeDifference = { path: string; before: TreeEntry | null; after: TreeEntry | null }

export interface RepoSnapshot {
  readonly tree: string
  /** Every entry, in path order. Throws `tree-too-large` past the cap of the adapter. */
  list(): Promise<readonly TreeEntry[]>
  /** The entries below one folder, or the one at that path, reading no other folder; ask `entriesBelow`. */
  listBelow?(folder: string): Promise<readonly TreeEntry[]>
  /** The entry at exactly this path, or null. */
  entry(path: string): Promise<TreeEntry | null>
  /** The file as text, or null when it is absent, binary, too large, a submodule, or its object is missing. */
  read(path: string): Promise<FileText | null>
  /** Many at once, in one round trip to git; absent and unreadable ones are left out of the map. */
  readMany(paths: readonly string[]): Promise<ReadonlyMap<string, FileText>>
  /**
   * Paths of text files that contain at least one of the words as a whole identifier, or as a piece of one between `$`, per
   * word, in path order. Exact, case-sensitive. One pass over the tree whatever the number of words.
   */
  filesWithWords(words: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** The same among these paths alone, which are what an index does not have. */
  filesWithWordsAmong?(
    words: readonly string[],
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
  /**
   * Paths of text files that are too large to be read and contain one of the words, and of files that are too large to be
   * searched, or not here, whatever they contain.
   */
  largeFilesWithWords?(words: readonly string[]): Promise<readonly string[]>
  /**
   * How this tree differs from an earlier one, reading only the folders that differ; sizes of `before` are not looked
   * up. Null when that tree is not here, more than `most` paths differ, or a path is not valid UTF-8.
   */
  changesSince?(tree: string, most: number): Promise<readonly TreeDifference[] | null>
}

/** What `list` has at or below `folder`, in the same order; throws as it does. */
export async function entriesBelow(snapshot: RepoSnapshot, folder: string): Promise<readonly TreeEntry[]> {
  if (snapshot.listBelow) return await snapshot.listBelow(folder)
  return (await snapshot.list()).filter(({ path }) => path === folder || path.startsWith(`${folder}/`))
}

export const HistoryCommit = z.object({
  commit: z.string(),
  authorName: z.string(),
  authorEmail: z.string(),
  /** Seconds since 1970, committer time. */
  time: z.number(),
  subject: z.string(),
  /** Paths changed, as of that commit. */
  paths: z.array(z.string()).readonly(),
})
export type HistoryCommit = z.infer<typeof HistoryCommit>

/** Earlier commits, newest first, from the base of the change backwards; never the change itself. */
export interface RepoHistory {
  /** At most `limit` commits without merges. `complete` is false when the clone is shallow or the limit cut it. */
  recent(limit: number): Promise<{ commits: readonly HistoryCommit[]; complete: boolean }>
}
