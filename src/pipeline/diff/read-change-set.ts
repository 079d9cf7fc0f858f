/** Turns git's own account of a change into the `ChangeSet` that everything after it reads. */
import picomatch from 'picomatch'
import { languageOf } from '../../code-index/language-of.ts'
import type { ChangeSet, FileChange, FileKind, FileStatus } from '../../domain/change-set.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { RawDiff, RawFileDiff } from '../../hosts/contract.ts'
import { createRoleOf, type RoleOf } from './file-role.ts'
import { type ParsedHunks, parseHunks } from './parse-hunks.ts'

export type ChangeSettings = {
  /** Globs of the configuration: never reviewed, further generated files, further test files. */
  exclude: readonly string[]
  generated: readonly string[]
  tests: readonly string[]
  base: RepoSnapshot
}

const statusOf: Record<string, FileStatus> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
}

/** A file whose patch cannot be read is kept with `omitted` set; nothing is dropped and nothing throws for one file. */
export async function readChangeSet(raw: RawDiff, settings: ChangeSettings): Promise<ChangeSet> {
  const roleOf = createRoleOf(settings)
  const isExcluded = picomatch([...settings.exclude], { dot: true })
  const basePaths = raw.files.filter((file) => file.oldBlob !== null).map((file) => file.oldPath ?? file.path)
  const baseTexts = await settings.base.readMany(basePaths)
  const files = raw.files.map((file) => {
    const change = readFile(file, roleOf, baseTexts.get(file.oldPath ?? file.path)?.text ?? null)
    return isExcluded(file.path) ? { ...change, hunks: [], omitted: 'excluded by the configuration' } : change
  })
  return { files, overflow: raw.overflow }
}

function readFile(raw: RawFileDiff, roleOf: RoleOf, baseText: string | null): FileChange {
  const parsed = readHunks(raw)
  const kind = kindOf(raw, parsed.hunks.length > 0)
  return {
    path: raw.path,
    oldPath: raw.oldPath,
    status: statusOf[raw.status] ?? 'modified',
    kind,
    role: roleOf(raw.path, parsed.hunks, baseText),
    language: kind === 'text' ? languageOf(raw.path) : null,
    oldMode: raw.oldMode,
    newMode: raw.newMode,
    oldBlob: raw.oldBlob,
    newBlob: raw.newBlob,
    similarity: raw.similarity,
    added: raw.added ?? 0,
    removed: raw.removed ?? 0,
    hunks: parsed.hunks,
    omitted: raw.omitted ?? parsed.omitted,
    ...(parsed.lossy ? { lossyText: true } : {}),
  }
}

function readHunks(raw: RawFileDiff): ParsedHunks & { omitted: string | null } {
  if (raw.patch === null || raw.patch.length === 0) return { hunks: [], lossy: false, omitted: null }
  try {
    const parsed = parseHunks(raw.patch)
    return { ...parsed, omitted: disagreement(raw, parsed) }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return { hunks: [], lossy: false, omitted: `the patch could not be read: ${words}` }
  }
}

/** Git counts the lines apart from the patch; two counts that differ mean that one of them was misread. */
function disagreement(raw: RawFileDiff, { hunks }: ParsedHunks): string | null {
  if (raw.added === null || raw.removed === null) return null
  const count = (kind: string) =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((l) => l.kind === kind).length, 0)
  const [added, removed] = [count('added'), count('removed')]
  if (added === raw.added && removed === raw.removed) return null
  return `the patch has +${added} −${removed} lines, git counts +${raw.added} −${raw.removed}`
}

function kindOf(raw: RawFileDiff, hasHunks: boolean): FileKind {
  const modes = [raw.oldMode, raw.newMode]
  if (modes.includes('160000')) return 'submodule'
  if (modes.includes('120000')) return 'symlink'
  return raw.added === null && !hasHunks && raw.omitted === null ? 'binary' : 'text'
}
