/** The change in words: three to five key changes, one line for each file, a phrase for each symbol. */
import type { FileChange } from '../../domain/change-set.ts'
import {
  type CodeSymbol,
  isInsideTest,
  type SignatureDelta,
  type SymbolChange,
} from '../../domain/code-symbol.ts'
import { pathOf, rankFiles, rankSymbolChanges } from '../../domain/importance.ts'
import { code, count, few, list, place } from './words.ts'

const most = 5
const fewest = 3
const mostPerFile = 2

/** Bullets that a reader should see before the code. */
export function keyChangesOf(files: readonly FileChange[], changes: readonly SymbolChange[]): string[] {
  const bullets: string[] = []
  const perFile = new Map<string, number>()
  const told = new Set<string>()
  for (const change of leadingChanges(changes)) {
    const path = pathOf(change)
    const listed = perFile.get(path) ?? 0
    const words = describeSymbolChange(change)
    if (bullets.length === most || listed === mostPerFile || told.has(words)) continue
    told.add(words)
    bullets.push(`${place(path)}: ${words}`)
    perFile.set(path, listed + 1)
  }
  for (const file of rankFiles(files, changes, [])) {
    if (bullets.length >= fewest) break
    if (!perFile.has(file.path)) bullets.push(`${place(file.path)}: ${describeFile(file, [])}`)
  }
  return bullets
}

/**
 * Heaviest first, without what goes with another one: a method of a class that was itself added or removed, and the `impl` blocks
 * of such a type.
 */
export function leadingChanges(changes: readonly SymbolChange[]): SymbolChange[] {
  const whole = changes.filter(({ kind }) => kind === 'added' || kind === 'removed')
  const holders = new Set(whole.map((change) => keyOf(change)))
  const types = new Set(whole.filter((change) => !isImpl(change)).map((change) => keyOf(change)))
  return rankSymbolChanges(changes).filter((change) => {
    if (isImpl(change) && types.has(keyOf(change))) return false
    const scope = symbolOf(change)?.scope ?? ''
    return !prefixesOf(scope).some((outer) => holders.has(keyOf(change, outer)))
  })
}

function isImpl(change: SymbolChange): boolean {
  return symbolOf(change)?.kind === 'impl'
}

function symbolOf({ before, after }: SymbolChange): CodeSymbol | undefined {
  return (after ?? before)?.symbol
}

/** What happened to the symbol with this full name in the file of the change. */
function keyOf(change: SymbolChange, name = fullName(symbolOf(change))): string {
  return [change.kind, pathOf(change), name].join('\0')
}

/** `a.b` has `a` and `a.b`. */
function prefixesOf(scope: string): string[] {
  const parts = scope === '' ? [] : scope.split('.')
  return parts.map((_, at) => parts.slice(0, at + 1).join('.'))
}

function fullName(symbol: CodeSymbol | undefined): string {
  return [symbol?.scope, symbol?.name].filter(Boolean).join('.')
}

const describedInFull = 2

/** What happened to one file, in one line. `changes` are those of this file. */
export function describeFile(file: FileChange, changes: readonly SymbolChange[]): string {
  return (
    [describeStatus(file), ...describeSymbols(changes)].filter((part) => part !== '').join('; ') ||
    describeLines(file)
  )
}

/** What happened to the file as such; empty for plain changed text. */
function describeStatus(file: FileChange): string {
  if (file.kind === 'submodule')
    return `submodule ${file.oldBlob?.slice(0, 8) ?? 'none'} → ${file.newBlob?.slice(0, 8) ?? 'none'}`
  const parts: string[] = []
  if (file.status === 'added') parts.push('new file')
  if (file.status === 'deleted') parts.push('deleted')
  if (file.oldPath !== null)
    parts.push(`${file.status === 'copied' ? 'copied' : 'renamed'} from ${place(file.oldPath)}`)
  if (file.kind === 'binary') parts.push('binary')
  if (file.oldMode !== null && file.newMode !== null && file.oldMode !== file.newMode)
    parts.push(`mode ${file.oldMode} → ${file.newMode}`)
  return parts.join(', ')
}

function describeSymbols(changes: readonly SymbolChange[]): string[] {
  const ranked = rankSymbolChanges(changes)
  const rest = ranked.length - describedInFull
  return [
    ...ranked.slice(0, describedInFull).map(describeSymbolChange),
    ...(rest > 0 ? [count(rest, 'more symbol change')] : []),
  ]
}

function describeLines({ added, removed, omitted }: FileChange): string {
  if (omitted !== null) return omitted
  if (added === 0 && removed === 0) return 'no line changed'
  return `${count(added, 'line')} added, ${removed} removed`
}

