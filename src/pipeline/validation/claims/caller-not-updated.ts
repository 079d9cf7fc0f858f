/** `caller-not-updated`: the line still uses the symbol, and the symbol is no longer what it was. */
import type { FileFacts } from '../../../code-index/contract.ts'
import type { SymbolChange } from '../../../domain/code-symbol.ts'
import {
  type ClaimBench,
  type ClaimOf,
  type ClaimResult,
  confirmed,
  type Refuter,
  refuted,
  unverifiable,
} from './contract.ts'
import { folderOf, holdsName, isUnparsed, lastName, referencesOn } from './names.ts'

export const checkCallerNotUpdated: Refuter<'caller-not-updated'> = async (claim, bench) => {
  const use = await checkUse(claim, bench)
  if (use.status !== 'confirmed') return use
  const change = await checkChange(claim, bench)
  return change.status === 'confirmed' ? confirmed('the code index') : change
}

async function checkUse(claim: ClaimOf<'caller-not-updated'>, { sources }: ClaimBench): Promise<ClaimResult> {
  const { path, line } = claim
  const name = lastName(claim.symbol)
  const text = (await sources.lines('new', path))?.[line - 1]
  if (text === undefined) return refuted(`\`${path}\` has no line ${line} after the change`)
  const facts = await sources.facts('new', path)
  const isHeld = holdsName(text, name)
  if (!facts)
    return isHeld
      ? unverifiable(`\`${path}\` is not parsed, so the name could stand in a comment`)
      : refuted(`\`${path}:${line}\` does not hold \`${name}\``)
  if (referencesOn(facts, name, line).length > 0) return confirmed('reference')
  if (facts.imports.some((fact) => fact.imported === name && fact.line === line)) return confirmed('import')
  if (facts.symbols.some((symbol) => symbol.name === name && symbol.nameLine === line))
    return confirmed('override')
  if (isHeld && isUnparsed(facts, line)) return unverifiable(`\`${path}:${line}\` could not be parsed`)
  return refuted(
    isHeld
      ? `\`${path}:${line}\` holds \`${name}\` only as a local name, in a comment or in a string`
      : `\`${path}:${line}\` does not hold \`${name}\``,
  )
}

async function checkChange(claim: ClaimOf<'caller-not-updated'>, bench: ClaimBench): Promise<ClaimResult> {
  const { sources, symbols } = bench
  const name = lastName(claim.symbol)
  const file = sources.change.files.find(
    (one) => one.path === claim.definedIn || one.oldPath === claim.definedIn,
  )
  if (!file) return refuted(`\`${claim.definedIn}\` is not part of the change`)
  const before = await sources.facts('old', file.oldPath ?? file.path)
  if (!before) return unverifiable(`\`${claim.definedIn}\` is not parsed as it was before the change`)
  const was = shapesOf(before, name)
  if (was.length === 0) return refuted(`\`${claim.definedIn}\` did not define \`${name}\` before the change`)
  const after = file.status === 'deleted' ? null : await sources.facts('new', file.path)
  if (!after) {
    return file.status === 'deleted'
      ? confirmed('the file is gone')
      : unverifiable(`\`${claim.definedIn}\` is not parsed as it is after the change`)
  }
  const is = shapesOf(after, name)
  if (is.length > 0)
    return was.join() !== is.join() || hasChangedMember(symbols, name, [file.path, claim.definedIn])
      ? confirmed('another signature')
      : refuted(`\`${name}\` in \`${claim.definedIn}\` is the same before and after the change`)
  return stillOffered(after, name, bench)
}

/** Signature and visibility of every definition of the name in the file, sorted. */
function shapesOf(facts: FileFacts, name: string): string[] {
  return facts.symbols
    .filter((symbol) => symbol.name === name)
    .map((symbol) => `${symbol.scope} ${symbol.signatureHash} ${symbol.visibility}`)
    .sort()
}

/** A class is used differently when its constructor or a field changed, though its own header did not. */
function hasChangedMember(symbols: readonly SymbolChange[], name: string, paths: readonly string[]): boolean {
  return symbols.some(({ kind, before }) => {
    if (!before || kind === 'body-changed' || !paths.includes(before.path)) return false
    return before.symbol.scope.split('.').at(-1) === name
  })
}

/** Gone from the file, a name can still be had from it, or (Go, Java) from its package. */
function stillOffered(after: FileFacts, name: string, { symbols }: ClaimBench): ClaimResult {
  const passedOn = after.exports.some((fact) => fact.exported === name)
  const bound = after.imports.some(
    (fact) => fact.local === name && (fact.reexport || after.language === 'python'),
  )
  if (passedOn || bound) return refuted(`The file still offers \`${name}\` to its importers`)
  if (after.imports.some((fact) => fact.imported === '*' && fact.local === null))
    return unverifiable(`\`${name}\` may come through a wildcard import`)
  const movedInPackage = symbols.some(
    ({ kind, before, after: now, delta }) =>
      kind === 'moved' &&
      delta === null &&
      after.packageName !== null &&
      before?.symbol.name === name &&
      now?.symbol.name === name &&
      folderOf(before.path) === folderOf(now.path),
  )
  return movedInPackage
    ? refuted(`\`${name}\` only moved within its package`)
    : confirmed('the symbol is gone')
}
