/** Code that a deleted test called, that still exists, that no other test mentions, and that nothing else uses. */
import { isTestPath } from '../../../base/file-paths.ts'
import type { ChangeSet, FileChange } from '../../../domain/change-set.ts'
import type { CodeSymbol, SymbolChange } from '../../../domain/code-symbol.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { changedLines } from '../changed-lines.ts'
import { isAssertion, type TestFile } from './test-files.ts'

/** Names searched for at once; a change that deletes more tests than that is a clean-up. */
const mostNames = 400
const shortestName = 4

export type DeletedTest = {
  test: TestFile
  symbol: CodeSymbol
  /** What it called. */
  name: string
  /** The one file of code at the head that still holds the name. */
  stillIn: string
}

export type DeletedSources = { change: ChangeSet; symbols: readonly SymbolChange[]; head: RepoSnapshot }

/** One for each name, with the first test that called it. */
export async function findDeletedTests(
  tests: readonly TestFile[],
  { change, symbols, head }: DeletedSources,
): Promise<DeletedTest[]> {
  // New assertions may test the same code in another way, and removing code removes its tests.
  if (tests.some(gainsAssertions) || change.files.some(removesCode)) return []
  // Tests inside the file of the code (Rust) cannot be distinguished from the code by path.
  const apart = tests.filter(({ file }) => file.role === 'test')
  const called = apart.flatMap((test) => test.gone.flatMap((symbol) => callsOf(test, symbol)))
  const names = [...new Set(called.map(({ name }) => name))]
  if (names.length === 0 || names.length > mostNames) return []
  const files = await head.filesWithWords(names)
  const isTest = testPaths(change)
  const removed = new Set(
    symbols.flatMap(({ kind, before }) =>
      kind === 'removed' || kind === 'renamed' ? (before?.symbol.name ?? []) : [],
    ),
  )
  const found = new Map<string, DeletedTest>()
  for (const { test, symbol, name } of called) {
    // Tests of whatever uses it may run through it, and a word in two files need not be one thing.
    const [stillIn, ...others] = (files.get(name) ?? []).filter((path) => isCode(path) || isTest(path))
    if (stillIn === undefined || others.length > 0 || isTest(stillIn)) continue
    if (removed.has(name) || found.has(name)) continue
    found.set(name, { test, symbol, name, stillIn })
  }
  return [...found.values()]
}

/** Functions and classes of the repository that the test file imports and the test calls. */
function callsOf(test: TestFile, symbol: CodeSymbol): { test: TestFile; symbol: CodeSymbol; name: string }[] {
  const { before } = test
  if (!before) return []
  const imported = new Set(
    before.facts.imports
      .filter(({ source }) => /^[.@~#/]|^crate\b|^super\b/.test(source) || before.facts.language === 'python')
      .flatMap(({ local, imported: name }) => (local === name ? [name] : [])),
  )
  const isLocal = before.facts.language === 'go' || before.facts.language === 'java'
  const names = before.facts.references
    .filter(
      ({ line, role, shadowed }) =>
        symbol.startLine <= line && line <= symbol.endLine && role === 'call' && !shadowed,
    )
    .filter(({ name, receiver }) => imported.has(name) || (isLocal && receiver === null))
    .map(({ name }) => name)
    .filter((name) => name.length >= shortestName)
  return [...new Set(names)].map((name) => ({ test, symbol, name }))
}

function testPaths({ files }: ChangeSet): (path: string) => boolean {
  const roles = new Map(files.map(({ path, role }) => [path, role]))
  return (path) => roles.get(path) === 'test' || isTestPath(path)
}

function gainsAssertions({ file, fresh, language }: TestFile): boolean {
  const added = changedLines(file, 'new', 1, Number.POSITIVE_INFINITY)
  return fresh.length > 0 || added.some(({ text }) => isAssertion(text, language))
}

function removesCode({ status, role }: FileChange): boolean {
  return status === 'deleted' && role === 'source'
}

function isCode(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|pyi?|go|rs|java)$/.test(path)
}
