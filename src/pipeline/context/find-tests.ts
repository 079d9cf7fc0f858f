/** Which tests name the symbols that a change touches: the first thing a reviewer wants to know after the diff. */
import { isTestPath } from '../../base/file-paths.ts'
import { matchGlobs } from '../../base/globs.ts'
import { languageOf } from '../../code-index/language-of.ts'
import { partsOf } from '../../code-index/lexical/terms.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import type { SymbolTests } from '../../domain/review-context.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import { commonFolders, inTurns } from './retrieval/near-files.ts'

export type TestQuestion = {
  symbols: readonly SymbolChange[]
  change: ChangeSet
  head: RepoSnapshot
  /** Further test files, by configuration. */
  globs: readonly string[]
}

/** Symbols beyond this many say no more about the change. */
const symbolLimit = 60
const testLimit = 30
const userLimit = 100

/** Tests whose text is read, to tell what a common word means in them; those nearest to what they may test. */
const mostRead = 80

/** Their file is known by its folder. */
const indexFiles: ReadonlySet<string> = new Set(['index', 'mod', 'main', 'lib', '__init__'])

/** Known to others by the name of their type. */
const constructors: ReadonlySet<string> = new Set(['constructor', '__init__', '__construct', 'initialize'])

/** What may follow the name of a module where it is imported. */
const importEnds: ReadonlySet<string> = new Set(["'", '"', '.', ';', '>', ' ', '\n', ':'])

/** Names that are everywhere say nothing: `run`, `get`, `id`. */
const shortestName = 4

const kinds: ReadonlySet<string> = new Set(['function', 'method', 'class', 'struct', 'interface', 'macro'])

/** In the order of the symbols; without those whose behaviour did not change or that only their file sees. */
export async function findTests({ symbols, change, head, globs }: TestQuestion): Promise<SymbolTests[]> {
  const isConfigured = matchGlobs(globs)
  const isTest = (path: string) => isTestPath(path) || isConfigured(path)
  const asked = symbols.flatMap(({ kind, after }) => {
    if (!after || kind === 'moved' || !isWorthAsking(after.symbol) || isTest(after.path)) return []
    const { name, scope } = after.symbol
    return [{ symbol: constructors.has(name) ? (typeIn(scope) ?? name) : name, path: after.path, scope }]
  })
  const distinct = [...new Map(asked.map((one) => [`${one.path}\0${one.symbol}`, one])).values()].slice(
    0,
    symbolLimit,
  )
  if (distinct.length === 0) return []
  const files = await head.filesWithWords([...new Set(distinct.map(({ symbol }) => symbol))])
  const changed = new Set(change.files.map(({ path }) => path))
  const naming = new Map(distinct.map((one) => [one, (files.get(one.symbol) ?? []).filter(isTest)]))
  const doubtful = [...naming].map(([{ symbol, path }, tests]) =>
    isTelling(symbol) ? [] : nearestFirst(tests, path),
  )
  const texts = await head.readMany(inTurns(doubtful).slice(0, mostRead))
  const usersOf = (paths: readonly string[]) =>
    paths
      .filter((path) => !isTest(path) && !changed.has(path) && languageOf(path) !== null)
      .slice(0, userLimit)
  return distinct.map((one) => ({
    symbol: one.symbol,
    path: one.path,
    tests: (naming.get(one) ?? [])
      .filter((path) => isTelling(one.symbol) || isAbout(one, path, texts.get(path)?.text))
      .slice(0, testLimit)
      .map((path) => ({ path, changed: changed.has(path) })),
    ...(isTelling(one.symbol) ? { users: usersOf(files.get(one.symbol) ?? []) } : {}),
  }))
}

/** A single word (`create`, `handler`) may mean anything; a name of two parts rarely means two things. */
function isTelling(name: string): boolean {
  return partsOf(name).length > 1
}

/** Whether a test that has a common word means this symbol: it is named after the file, imports it, or names the type. */
function isAbout({ path, scope }: { path: string; scope: string }, test: string, text = ''): boolean {
  const [file = '', folder = ''] = path.split('/').reverse()
  const [stem = ''] = file.split('.')
  const source = indexFiles.has(stem) ? folder : stem
  const type = typeIn(scope)
  const isNamedAfter = source.length >= shortestName && lettersOf(test).includes(lettersOf(source))
  return (
    isNamedAfter || (source !== '' && importsFile(text, source)) || (type !== null && text.includes(type))
  )
}

/** Looks at each place where the name is, which most texts have few of. */
function importsFile(text: string, source: string): boolean {
  for (let at = text.indexOf(source); at >= 0; at = text.indexOf(source, at + 1)) {
    const before = text.charAt(at - 1)
    if ((before === '/' || before === '.') && importEnds.has(text.charAt(at + source.length))) return true
  }
  return false
}

/** Equal ones stay in path order. */
function nearestFirst(tests: readonly string[], path: string): string[] {
  return tests
    .map((test) => ({ test, common: commonFolders(test, path) }))
    .sort((a, b) => b.common - a.common)
    .map(({ test }) => test)
}

/** `user-service` and `UserService` are one. */
function lettersOf(path: string): string {
  return path.toLowerCase().replace(/[^a-z0-9/]/g, '')
}

function typeIn(scope: string): string | null {
  return scope.split('.').at(-1) || null
}

function isWorthAsking({
  kind,
  name,
  visibility,
  isTest,
}: NonNullable<SymbolChange['after']>['symbol']): boolean {
  return kinds.has(kind) && visibility !== 'private' && !isTest && name.length >= shortestName
}
