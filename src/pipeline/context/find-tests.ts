/** Which tests name the symbols that a change touches: the first thing a reviewer wants to know after the diff. */
import { isTestCodePath } from '../../base/file-paths.ts'
import { matchGlobs } from '../../base/globs.ts'
import { languageOf } from '../../code-index/language-of.ts'
import { partsOf } from '../../code-index/lexical/terms.ts'
import { moduleWordOf } from '../../code-index/query/target-names.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import { mostUsers, type SymbolTests } from '../../domain/review-context.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import { isEverywhere } from './everywhere.ts'
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

/** Tests whose text is read for what they import; those nearest to what they may test. */
const mostRead = 80

/** Their file is known by its folder; those of routers among them. */
const indexFiles: ReadonlySet<string> = new Set([
  ...['index', 'mod', 'main', 'lib', '__init__'],
  ...['+page', '+layout', '+server', 'page', 'layout', 'route'],
])

/** Known to others by the name of their type. */
const constructors: ReadonlySet<string> = new Set(['constructor', '__init__', '__construct', 'initialize'])

/** What may follow the name of a module where it is imported. */
const importEnds: ReadonlySet<string> = new Set(["'", '"', '.', ';', '>', ' ', '\n', ':'])

/** Shorter names say nothing: `run`, `get`, `id`. */
const shortestName = 4

const kinds: ReadonlySet<string> = new Set(['function', 'method', 'class', 'struct', 'interface', 'macro'])

/** In the order of the symbols; without those whose behaviour did not change, that only their file sees, or whose name is everywhere. */
export async function findTests({ symbols, change, head, globs }: TestQuestion): Promise<SymbolTests[]> {
  const isConfigured = matchGlobs(globs)
  const isTest = (path: string) => isTestCodePath(path) || isConfigured(path)
  const asked = symbols.flatMap(({ kind, after }) => {
    if (!after || kind === 'moved' || !isWorthAsking(after.symbol) || isTest(after.path)) return []
    const { name, scope } = after.symbol
    const symbol = constructors.has(name) ? (typeIn(scope) ?? name) : name
    // A default export has no name but that of its file.
    return [{ symbol: name === 'default' ? moduleWordOf(after.path) : symbol, path: after.path, scope }]
  })
  const named = [...new Map(asked.map((one) => [`${one.path}\0${one.symbol}`, one])).values()].slice(
    0,
    symbolLimit,
  )
  if (named.length === 0) return []
  const files = await head.filesWithWords([...new Set(named.map(({ symbol }) => symbol))])
  const distinct = named.filter(({ symbol }) => isTelling(symbol) || !isEverywhere(files.get(symbol) ?? []))
  const changed = new Set(change.files.map(({ path }) => path))
  const naming = new Map(distinct.map((one) => [one, (files.get(one.symbol) ?? []).filter(isTest)]))
  const isAbout = await readDoubtful(
    [...naming].filter(([{ symbol }]) => !isTelling(symbol)),
    head,
  )
  const inline = await wordsOfInlineTests([...new Set(distinct.map(({ path }) => path))], head)
  const usersOf = (paths: readonly string[]) =>
    paths
      .filter((path) => !isTest(path) && !changed.has(path) && languageOf(path) !== null)
      .slice(0, mostUsers)
  return distinct.map((one) => ({
    symbol: one.symbol,
    path: one.path,
    tests: [
      ...(inline.get(one.path)?.has(one.symbol) ? [one.path] : []),
      ...(naming.get(one) ?? []).filter((path) => isTelling(one.symbol) || isAbout(one, path)),
    ]
      .slice(0, testLimit)
      .map((path) => ({ path, changed: changed.has(path) })),
    ...(isTelling(one.symbol) ? { users: usersOf(files.get(one.symbol) ?? []) } : {}),
  }))
}

const inlineTests = /^[ \t]*#\[cfg\(test\)\]/m

