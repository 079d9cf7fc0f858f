/** Finds the function that a new one repeats: first the files that use the same names, then the most similar function. */
import { compareText } from '../../../base/compare-text.ts'
import { fileNameOf, folderWithSlash } from '../../../base/file-paths.ts'
import type { FileFacts } from '../../../code-index/contract.ts'
import { languageOf } from '../../../code-index/language-of.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { FileText, RepoSnapshot } from '../../../domain/snapshot.ts'
import { isComparable, isComparablePath, isShareable, type Shape, type Subject, shapeOf } from './subjects.ts'

export type HeadFile = FileText & { path: string; facts: FileFacts; lines: readonly string[] }

export type Twin = { file: HeadFile; symbol: CodeSymbol; likeness: number }

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

const alike = 0.9
/** So many files with a copy of their own are how this repository does it, as with a table for each language. */
const habit = 3
/** Share of common words: copies differ in a word or two; functions that treat different things alike, in more. */
const sameVocabulary = 0.97
/** Shorter methods with the same name in several classes are alike by design; longer ones could share a helper. */
const similarByDesign = 100
/** Shorter functions that are not quite the same are a pattern rather than a copy. Tokens of the body. */
const fewestInexact = 75

/** The most similar function of `files`, or null. `isTouched`: true for functions that this change adds or edits. */
export function findTwin(
  subject: Subject,
  files: readonly HeadFile[],
  isTouched: (path: string, symbol: CodeSymbol) => boolean,
): Twin | null {
  const isTable = isData(subject)
  if (isTable && !callsAny(subject)) return null
  let best: Twin | null = null
  let found = 0
  const holders = new Set<string>()
  for (const file of files)
    for (const [index, symbol] of file.facts.symbols.entries()) {
      if (
        !isComparable(symbol) ||
        !isShareable(file.facts, index) ||
        isTouched(file.path, symbol) ||
        isRelated(subject, file.path, symbol)
      )
        continue
      const score = compare(subject, file, symbol)
      const isPattern =
        subject.shape.bodyTokens < fewestInexact || (isTable && file.path === subject.file.path)
      if (score < 1 && isPattern) continue
      if (score < alike) continue
      holders.add(file.path)
      found++
      if (score > (best?.likeness ?? 0)) best = { file, symbol, likeness: score }
    }
  // Two that are nearly alike are a form that a third one fills in.
  const isForm = found > 1 && best !== null && best.likeness < 1
  return holders.size < habit && !isForm ? best : null
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

function compare({ symbol, shape, facts }: Subject, file: HeadFile, other: CodeSymbol): number {
  if (isDeprecated(other, file.lines) || meansOthers({ symbol, facts }, file)) return 0
  if (symbol.bodyHash === other.bodyHash && facts.language === file.facts.language) return 1
  const lines = (one: CodeSymbol) => one.endLine - one.nameLine + 1
  if (lines(other) > 2 * lines(symbol) || lines(symbol) > 2 * lines(other)) return 0
  const theirs: Shape = shapeOf(other, file.facts, file.lines)
  const [small, large] = [shape.tokens.length, theirs.tokens.length].sort((a, b) => a - b)
  if ((small ?? 0) < 0.8 * (large ?? 0) || sameWords(shape, theirs) < sameVocabulary) return 0
  const areNamed = isNamedIn(symbol, shape, theirs) && isNamedIn(other, theirs, shape)
  return areNamed ? 0 : likeness(shape, theirs)
}

/** All that is in it and not in the other is its own name: `bold` sets `.bold`, as `dim` sets `.dim`. */
function isNamedIn({ name }: CodeSymbol, shape: Shape, other: Shape): boolean {
  const common = new Set(other.tokens)
  const own = shape.tokens.filter((token) => !common.has(token))
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z\d]/g, '')
  return own.length > 0 && own.every((token) => letters(token) === letters(name))
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

/** Dice's coefficient over token triples: 1 for the same sequence, 0 for nothing in common. */
function likeness(a: Shape, b: Shape): number {
  return commonShare(triples(a.tokens), triples(b.tokens))
}

/** The same over single tokens: low for functions of the same structure about different things. */
function sameWords(a: Shape, b: Shape): number {
  return commonShare(a.tokens, b.tokens)
}

function commonShare(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return 0
  const counts = new Map<string, number>()
  for (const item of left) counts.set(item, (counts.get(item) ?? 0) + 1)
  let common = 0
  for (const item of right) {
    const rest = counts.get(item) ?? 0
    if (rest === 0) continue
    common++
    counts.set(item, rest - 1)
  }
  return (2 * common) / (left.length + right.length)
}

function triples(tokens: readonly string[]): string[] {
  return tokens.slice(2).map((_, at) => `${tokens[at]} ${tokens[at + 1]} ${tokens[at + 2]}`)
}