/** What the change did to one symbol: `parse()` gained parameter `strict`. */
export function describeSymbolChange(change: SymbolChange): string {
  const { kind, before } = change
  const symbol = symbolOf(change)
  if (!symbol) return ''
  const isTitled = isTitledTest(symbol)
  // A title alone reads as prose, and has no signature that anybody calls.
  const name = isTitled ? `test ${nameOf(symbol)}` : isImpl(change) ? wholeOf(symbol) : nameOf(symbol)
  const delta = isTitled ? null : change.delta
  const then = delta ? ` and ${list(describeDelta(delta, symbol))}` : ''
  switch (kind) {
    case 'added':
      return `${wholeOf(symbol)} added`
    case 'removed':
      return `${wholeOf(symbol)} removed`
    case 'renamed':
      return `${isTitled ? 'test ' : ''}${before ? nameOf(before.symbol) : symbol.kind} renamed to ${nameOf(symbol)}${then}`
    case 'moved':
      return `${name} moved here from ${place(before?.path ?? '')}${then}`
    case 'signature-changed':
      if (isTitled) return `${name} changed`
      return `${name} ${delta ? list(describeDelta(delta, symbol)) : 'has a changed signature'}`
    case 'body-changed':
      return `${name} changed`
  }
}

function describeDelta(delta: SignatureDelta, symbol: CodeSymbol): string[] {
  const { parametersChanged, reordered, returnType, visibility } = delta
  const [taken, gained] = apart(delta.parametersAdded)
  const [givenUp, lost] = apart(delta.parametersRemoved)
  const named = (parameters: readonly { name: string }[]) =>
    `${parameters.length === 1 ? 'parameter' : 'parameters'} ${list(parameters.map(({ name }) => code(name)))}`
  const parts = [
    ...(gained.length > 0 ? [`gained ${named(gained)}`] : []),
    ...(lost.length > 0 ? [`lost ${named(lost)}`] : []),
    ...describeTakenApart(taken, givenUp),
    ...(parametersChanged.length > 0 ? [`changed ${named(parametersChanged)}`] : []),
    ...(reordered ? ['takes its parameters in a different order'] : []),
    ...(returnType ? [describeReturn(returnType, symbol)] : []),
    ...(visibility ? [`is ${visibility.after} instead of ${visibility.before}`] : []),
  ]
  return parts.length > 0 ? parts : ['has a changed signature']
}

/** The names in patterns, `{ a, b }` in the place of a parameter, and the parameters that have names of their own. */
function apart<Named extends { name: string }>(parameters: readonly Named[]): [string[], Named[]] {
  const isPattern = ({ name }: Named) => /^[{[]/.test(name)
  const names = parameters.filter(isPattern).flatMap(({ name }) => name.match(/[\p{L}\p{N}_$]+/gu) ?? [])
  return [names, parameters.filter((parameter) => !isPattern(parameter))]
}

function describeTakenApart(now: readonly string[], before: readonly string[]): string[] {
  const more = now.filter((name) => !before.includes(name))
  const less = before.filter((name) => !now.includes(name))
  return [
    ...(more.length > 0 ? [`now destructures ${few(more.map((name) => code(name)))}`] : []),
    ...(less.length > 0 ? [`no longer destructures ${few(less.map((name) => code(name)))}`] : []),
  ]
}

function describeReturn(
  { before, after }: { before: string | null; after: string | null },
  { kind }: CodeSymbol,
): string {
  const isCalled = callable.has(kind)
  if (after === null) return `no longer declares its ${isCalled ? 'return type' : 'type'}`
  if (before === null) return `now declares that it ${isCalled ? 'returns' : 'is'} ${code(after)}`
  // Of two long types, the beginning may be the same.
  if (code(after) === code(before)) return `changed its ${isCalled ? 'return type' : 'type'}`
  return `${isCalled ? 'returns' : 'is'} ${code(after)} instead of ${code(before)}`
}

const callable: ReadonlySet<CodeSymbol['kind']> = new Set(['function', 'method', 'macro'])

/** As code: `parse()`, `Reader.next()`, `Options`. A test that has a title gets no parentheses, and what it defines not its title. */
export function nameOf(symbol: CodeSymbol): string {
  const { name, kind } = symbol
  if (isTitledTest(symbol)) return code(name)
  const full = isInsideTest(symbol) ? name : fullName(symbol)
  return code(callable.has(kind) ? `${full}()` : full)
}

function isTitledTest({ name, isTest }: CodeSymbol): boolean {
  return isTest && /\s/.test(name)
}

const longestImpl = 80

/** With its kind; an `impl` by its own words, since several of one type differ in their trait. */
function wholeOf(symbol: CodeSymbol): string {
  const { isTest, kind, signature } = symbol
  if (kind === 'impl' && signature.text.length <= longestImpl) return code(signature.text)
  return `${isTest ? 'test' : kind} ${nameOf(symbol)}`
}
