/** Turns git's diff into the `ChangeSet` that all later stages read. */
import { isUnwrittenPath } from '../../base/file-paths.ts'
import { matchChanged } from '../../base/globs.ts'
import { languageOf } from '../../code-index/language-of.ts'
import {
  type ChangeSet,
  type DiffLine,
  type FileChange,
  type FileKind,
  type FileStatus,
  isAmong,
  onlySearched,
} from '../../domain/change-set.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { RawDiff, RawFileDiff } from '../../hosts/contract.ts'
import { type BaseTraits, createRoleOf, type RoleOf, readBaseTraits } from './file-role.ts'
import { type ParsedHunks, parseHunks } from './parse-hunks.ts'

export type ChangeSettings = {
  /** Globs of the configuration: searched for secrets and hidden text only, further generated files, further test files. */
  exclude: readonly string[]
  generated: readonly string[]
  tests: readonly string[]
  base: RepoSnapshot
  /** Files and folders that the review is limited to. */
  within?: readonly string[] | undefined
  /** Tests narrow them. */
  limits?: ChangeLimits
}

/** Of all files together; a file that no longer fits is listed, not read. */
export type ChangeLimits = { lines: number; bytes: number }

/** A bundle has to fit into memory, and its JSON into one string, where a byte may take six characters. */
const defaultLimits: ChangeLimits = { lines: 400_000, bytes: 48 * 1024 * 1024 }

const statusOf: Record<string, FileStatus> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
}

/**
 * A file whose patch cannot be read is kept with `omitted` set; nothing is dropped and nothing throws for one file.
 * Paths, modes and status are those of `raw`, never those of the patch text.
 */
export async function readChangeSet(raw: RawDiff, settings: ChangeSettings): Promise<ChangeSet> {
  const parsed = readPatches(raw.files, settings)
  const traits = await readBaseTraits(raw.files, settings.base)
  const roleOf = createRoleOf(settings)
  const isExcluded = matchChanged(settings.exclude)
  const files = raw.files.map((file) =>
    describe(
      file,
      parsed.get(file) ?? nothing,
      isExcluded(file) ? () => 'excluded' : roleOf,
      traits.get(file),
    ),
  )
  return { files, overflow: raw.overflow, ...(raw.unlisted ? { unlisted: raw.unlisted } : {}) }
}

type ReadPatch = ParsedHunks & { omitted: string | null }

const nothing: ReadPatch = { hunks: [], lossy: false, zeroByteLines: [], omitted: null }

/** In git's order, but lock files and the like come last, so that they take no room from the code. */
function readPatches(
  files: readonly RawFileDiff[],
  { exclude, within, limits = defaultLimits }: ChangeSettings,
): Map<RawFileDiff, ReadPatch> {
  const patches = new Map<RawFileDiff, ReadPatch>()
  const left = { ...limits }
  const isExcluded = matchChanged(exclude)
  const isLast = (file: RawFileDiff) => isUnwrittenPath(file.path) || isExcluded(file)
  for (const file of [...files.filter((one) => !isLast(one)), ...files.filter(isLast)]) {
    const bytes = file.patch?.length ?? 0
    if (within && !isAmong(file, within)) {
      patches.set(file, { ...nothing, omitted: 'outside of the paths that were named' })
    } else if (bytes > left.bytes || (file.added ?? 0) + (file.removed ?? 0) > left.lines) {
      patches.set(file, { ...nothing, omitted: 'the change is too large to be read whole' })
    } else {
      const patch = isExcluded(file) ? suspectsOf(file, readPatch(file)) : readPatch(file)
      left.bytes -= bytes
      left.lines -= patch.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
      patches.set(file, patch)
    }
  }
  return patches
}

function readPatch(raw: RawFileDiff): ReadPatch {
  if (raw.patch === null || raw.patch.length === 0) return { ...nothing, omitted: raw.omitted }
  try {
    const parsed = parseHunks(raw.patch)
    return { ...parsed, omitted: raw.omitted ?? disagreement(raw, parsed) }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return { ...nothing, omitted: `the patch could not be read: ${words.slice(0, 200)}` }
  }
}

const mayHide = /[^\t\r\x20-\x7e]/

/** Excluded is not unseen: the hunks in which the checks for secrets and hidden text may find something. */
function suspectsOf({ secrets = [] }: RawFileDiff, patch: ReadPatch): ReadPatch {
  const isSecret = (at: number) => secrets.some(({ line, endLine = line }) => line <= at && at <= endLine)
  const isSuspect = ({ kind, text, new: at }: DiffLine) =>
    kind !== 'context' && (mayHide.test(text) || (at !== null && isSecret(at)))
  return {
    ...patch,
    hunks: patch.hunks.filter(({ lines }) => lines.some(isSuspect)),
    omitted: patch.omitted ?? onlySearched,
  }
}

/** Git counts the lines apart from the patch; two counts that differ mean that one of them was misread. */
function disagreement(raw: RawFileDiff, { hunks }: ParsedHunks): string | null {
  if (raw.added === null || raw.removed === null) return null
  const count = (kind: string) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.kind === kind).length, 0)
  const [added, removed] = [count('added'), count('removed')]
  if (added === raw.added && removed === raw.removed) return null
  return `the patch has +${added} −${removed} lines, git counts +${raw.added} −${raw.removed}`
}

function describe(
  raw: RawFileDiff,
  { hunks, lossy, zeroByteLines, omitted }: ReadPatch,
  roleOf: RoleOf,
  traits: BaseTraits | undefined,
): FileChange {
  const kind = kindOf(raw, hunks.length > 0)
  const language = languageOf(raw.path, firstLineOf(hunks) ?? traits?.firstLine)
  const isDisguised = kind === 'binary' && language !== null
  const role = roleOf(raw.path, hunks, traits ?? null)
  return {
    path: raw.path,
    oldPath: raw.oldPath,
    status: statusOf[raw.status] ?? 'modified',
    kind: isDisguised ? 'text' : kind,
    // What git cannot show as lines, and no language claims, is not written by hand.
    role: kind === 'binary' && language === null && role === 'source' ? 'data' : role,
    language: kind === 'text' || isDisguised ? language : null,
    oldMode: raw.oldMode,
    newMode: raw.newMode,
    oldBlob: raw.oldBlob,
    newBlob: raw.newBlob,
    similarity: raw.similarity,
    added: raw.added ?? 0,
    removed: raw.removed ?? 0,
    hunks,
    omitted: isDisguised ? disguised : omitted,
    ...(lossy ? { lossyText: true } : {}),
    ...(zeroByteLines.length > 0 ? { zeroByteLines } : {}),
    ...(raw.secrets ? { secrets: raw.secrets } : {}),
  }
}

/** Undefined where the change shows another part of the file. */
function firstLineOf(hunks: ParsedHunks['hunks']): string | undefined {
  return hunks[0]?.lines.find((line) => line.new === 1)?.text
}

/** Not left out by a rule, since the author may have hidden it on purpose. */
const disguised = 'it has the name of source code and the content of a binary file'

function kindOf(raw: RawFileDiff, hasHunks: boolean): FileKind {
  const modes = [raw.oldMode, raw.newMode]
  if (modes.includes('160000')) return 'submodule'
  if (modes.includes('120000')) return 'symlink'
  return raw.added === null && !hasHunks && raw.omitted === null ? 'binary' : 'text'
}
