/** What a change did to files and lines. Made by `pipeline/diff`, read by everything after it. */
import { z } from 'zod'
import { isWithin } from '../base/file-paths.ts'

export const LineKind = z.enum(['context', 'added', 'removed'])

/** One line of a hunk. Numbers are 1-based; a side on which the line does not exist is null. */
export const DiffLine = z.object({
  kind: LineKind,
  old: z.number().int().positive().nullable(),
  new: z.number().int().positive().nullable(),
  /** Without its line feed; a carriage return stays. */
  text: z.string(),
  /** Three characters of the SHA-256 of `text`, as shown in the tag. See `lineHash`. */
  hash: z.string(),
  /** True on the last line of a side that does not end in a line feed. */
  noNewline: z.boolean().optional(),
})
export type DiffLine = z.infer<typeof DiffLine>

export const Hunk = z.object({
  oldStart: z.number().int().nonnegative(),
  oldLines: z.number().int().nonnegative(),
  newStart: z.number().int().nonnegative(),
  newLines: z.number().int().nonnegative(),
  /** What git prints behind the second `@@`: usually the enclosing function. */
  section: z.string(),
  lines: z.array(DiffLine),
})
export type Hunk = z.infer<typeof Hunk>

export const FileStatus = z.enum(['added', 'deleted', 'modified', 'renamed', 'copied', 'type-changed'])
export type FileStatus = z.infer<typeof FileStatus>

export const FileKind = z.enum(['text', 'binary', 'submodule', 'symlink'])
export type FileKind = z.infer<typeof FileKind>

/** Why a person would not read this file; such files are listed in coverage, not reviewed line by line. */
export const FileRole = z.enum([
  'source',
  'test',
  'docs',
  'config',
  'lock',
  'generated',
  'vendored',
  'minified',
  'data',
  'excluded',
])
export type FileRole = z.infer<typeof FileRole>

/** Of a file with such a role no line is read by a model: no person wrote it, or the configuration leaves it out. */
export const unreadRoles: ReadonlySet<FileRole> = new Set([
  'lock',
  'generated',
  'vendored',
  'minified',
  'excluded',
])

/** What `omitted` says of an excluded file that was searched for secrets and hidden text all the same. */
export const onlySearched = 'excluded by the configuration'

/** A secret at the head of a file. Its value is known to nobody behind the collector; lines and quotes show it masked. */
export const AddedSecret = z.object({
  /** At the head; of a key over several lines the first. */
  line: z.number().int().positive(),
  /** The last, of a key over several lines. */
  endLine: z.number().int().positive().optional(),
  /** What it is, for people: `GitHub token`. */
  kind: z.string(),
  /** The form alone proves it; otherwise it is a value that looks like one. */
  certain: z.boolean(),
})
export type AddedSecret = z.infer<typeof AddedSecret>

export const FileChange = z.object({
  /** The path at the head; for a deleted file, the path it had. */
  path: z.string(),
  /** Set when the file had another path at the base (rename or copy). */
  oldPath: z.string().nullable(),
  status: FileStatus,
  kind: FileKind,
  role: FileRole,
  /** Language id as the code index names it (`typescript`, `python` …), or null. */
  language: z.string().nullable(),
  /** Six-digit octal modes as git writes them; null where the side does not exist. */
  oldMode: z.string().nullable(),
  newMode: z.string().nullable(),
  /** Object ids of the two sides; null where the side does not exist. For a submodule these are commits. */
  oldBlob: z.string().nullable(),
  newBlob: z.string().nullable(),
  /** Percent, for renames and copies. */
  similarity: z.number().int().min(0).max(100).nullable(),
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
  hunks: z.array(Hunk),
  /** Set when the hunks are not (all) here, and why: too large, object missing, … */
  omitted: z.string().nullable(),
  /** Set when the text was not valid UTF-8 and was read with replacement characters. */
  lossyText: z.boolean().optional(),
  /** Lines of the head within hunks that hold a zero byte, which is read as a replacement character. */
  zeroByteLines: z.array(z.number().int().positive()).optional(),
  /** Secrets that stand nowhere in the files of the change before it; absent when there are none. */
  secrets: z.array(AddedSecret).optional(),
})
export type FileChange = z.infer<typeof FileChange>

/** Where a file of the base is at the head: its new path after a rename, otherwise the same. */
export function pathAfterRenames(files: readonly FileChange[]): (path: string) => string {
  const renamed = new Map(
    files.flatMap(({ path, oldPath, status }) => (status === 'renamed' && oldPath ? [[oldPath, path]] : [])),
  )
  return (path) => renamed.get(path) ?? path
}

/** Files that are so many that a list of them would be the attack: their number, and what tells two such lists apart. */
export const Unlisted = z.object({
  files: z.number().int().positive(),
  /** Of their paths in git's order, each with a zero byte behind it. */
  sha256: z.string(),
})
export type Unlisted = z.infer<typeof Unlisted>

export const ChangeSet = z.object({
  files: z.array(FileChange),
  /** Changed files beyond the cap, by path only: the first of them, and then `unlisted`. Never silently dropped. */
  overflow: z.array(z.string()),
  unlisted: Unlisted.optional(),
})
export type ChangeSet = z.infer<typeof ChangeSet>

/** Whether a review that was limited to the paths looks at the file. */
export function isAmong(
  { path, oldPath }: Pick<FileChange, 'path' | 'oldPath'>,
  paths: readonly string[],
): boolean {
  return isWithin(path, paths) || (oldPath !== null && isWithin(oldPath, paths))
}

/** How many changed files are beyond the cap, by name or not. */
export function countBeyond({ overflow, unlisted }: Pick<ChangeSet, 'overflow' | 'unlisted'>): number {
  return overflow.length + (unlisted?.files ?? 0)
}

/** What is near a change, for whoever puts the nearest first. */
export type ChangeSurroundings = {
  /** Changed files; `oldPath` where the file had another name before. */
  changed: readonly { path: string; oldPath: string | null }[]
  /** Files that retrieval found to be related: callers, callees, tests. */
  related: readonly string[]
}

/** Which side of the diff a line number belongs to: `old` is the base, `new` the head. */
export const Side = z.enum(['old', 'new'])
export type Side = z.infer<typeof Side>

/** The path of a changed file on one side. A side on which there is no such file has the path of the other. */
export function pathOn(side: Side, { path, oldPath }: Pick<FileChange, 'path' | 'oldPath'>): string {
  return side === 'old' ? (oldPath ?? path) : path
}

/** A definition in a file of the change: the lines of it, at the head. */
export type ChangedDefinition = { path: string; startLine: number; endLine: number }

/** By file, the definitions in other files of the change that it uses. */
export type ChangedUses = ReadonlyMap<string, readonly ChangedDefinition[]>
