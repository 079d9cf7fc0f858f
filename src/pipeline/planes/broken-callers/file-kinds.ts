/** Which files are tests, and which nobody mends by hand, by the conventions of the languages and by configuration. */
import { matchGlobs } from '../../../base/globs.ts'
import type { ChangeSet } from '../../../domain/change-set.ts'

const tests =
  /(?:^|\/)(?:tests?|specs?|__tests__|testing|e2e|testdata|benches|benchmarks?|examples?)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|_test\.(?:go|py|rs)$|[._-](?:test|tests|spec|e2e|bench)\.[A-Za-z]+$|(?:Test|Tests|TestCase|IT)\.java$/

const foreign =
  /(?:^|\/)(?:node_modules|vendor|third_party|thirdparty|dist|\.yarn|\.venv|site-packages|bower_components)\/|\.min\.[cm]?js$|\.(?:pb|gen|generated)\.\w+$|_pb2(?:_grpc)?\.py$|zz_generated/

export type FileKinds = { isTest(path: string): boolean; isForeign(path: string): boolean }

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

/** Generators say so near the top. */
export function saysGenerated(text: string): boolean {
  return /@generated\b|\bDO NOT EDIT\b|[Aa]uto-?generated (?:by|file|from)/.test(text.slice(0, 600))
}
