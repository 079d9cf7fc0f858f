/** Which changed files a model is asked about: those that a person would read. Coverage lists the rest, with the rule. */
import { matchGlobs } from '../../../base/globs.ts'
import type { Config } from '../../../config/schema.ts'
import type { ChangeSet, FileChange } from '../../../domain/change-set.ts'

const unread: ReadonlySet<FileChange['role']> = new Set(['lock', 'generated', 'vendored', 'minified'])

/** In the order of the change. A file without lines to read (renamed, binary) is in the overview, and nothing more. */
export function selectFiles(change: ChangeSet, { paths }: Config): FileChange[] {
  const isExcluded = matchGlobs(paths.exclude)
  return change.files.filter(
    ({ path, kind, role, hunks }) =>
      hunks.length > 0 && kind !== 'binary' && kind !== 'submodule' && !unread.has(role) && !isExcluded(path),
  )
}
