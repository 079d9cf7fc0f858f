/** Finds the function that a new one repeats: first the files that use the same names, then the most similar function. */
import { compareText } from '../../../base/compare-text.ts'
import { fileNameOf, folderWithSlash } from '../../../base/file-paths.ts'
import type { FileFacts } from '../../../code-index/contract.ts'
import { languageOf } from '../../../code-index/language-of.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { FileText, RepoSnapshot } from '../../../domain/snapshot.ts'
import { isComparable, isComparablePath, isShareable, type Subject, shapeOf } from './subjects.ts'

export type HeadFile = FileText & { path: string; facts: FileFacts; lines: readonly string[] }

export type Twin = { file: HeadFile; symbol: CodeSymbol }

const mostWords = 24
const mostFiles = 24

/** Share of the names that a file must hold; a function nine tenths alike has nearly all of them. */
const enoughWords = 0.75

type CandidateFiles = { subject: Subject; paths: readonly string[]; isCut: boolean }[]

/** For each function the files that hold most of the names it uses, best first, and its own. Needs no index of the tree. */
export async function candidateFiles(
  subjects: readonly Subject[],
  head: RepoSnapshot,
): Promise<CandidateFiles> {
  const wordsOf = new Map(subjects.map((subject) => [subject, outsideNames(subject)]))
  const files = await head.filesWithWords([...new Set([...wordsOf.values()].flat())])
  const neighbours = Map.groupBy(
    (await head.list()).map(({ path }) => path),
    folderWithSlash,
  )
  return subjects.map((subject) => {
    const { path } = subject.file
    const words = wordsOf.get(subject) ?? []
    const counts = new Map<string, number>([[path, 0]])
    // The few names of such a function find too much, so only files of its folder are searched.
    if (words.length < 3) for (const next of neighbours.get(folderWithSlash(path)) ?? []) counts.set(next, 0)
    for (const word of words)
      for (const holder of files.get(word) ?? []) counts.set(holder, (counts.get(holder) ?? 0) + 1)
    const fit = [...counts]
      .filter(
        ([other, count]) => isFit(other, subject) && (other === path || count >= enoughWords * words.length),
      )
      .sort(([a, x], [b, y]) => y - x || near(b, path) - near(a, path) || compareText(a, b))
      .map(([other]) => other)
    return { subject, paths: fit.slice(0, mostFiles), isCut: fit.length > mostFiles }
  })
}

/** Names that the function uses from outside: calls, members, types and constants, the longest first. */
function outsideNames({ symbol, facts }: Subject): string[] {
  const names = facts.references
    .filter(
      (one) =>
        !one.shadowed &&
        symbol.startLine <= one.line &&
        one.line <= symbol.endLine &&
        one.name !== symbol.name,
    )
    .map(({ name }) => name)
    .filter((name) => name.length > 2)
  return [...new Set(names)].sort((a, b) => b.length - a.length || compareText(a, b)).slice(0, mostWords)
}

function isFit(other: string, { file }: Subject): boolean {
  return family(other) === family(file.path) && isComparablePath(other) && !areVariants(other, file.path)
}

/** TypeScript, TSX and JavaScript can share functions. */
function family(path: string): string | null {
  const language = languageOf(path)
  return language === 'tsx' || language === 'javascript' ? 'typescript' : language
}

/** Parts of names that mark a variant of a file, for a platform, version or runtime, or a copy that was kept. */
const variant =
  /(?<=[._/-]|^)(?:v\d+|linux|windows|win32|win|darwin|macos|mac|unix|bsd|freebsd|openbsd|netbsd|android|ios|wasm|wasi|posix|amd64|x86|x86_64|arm|arm64|aarch64|386|s390x|node|bun|deno|browser|edge|server|client|async|sync|cjs|esm|mjs|stub|noop|fallback|old|orig|backup|bak|copy|go\d+)(?=[._/-]|$)/gi

/** The same file for another platform, version or runtime. */
function areVariants(path: string, other: string): boolean {
  if (path === other) return false
  return neutral(path) === neutral(other)
}

/** Without the words for a variant, their separators, and the extension. */
function neutral(path: string): string {
  return path
    .replace(variant, '')
    .replace(/[._-]+/g, (marks, at: number, whole: string) =>
      whole.charAt(at + marks.length) === '/' ? '' : marks.slice(Math.max(0, marks.lastIndexOf('.'))),
    )
    .replace(/\.[^.]*$/, '')
}

