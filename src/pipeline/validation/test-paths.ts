/** Which paths are test files: by the conventions of the languages, by what the change says, and by configuration. */
import picomatch from 'picomatch'
import type { ChangeSet } from '../../domain/change-set.ts'

const conventions =
  /(?:^|\/)(?:tests?|specs?|__tests__|testing|e2e)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|[._-](?:test|tests|spec|e2e)\.[A-Za-z]+$|(?:Test|Tests|TestCase|IT)\.(?:java|kt|cs)$/

export function testPathsOf(change: ChangeSet, globs: readonly string[]): (path: string) => boolean {
  const isConfigured = picomatch([...globs], { dot: true })
  const changed = new Set(change.files.filter(({ role }) => role === 'test').map(({ path }) => path))
  return (path) => changed.has(path) || conventions.test(path) || isConfigured(path)
}
