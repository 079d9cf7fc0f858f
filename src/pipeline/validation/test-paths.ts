/** Which paths are test files: by the conventions of the languages, by what the change says, and by configuration. */

import { isTestPath } from '../../base/file-paths.ts'
import { matchGlobs } from '../../base/globs.ts'
import type { ChangeSet } from '../../domain/change-set.ts'

export function testPathsOf(change: ChangeSet, globs: readonly string[]): (path: string) => boolean {
  const isConfigured = matchGlobs(globs)
  const changed = new Set(change.files.filter(({ role }) => role === 'test').map(({ path }) => path))
  return (path) => changed.has(path) || isTestPath(path) || isConfigured(path)
}
