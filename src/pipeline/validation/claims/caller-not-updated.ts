/** `caller-not-updated`: the line still uses the symbol, and the symbol has changed. */
import { folderWithSlash } from '../../../base/file-paths.ts'
import type { FileFacts } from '../../../code-index/contract.ts'
import { referencesAt, symbolsNamed } from '../../../code-index/resolve/symbols.ts'
import { pathOn } from '../../../domain/change-set.ts'
import type { SymbolChange } from '../../../domain/code-symbol.ts'
import {
  type ClaimCheck,
  type ClaimContext,
  type ClaimOf,
  type ClaimResult,
  confirmed,
  refuted,
  unverifiable,
} from '../contract.ts'
import { holdsName, isConstructorName, isUnparsed, lastName, referencesOn } from './names.ts'

type Definition = {
  name: string
  /** The paths the defining file has or had. */
  paths: readonly string[]
  before: FileFacts | null
  after: FileFacts | null
  deleted: boolean
}

/** How a line uses a symbol, by the facts of its file. */
type Use =
  /** The line has the name, or a name it is imported under, as code. */
  | 'reference'
  | 'import'
  /** The line defines a thing of this name, as an override does. */
  | 'definition'
  /** The line extends or implements the type that has the symbol. */
  | 'heir'
  /** A constructor is called on the line, of a type that may or may not inherit it. */
  | 'some-call'

export const checkCallerNotUpdated: ClaimCheck<'caller-not-updated'> = async (claim, context) => {
  const definition = await readDefinition(claim, context)
  if (!definition) return refuted(`\`${claim.definedIn}\` is not part of the change`)
  const use = await checkUse(claim, definition, context)
  return typeof use === 'string' ? checkChange(claim, definition, use, context) : use
}

async function readDefinition(
  claim: ClaimOf<'caller-not-updated'>,
  { sources }: ClaimContext,
): Promise<Definition | null> {
  const { files } = sources.change
  const file =
    files.find((one) => one.oldPath === claim.definedIn && one.status === 'renamed') ??
    files.find((one) => one.path === claim.definedIn)
  if (!file) return null
  const basePath = file.status === 'renamed' ? pathOn('old', file) : file.path
  const deleted = file.status === 'deleted'
  return {
    name: lastName(claim.symbol),
    paths: [file.path, basePath],
    before: await sources.facts('old', basePath),
    after: deleted ? null : await sources.facts('new', file.path),
    deleted,
  }
}

async function checkUse(
  { path, line }: ClaimOf<'caller-not-updated'>,
  { name, before, after }: Definition,
  { sources }: ClaimContext,
): Promise<Use | ClaimResult> {
  const text = (await sources.lines('new', path))?.[line - 1]
  if (text === undefined) return refuted(`\`${path}\` has no line ${line} after the change`)
  const facts = await sources.facts('new', path)
  const isHeld = holdsName(text, name)
  if (!facts)
    return isHeld
      ? unverifiable(`\`${path}\` is not parsed, so the name could be in a comment`)
      : refuted(`\`${path}:${line}\` does not hold \`${name}\``)
  const containers = [before, after].flatMap((side) => (side ? containersOf(side, name) : []))
  const use = findUse(facts, name, containers, line)
  if (use) return use
  if (isUnparsed(facts, line)) return unverifiable(`\`${path}:${line}\` could not be parsed`)
  return refuted(
    isHeld
      ? `\`${path}:${line}\` holds \`${name}\` only as a local name, in a comment or in a string`
      : `\`${path}:${line}\` does not hold \`${name}\``,
  )
}

function containersOf(facts: FileFacts, name: string): string[] {
  const scopes = symbolsNamed(facts, name).flatMap((at) => facts.symbols[at]?.scope ?? [])
  return [...new Set(scopes)].filter((scope) => scope !== '').map(lastName)
}