/** Of files of Rust, which hold the tests of what is in them behind everything else. */
async function wordsOfInlineTests(
  paths: readonly string[],
  head: RepoSnapshot,
): Promise<Map<string, ReadonlySet<string>>> {
  const texts = await head.readMany(paths.filter((path) => languageOf(path) === 'rust'))
  return new Map(
    [...texts].flatMap(([path, { text }]) => {
      const at = text.search(inlineTests)
      return at < 0 ? [] : [[path, new Set(text.slice(at).split(/\W+/))] as const]
    }),
  )
}

/** A single word (`create`, `handler`) may mean anything; a name of two parts rarely means two things. */
function isTelling(name: string): boolean {
  return partsOf(name).length > 1
}

type Asked = { symbol: string; path: string; scope: string }

/**
 * Whether a test that has a common word means this symbol: it is named after the file, names the type, or imports the file.
 * Which tests have the words for it is known without their texts; only an import has to be read.
 */
async function readDoubtful(
  doubtful: readonly (readonly [Asked, readonly string[]])[],
  head: RepoSnapshot,
): Promise<(one: Asked, test: string) => boolean> {
  const unsettled = doubtful.flatMap(([one, tests]) => {
    const others = tests.filter((test) => isAkin(test, one) && !isNamedAfter(test, one))
    return others.length > 0 ? [{ one, others }] : []
  })
  const words = [...new Set(unsettled.flatMap(({ one }) => [sourceOf(one.path), typeIn(one.scope) ?? '']))]
  const found = words.length > 0 ? await head.filesWithWords(words.filter((word) => isWord(word))) : new Map()
  const holders = new Map<string, ReadonlySet<string>>(
    [...found].map(([word, paths]) => [word, new Set<string>(paths)]),
  )
  const holds = (test: string, word: string | null) => word !== null && holders.get(word)?.has(test) === true
  const mayImport = (test: string, { path }: Asked) => {
    const source = sourceOf(path)
    return source !== '' && (!isWord(source) || holds(test, source))
  }
  const toRead = unsettled.map(({ one, others }) =>
    nearestFirst(
      others.filter((test) => !holds(test, typeIn(one.scope)) && mayImport(test, one)),
      one.path,
    ),
  )
  const texts = await head.readMany(inTurns(toRead).slice(0, mostRead))
  return (one, test) =>
    isAkin(test, one) &&
    (isNamedAfter(test, one) ||
      holds(test, typeIn(one.scope)) ||
      importsFile(texts.get(test)?.text ?? '', sourceOf(one.path)))
}

/** Languages whose files import each other. */
const families = [
  ['typescript', 'tsx', 'javascript'],
  ['c', 'cpp'],
  ['java', 'kotlin', 'scala'],
]

/** The class `Shape` of a client in TypeScript is not what tests of a server in Elixir call so. */
function isAkin(test: string, { path }: Asked): boolean {
  const family = (file: string) => {
    const language = languageOf(file)
    return families.find((one) => language !== null && one.includes(language)) ?? language
  }
  return family(test) === family(path)
}

/** What a word of the text is: others, such as the name of a file with a hyphen, must be looked for in it. */
function isWord(text: string): boolean {
  return /^[\w$]+$/.test(text)
}

/** By what an import names the file. */
function sourceOf(path: string): string {
  const [file = '', folder = ''] = path.split('/').reverse()
  const [stem = ''] = file.split('.')
  return indexFiles.has(stem) ? folder : stem
}

/** One part of its path has the name and says nothing else, or has all words of a name of several. */
function isNamedAfter(test: string, { path }: Asked): boolean {
  const source = sourceOf(path)
  const words = partsOf(source).join(' ')
  if (source.length < shortestName) return false
  return test.split('/').some((part) => {
    const named = partsOf(part.replace(/\.\w+$/, '')).filter((word) => !ofTests.has(word))
    const all = named.join(' ')
    return all === words || (words.includes(' ') && ` ${all} `.includes(` ${words} `))
  })
}

/** What names of test files have beside that of what they test. */
const ofTests: ReadonlySet<string> = new Set([
  'test',
  'tests',
  'spec',
  'specs',
  'e2e',
  'e',
  '2',
  'unit',
  'integration',
  'browser',
  'it',
])

/** Looks at each place where the name is, which most texts have few of. */
function importsFile(text: string, source: string): boolean {
  if (source === '') return false
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