/** Length of the common beginning of two paths. */
function near(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** So many files with a copy of their own are how this repository does it, as with a table for each language. */
const habit = 3
/** Shorter methods with the same name in several classes are alike by design; longer ones could share a helper. */
const similarByDesign = 100

/**
 * A function of `files` that is the same word for word, apart from local names, or null: what differs in a word is more often a
 * form that was filled in again than a copy. `isTouched`: true for functions that this change adds or edits.
 */
export function findTwin(
  subject: Subject,
  files: readonly HeadFile[],
  isTouched: (path: string, symbol: CodeSymbol) => boolean,
): Twin | null {
  const isTable = isData(subject)
  if (isTable && !callsAny(subject)) return null
  let first: Twin | null = null
  const holders = new Set<string>()
  for (const file of files)
    for (const [index, symbol] of file.facts.symbols.entries()) {
      if (
        !isComparable(symbol) ||
        !isShareable(file.facts, index) ||
        isTouched(file.path, symbol) ||
        isRelated(subject, file.path, symbol) ||
        !isSame(subject, file, symbol)
      )
        continue
      holders.add(file.path)
      first ??= { file, symbol }
    }
  return holders.size < habit ? first : null
}

/** Nested functions, overloads in one file, or short methods that several classes implement. */
function isRelated({ file, symbol, shape, isRewritten }: Subject, path: string, other: CodeSymbol): boolean {
  const isSameName = symbol.name === other.name
  // Its twin was a twin before: both are changed together, or a tool makes one of the other.
  if (isSameName && isRewritten) return true
  if (file.path === path) {
    if (symbol.startLine <= other.endLine && other.startLine <= symbol.endLine) return true
    if (isSameName) return true
  } else if (areParallel({ path: file.path, name: symbol.name }, { path, name: other.name })) return true
  return isSameName && symbol.kind === 'method' && shape.bodyTokens < similarByDesign
}

type Named = { path: string; name: string }

/** Implementations of one thing side by side: `mbedtls_new` of `mbedtls.c`, and `schannel_new` of `schannel.c`. */
function areParallel(a: Named, b: Named): boolean {
  const rest = ({ path, name }: Named) => {
    const [stem = ''] = fileNameOf(path).toLowerCase().split('.')
    return stem.length > 2 && name.toLowerCase().includes(stem) ? name.toLowerCase().replace(stem, '') : null
  }
  return rest(a) !== null && rest(a) === rest(b)
}

const decisions: ReadonlySet<string> = new Set(
  // biome-ignore format: a list of words
  ['if', 'elif', 'for', 'while', 'loop', 'switch', 'match', 'when', 'case', 'try', 'catch', 'except', '?', '&&', '||', 'and', 'or'],
)

/** Nothing is decided or repeated in it: a schema, a table or a form in the form of a function. Its file has many alike. */
function isData({ shape }: Subject): boolean {
  return !shape.tokens.some((token) => decisions.has(token))
}

/** What calls nothing is a stub. */
function callsAny({ symbol: { startLine, endLine }, facts }: Subject): boolean {
  return facts.references.some(({ role, line }) => role === 'call' && startLine <= line && line <= endLine)
}

function isSame({ symbol, shape, facts }: Subject, file: HeadFile, other: CodeSymbol): boolean {
  if (isDeprecated(other, file.lines) || meansOthers({ symbol, facts }, file)) return false
  if (symbol.bodyHash === other.bodyHash && facts.language === file.facts.language) return true
  const lines = (one: CodeSymbol) => one.endLine - one.nameLine + 1
  if (lines(other) > 2 * lines(symbol) || lines(symbol) > 2 * lines(other)) return false
  const { tokens } = shapeOf(other, file.facts, file.lines)
  return tokens.length === shape.tokens.length && tokens.every((token, at) => token === shape.tokens[at])
}

/** It uses a name of its file that is another thing in the other file. */
function meansOthers({ symbol, facts }: Pick<Subject, 'symbol' | 'facts'>, file: HeadFile): boolean {
  return facts.references.some(
    ({ name, line, receiver, shadowed }) =>
      receiver === null &&
      !shadowed &&
      line >= symbol.startLine &&
      line <= symbol.endLine &&
      name !== symbol.name &&
      areOthers(ownNamed(facts, name), ownNamed(file.facts, name)),
  )
}

function areOthers(one: CodeSymbol | undefined, other: CodeSymbol | undefined): boolean {
  return one !== undefined && other !== undefined && one.bodyHash !== other.bodyHash
}

function ownNamed(facts: FileFacts, name: string): CodeSymbol | undefined {
  return facts.symbols.find((symbol) => symbol.name === name && symbol.scope === '')
}

/** What repeats it is there to replace it. */
function isDeprecated({ nameLine }: CodeSymbol, lines: readonly string[]): boolean {
  const above = lines.slice(Math.max(0, nameLine - farthestMark), nameLine)
  const blank = above.findLastIndex((line) => line.trim() === '')
  return above.slice(blank + 1).some((line) => deprecation.test(line))
}

const farthestMark = 60
const deprecation = /@deprecated\b|#\[deprecated\b|\[Obsolete\b|@available\([^)]{0,200}\bdeprecated\b/i