/** `containers` are the types that have the symbol as a member. Null when the line does not use it. */
function findUse(facts: FileFacts, name: string, containers: readonly string[], line: number): Use | null {
  const isConstructor = isConstructorName(name) || containers.includes(name)
  const own = isConstructor ? [name, ...containers] : [name]
  const names = new Set([...own, ...aliasesOf(facts, own)])
  if ([...names].some((one) => referencesOn(facts, one, line).length > 0)) return 'reference'
  if (facts.imports.some((fact) => fact.line === line && own.includes(fact.imported))) return 'import'
  if (symbolsNamed(facts, name).some((at) => facts.symbols[at]?.nameLine === line)) return 'definition'
  const heirs = new Set([name, ...containers, ...aliasesOf(facts, containers)])
  if (facts.supertypes.some((supertype) => supertype.line === line && heirs.has(supertype.name)))
    return 'heir'
  const calls = referencesAt(facts, line).some(({ role }) => role === 'call')
  return isConstructor && calls ? 'some-call' : null
}

/** Local names of imports of these names; a default import can be anything, so all of them count. */
function aliasesOf(facts: FileFacts, names: readonly string[]): string[] {
  return facts.imports.flatMap(({ imported, local }) =>
    local !== null && (names.includes(imported) || imported === 'default') ? [local] : [],
  )
}

function checkChange(
  { definedIn }: ClaimOf<'caller-not-updated'>,
  definition: Definition,
  use: Use,
  { symbols }: ClaimContext,
): ClaimResult {
  const { name, before, after, deleted, paths } = definition
  if (!before) return unverifiable(`\`${definedIn}\` is not parsed as it was before the change`)
  if (!after && !deleted) return unverifiable(`\`${definedIn}\` is not parsed as it is after the change`)
  if (use === 'some-call') return unverifiable(`The called type may define its own constructor`)
  const was = shapesOf(before, name)
  const is = after ? shapesOf(after, name) : []
  // A type that gained a member asks something new of those who implement it.
  if (was.length === 0 && (is.length === 0 || use !== 'heir'))
    return refuted(`\`${definedIn}\` did not define \`${name}\` before the change`)
  if (was.join() === is.join() && !hasChangedMember(symbols, name, paths))
    return refuted(`\`${name}\` in \`${definedIn}\` is the same before and after the change`)
  // Members come with their type, not through what a file passes on.
  const isMember = symbolsNamed(before, name).every((at) => before.symbols[at]?.scope !== '')
  if (is.length > 0 || !after || isMember) return confirmed('the code index')
  return checkOffer(after, definition, symbols)
}

/** Signature and visibility of every definition of the name in the file, sorted. */
function shapesOf(facts: FileFacts, name: string): string[] {
  return symbolsNamed(facts, name)
    .flatMap((at) => facts.symbols[at] ?? [])
    .map((symbol) => `${symbol.scope} ${symbol.signatureHash} ${symbol.visibility}`)
    .sort()
}

/** A type is used differently when a member came, went or changed shape, though its own header did not. */
function hasChangedMember(symbols: readonly SymbolChange[], name: string, paths: readonly string[]): boolean {
  return symbols.some(({ kind, before, after }) => {
    const side = before ?? after
    return (
      kind !== 'body-changed' &&
      side !== null &&
      paths.includes(side.path) &&
      lastName(side.symbol.scope) === name
    )
  })
}

/** A name that a file no longer defines may still be exported by it, or belong to its package (Go, Java). */
function checkOffer(after: FileFacts, { name }: Definition, symbols: readonly SymbolChange[]): ClaimResult {
  const moves = symbols.filter(({ kind, before }) => kind === 'moved' && before?.symbol.name === name)
  if (moves.some(({ delta }) => delta !== null)) return confirmed('the code index')
  const passedOn = after.exports.some((fact) => fact.exported === name)
  const bound = after.imports.some(
    (fact) => fact.local === name && (fact.reexport || after.language === 'python'),
  )
  if (passedOn || bound) return refuted(`The file still offers \`${name}\` to its importers`)
  if (after.imports.some((fact) => fact.imported === '*' && fact.local === null))
    return unverifiable(`\`${name}\` may come through a wildcard import`)
  const stayed = moves.some(
    ({ before, after: now }) =>
      after.packageName !== null &&
      now?.symbol.name === name &&
      folderWithSlash(before?.path ?? '') === folderWithSlash(now.path),
  )
  return stayed ? refuted(`\`${name}\` only moved within its package`) : confirmed('the code index')
}
