/** New or largely rewritten functions that are long enough to be worth sharing, and the form in which they are compared. */
import { isGeneratedPath, isMinifiedPath, isTestPath, isVendoredPath } from '../../../base/file-paths.ts'
import { remembered } from '../../../base/remembered.ts'
import type { FileFacts } from '../../../code-index/contract.ts'
import { codeTokens } from '../../../code-index/lexical/code-tokens.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import type { CodeSymbol, SymbolChange } from '../../../domain/code-symbol.ts'
import { changedLines } from '../changed-lines.ts'

export const fewestLines = 8
export const fewestBodyTokens = 40

/** Share of its lines that must be added for a changed function to count as rewritten. */
const rewritten = 0.8

export type Subject = {
  file: FileChange
  symbol: CodeSymbol
  facts: FileFacts
  shape: Shape
  /** It was there before, and its body is new. */
  isRewritten: boolean
}

type NewSymbol = Pick<Subject, 'file' | 'symbol' | 'isRewritten'>

/** Constructors, what every type defines for itself, and the entry points that frameworks ask of each file by their name. */
const prescribed =
  /^(?:constructor|__\w+__|init|[eE]quals|hashCode|GetHashCode|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|loader|action)$/

/** True for a function or method with enough lines; tests and what has a prescribed name repeat code for good reasons. */
export function isComparable({ kind, name, isTest, startLine, endLine }: CodeSymbol): boolean {
  return (
    (kind === 'function' || kind === 'method') &&
    !isTest &&
    !prescribed.test(name) &&
    endLine - startLine + 1 >= fewestLines
  )
}

/** New symbols that may repeat something, before their text is known. */
export function newSymbols(symbols: readonly SymbolChange[], files: readonly FileChange[]): NewSymbol[] {
  const byPath = new Map(files.filter(isWritten).map((file) => [file.path, file]))
  return symbols.flatMap(({ kind, after, bodyChanged }) => {
    const file = after ? byPath.get(after.path) : undefined
    if (!after || !file || !isComparable(after.symbol)) return []
    const isRewritten = bodyChanged && kind !== 'moved' && kind !== 'added' && isMostlyNew(file, after.symbol)
    return kind === 'added' || isRewritten ? [{ file, symbol: after.symbol, isRewritten }] : []
  })
}

/** False inside another function, where other code cannot call it, and inside a test. */
export function isShareable({ symbols, parents }: FileFacts, index: number): boolean {
  for (let at = parents[index] ?? null; at !== null; at = parents[at] ?? null) {
    const around = symbols[at]
    if (around?.isTest || around?.kind === 'function' || around?.kind === 'method') return false
  }
  return true
}

/** Null when the function is too short, lies inside another, or could not be parsed. */
export function subjectOf(
  { file, symbol, isRewritten }: NewSymbol,
  facts: FileFacts,
  lines: readonly string[],
): Subject | null {
  const isBroken = facts.errorLines.some(
    (range) => range.startLine <= symbol.endLine && symbol.startLine <= range.endLine,
  )
  const index = placesOf(facts).get(placeOf(symbol)) ?? -1
  if (isBroken || index < 0 || !isShareable(facts, index)) return null
  const shape = shapeOf(symbol, facts, lines)
  return shape.bodyTokens >= fewestBodyTokens ? { file, symbol, facts, shape, isRewritten } : null
}

const placeOf = ({ name, startLine, nameLine }: CodeSymbol): string => `${startLine} ${nameLine} ${name}`

/** Positions of symbols, so that a file of thousands is not searched for each of them. */
const placesOf = oncePerFile(({ symbols }): ReadonlyMap<string, number> => {
  const places = new Map<string, number>()
  for (const [index, symbol] of symbols.entries())
    if (!places.has(placeOf(symbol))) places.set(placeOf(symbol), index)
  return places
})

function oncePerFile<Answer>(read: (facts: FileFacts) => Answer): (facts: FileFacts) => Answer {
  const known = new WeakMap<FileFacts, Answer>()
  return (facts) => remembered(known, facts, read)
}

function isWritten({ role, kind, status }: FileChange): boolean {
  return role === 'source' && kind === 'text' && status !== 'copied'
}

function isMostlyNew(file: FileChange, { startLine, endLine }: CodeSymbol): boolean {
  return changedLines(file, 'new', startLine, endLine).length >= rewritten * (endLine - startLine + 1)
}

/** The tokens of a function, with its local names numbered in order of appearance. */
export type Shape = {
  /** Tokens after the signature. */
  bodyTokens: number
  /** In order; the function's own name, its parameters and locals are numbers. */
  tokens: readonly string[]
}

/** Functions longer than this are compared by their beginning. */
const mostTokens = 5000

export function shapeOf(symbol: CodeSymbol, facts: FileFacts, lines: readonly string[]): Shape {
  const text = lines.slice(symbol.nameLine - 1, symbol.endLine).join('\n')
  const words = codeTokens(text, facts.language).slice(0, mostTokens)
  const own = ownNames(symbol, facts)
  const numbers = new Map<string, string>()
  const numbered = (name: string) =>
    own.has(name) ? remembered(numbers, name, () => `#${numbers.size}`) : name
  // After a dot it is a member of something, not a local name; a string may insert some.
  const tokens = words.map((word, at) => {
    if (/["'`]/.test(word)) return word.replace(/(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_]*/gu, numbered)
    return words[at - 1] === '.' ? word : numbered(word)
  })
  const signature = codeTokens(symbol.signature.text, facts.language).length
  return { tokens, bodyTokens: Math.max(0, words.length - signature) }
}

/** Its name, its parameters, and names bound inside it. */
function ownNames(symbol: CodeSymbol, facts: FileFacts): ReadonlySet<string> {
  const bound = boundNames(facts)
  const own = new Set([symbol.name, ...(symbol.signature.parameters ?? []).map(({ name }) => name)])
  for (let line = symbol.startLine; line <= symbol.endLine; line++)
    for (const name of bound.get(line) ?? []) own.add(name)
  return own
}

/** By line. */
const boundNames = oncePerFile(({ references, typedNames }): ReadonlyMap<number, readonly string[]> => {
  const names = new Map<number, string[]>()
  for (const { line, name } of [...references.filter(({ shadowed }) => shadowed), ...typedNames]) {
    const known = names.get(line)
    if (known) known.push(name)
    else names.set(line, [name])
  }
  return names
})

/** Where code may repeat on purpose: examples, templates, third-party code, a text for each language, what was kept as it was. */
const repeating =
  /(?:^|\/)(?:\.[^/]+|(?:[^/]*[-_.])?(?:examples?|samples?|demos?|bench(?:es|marks?)?)|docs?|sandbox(?:es)?|starters?|stubs|single_?include|amalgamat(?:ed|ion)|fixtures|migrations|templates|playground|snippets|scripts|tutorials?|dist|[^/]*_dist|compat|legacy|deprecated|old|locales?|i18n|l10n|translations?)\/|[-_.](?:old|bak|backup|orig)\.\w+$/i

/** True where repeated code is worth reporting. */
export function isComparablePath(path: string): boolean {
  return (
    !repeating.test(path) &&
    ![isGeneratedPath, isMinifiedPath, isTestPath, isVendoredPath].some((is) => is(path))
  )
}
