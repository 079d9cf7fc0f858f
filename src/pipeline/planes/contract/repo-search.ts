/** What every search of this plane works on, and which files are tests, generated or third-party. */
import { matchGlobs } from '../../../base/globs.ts'
import type { ParseFailure } from '../../../code-index/contract.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import type { ChangeSet } from '../../../domain/change-set.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'

export type RepoSearch = {
  base: World
  head: World
  headSnapshot: RepoSnapshot
  change: ChangeSet
  kinds: FileKinds
  /** Files that could not be parsed so far. */
  failures(): readonly ParseFailure[]
  /** By the clock of `performance`; uses are judged until then. */
  endsAt: number
  signal: AbortSignal
}

const tests =
  /(?:^|\/)(?:tests?|specs?|__tests__|testing|e2e|testdata|benches|benchmarks?|examples?)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|_test\.(?:go|py|rs)$|[._-](?:test|tests|spec|e2e|bench)\.[A-Za-z]+$|(?:Test|Tests|TestCase|IT)\.java$/

const foreign =
  /(?:^|\/)(?:node_modules|__snapshots__|__generated__|vendor|third_party|thirdparty|dist|\.yarn|\.venv|site-packages|bower_components)\/|\.min\.[cm]?js$|\.(?:pb|gen|generated)\.\w+$|_pb2(?:_grpc)?\.py$|zz_generated/

export type FileKinds = { isTest(path: string): boolean; isForeign(path: string): boolean }

/** By the conventions of the languages and by configuration. `isForeign`: not edited by hand. */
export function fileKinds(
  change: ChangeSet,
  paths: { exclude: string[]; generated: string[]; tests: string[] },
): FileKinds {
  const testGlobs = matchGlobs(paths.tests)
  const foreignGlobs = matchGlobs([...paths.generated, ...paths.exclude])
  const roles = new Map(change.files.map(({ path, role }) => [path, role]))
  return {
    isTest: (path) => roles.get(path) === 'test' || tests.test(path) || testGlobs(path),
    isForeign: (path) =>
      ['generated', 'vendored', 'minified'].includes(roles.get(path) ?? '') ||
      foreign.test(path) ||
      foreignGlobs(path),
  }
}
