/** Claims that a name resolves to nothing: `undefined` for a use, `not-exported` for an import. */
import { folderWithSlash, isDeclarationFile } from '../../../base/file-paths.ts'
import type { FileFacts, ImportFact, Reference } from '../../../code-index/contract.ts'
import { importersOf, unboundUse } from '../../../code-index/query/unbound-names.ts'
import type { Meaning } from '../../../code-index/resolve/contract.ts'
import { fitsOf } from '../../../code-index/resolve/fit-call.ts'
import { hiddenExport } from '../../../code-index/resolve/hidden-exports.ts'
import { resolveImport, resolveReference } from '../../../code-index/resolve/resolve.ts'
import { withKnownArguments } from '../../../code-index/resolve/sole-argument.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import {
  type ClaimCheck,
  type ClaimContext,
  type ClaimResult,
  confirmed,
  refuted,
  unverifiable,
} from '../contract.ts'
import type { Sources } from '../sources.ts'
import { holdsName, isUnparsed, referencesOn } from './names.ts'

/**
 * `undefined`: the name used on the line is defined nowhere it could come from. Refuted only by a definition that is in reach, or
 * by a line without the name. Confirmed for an import of what is not there, for a name that the file, or its package, did
 * define or import before the change, and for one that other files of Python import: any other could be a global that this
 * program does not know.
 */
export const checkUndefined: ClaimCheck<'undefined'> = async ({ name, path, line }, context) => {
  const { sources } = context
  const facts = await sources.facts('new', path)
  if (!facts) return unverifiable(`\`${path}\` is not parsed after the change`)
  if (isUnparsed(facts, line)) return unverifiable(`\`${path}:${line}\` could not be parsed`)
  const text = (await sources.lines('new', path))?.[line - 1] ?? ''
  if (!holdsName(text, name)) return refuted(`\`${path}:${line}\` does not use \`${name}\``)
  const used = referencesOn(facts, name, line).filter(({ role }) => role !== 'import')
  const free = used.find((use) => use.receiver === null)
  if (used.length > 0 && !free) return ofMember(path, used[0], context)
  if (definesFree(facts, name)) return refuted(`\`${path}\` defines \`${name}\``)
  const imports = facts.imports.filter(
    (fact) => fact.local === name || (fact.line === line && fact.imported === name),
  )
  for (const fact of imports) {
    const meant = await importedBy(path, fact, sources)
    if (meant?.kind === 'module') return refuted(`\`${path}\` imports \`${name}\`, and it is there`)
    if (meant?.kind === 'defined') return inReach(name, meant)
    if (meant?.kind === 'missing' && meant.certainty === 'certain') return confirmed('the code index')
  }
  if (imports.length > 0)
    return unverifiable(`\`${path}\` imports \`${name}\` from a place that was not searched`)
  const found = await resolveUse(path, free, context)
  if (found?.kind === 'defined') return inReach(name, found)
  if (facts.imports.some((fact) => fact.imported === '*' && fact.local === null))
    return unverifiable(`\`${name}\` may come through a wildcard import`)
  const neighbour = await definingNeighbour(facts, name, path, context)
  if (neighbour !== null) return refuted(`\`${neighbour}\` of the same package defines \`${name}\``)
  const before = await sources.facts('old', path)
  const wasBound =
    before !== null && (definesFree(before, name) || before.imports.some((fact) => fact.local === name))
  const wasRemoved = context.symbols.some(
    ({ kind, before: was }) =>
      (kind === 'removed' || kind === 'renamed' || kind === 'moved') &&
      was?.symbol.name === name &&
      (was.path === path ||
        (facts.packageName !== null && folderWithSlash(was.path) === folderWithSlash(path))),
  )
  return wasBound || wasRemoved || (await isImportedElsewhere(name, path, facts, sources))
    ? confirmed('the code index')
    : unverifiable(`\`${name}\` was not defined here before either; it may be a global`)
}

/** Python: each file binds what it uses, and others bind this name by an import. */
async function isImportedElsewhere(
  name: string,
  path: string,
  facts: FileFacts,
  sources: Sources,
): Promise<boolean> {
  const text = facts.language === 'python' ? (await sources.text('new', path))?.text : undefined
  if (text === undefined || unboundUse(facts, text, name) === null) return false
  const holders = await sources.headFilesWith(name)
  return ((await importersOf(await sources.worldAfter(), path, name, holders)) ?? 0) > 0
}

async function ofMember(
  path: string,
  use: Reference | undefined,
  context: ClaimContext,
): Promise<ClaimResult> {
  const meant = await resolveUse(path, use, context)
  const [name, receiver] = [use?.name ?? '', use?.receiver ?? '']
  if (meant?.kind === 'defined') return inReach(name, meant)
  return meant?.kind === 'missing' && meant.certainty === 'certain'
    ? confirmed('the code index')
    : unverifiable(`\`${name}\` is a member of \`${receiver}\`, and no type of it says what it has`)
}

function inReach(name: string, { definitions }: Extract<Meaning, { kind: 'defined' }>): ClaimResult {
  return refuted(`\`${definitions[0]?.path}\` defines \`${name}\`, and it is in reach`)
}

/** What the resolver of the language says of the use; null when it cannot be asked. */
async function resolveUse(
  path: string,
  use: Reference | undefined,
  { sources }: ClaimContext,
): Promise<Meaning | null> {
  const world = await sources.worldAfter()
  const facts = await world.facts(path)
  if (!facts || !use) return null
  return resolveReference(world, { path, facts, enclosing: null, text: await world.text(path) }, use)
}

/** Locals do not count: a use they are in scope for is no free name to begin with. */
function definesFree(facts: FileFacts, name: string): boolean {
  return facts.symbols.some((symbol) => symbol.name === name && isFree(symbol, facts.language))
}

/** Languages in which a member may be used by its bare name inside its type. */
const bareMembers: ReadonlySet<string> = new Set([
  'java',
  'kotlin',
  'csharp',
  'cpp',
  'ruby',
  'swift',
  'scala',
])

/** Elsewhere members are reached through their type only. */
function isFree({ kind }: CodeSymbol, language: string): boolean {
  return bareMembers.has(language) || (kind !== 'method' && kind !== 'field')
}

/** Go and Java share names within a package, which is a folder. */
async function definingNeighbour(
  facts: FileFacts,
  name: string,
  path: string,
  { sources }: ClaimContext,
): Promise<string | null> {
  if (facts.packageName === null) return null
  for (const other of await sources.headFilesWith(name)) {
    if (other === path || folderWithSlash(other) !== folderWithSlash(path)) continue
    const neighbour = await sources.facts('new', other)
    if (neighbour?.packageName !== facts.packageName) continue
    if (neighbour.symbols.some((symbol) => symbol.name === name && symbol.scope === '')) return other
  }
  return null
}

/** `not-exported`: the line imports the name from a file that does not export it, nor passes it on. */
export const checkNotExported: ClaimCheck<'not-exported'> = async (
  { name, from, path, line },
  { sources },
) => {
  const importer = await sources.facts('new', path)
  if (!importer) return unverifiable(`\`${path}\` is not parsed after the change`)
  if (!importsOn(importer, name, line))
    return isUnparsed(importer, line)
      ? unverifiable(`\`${path}:${line}\` could not be parsed`)
      : refuted(`\`${path}:${line}\` does not import \`${name}\``)
  const text = await sources.text('new', from)
  if (!text) {
    return (await sources.headPaths()).has(from)
      ? unverifiable(`\`${from}\` cannot be read`)
      : confirmed('the tree: the file was removed')
  }
  const exporter = await sources.facts('new', from)
  if (!exporter) return unverifiable(`\`${from}\` is not parsed`)
  if (offers(exporter, name, from)) return refuted(`\`${from}\` does export \`${name}\``)
  const meaning = await followed(importer, { name, path, line }, sources)
  if (meaning?.kind === 'defined')
    return refuted(`\`${from}\` passes on \`${name}\` of \`${meaning.definitions[0]?.path}\``)
  const isFollowed = meaning?.kind === 'missing' && meaning.missing === 'export'
  const stars = exporter.imports.filter((fact) => fact.imported === '*' && fact.reexport)
  if (stars.length > 0 && !(isFollowed && (await areHere(stars, from, exporter, sources))))
    return unverifiable(`\`${from}\` passes on everything of another file`)
  const hidden = hiddenExport(exporter, text.text, name)
  if (hidden !== null) return unverifiable(`\`${from}\`: ${hidden}`)
  return confirmed('the code index')
}

async function importedBy(path: string, fact: ImportFact, sources: Sources): Promise<Meaning | null> {
  const world = await sources.worldAfter()
  const facts = await world.facts(path)
  return facts && resolveImport(world, { path, facts, enclosing: null, text: await world.text(path) }, fact)
}

/** What the imported name means, re-exports followed; null when the line has no such import. */
async function followed(
  facts: FileFacts,
  { name, path, line }: { name: string; path: string; line: number },
  sources: Sources,
): Promise<Meaning | null> {
  const fact = facts.imports.find((one) => one.line === line && one.imported === name)
  return fact ? await importedBy(path, fact, sources) : null
}

/** True when everything that the file passes on comes from files of this repository, which the resolver has read. */
async function areHere(
  stars: readonly ImportFact[],
  path: string,
  facts: FileFacts,
  sources: Sources,
): Promise<boolean> {
  const world = await sources.worldAfter()
  const place = { path, facts, enclosing: null, text: await world.text(path) }
  for (const star of stars) if ((await resolveImport(world, place, star)).kind !== 'module') return false
  return true
}

function importsOn(facts: FileFacts, name: string, line: number): boolean {
  return (
    facts.imports.some((fact) => fact.imported === name && fact.line === line) ||
    // `module.name` reaches for an export too.
    facts.references.some(
      (ref) => ref.name === name && ref.line === line && (ref.role === 'import' || ref.receiver !== null),
    )
  )
}

function offers(facts: FileFacts, name: string, path: string): boolean {
  const isPython = facts.language === 'python'
  const isAllOffered = isPython || isDeclarationFile(path)
  return (
    facts.exports.some((fact) => fact.exported === name) ||
    facts.imports.some((fact) => fact.local === name && (fact.reexport || isPython)) ||
    facts.symbols.some(
      (symbol) =>
        symbol.name === name && symbol.scope === '' && (isAllOffered || symbol.visibility === 'exported'),
    )
  )
}

/** `call-mismatch`: every definition that the call may run takes other arguments. */
export const checkCallMismatch: ClaimCheck<'call-mismatch'> = async ({ name, path, line }, { sources }) => {
  const world = await sources.worldAfter()
  const facts = await world.facts(path)
  if (!facts) return unverifiable(`\`${path}\` is not parsed after the change`)
  const calls = referencesOn(facts, name, line).filter(({ role }) => role === 'call')
  if (calls.length === 0)
    return isUnparsed(facts, line)
      ? unverifiable(`\`${path}:${line}\` could not be parsed`)
      : refuted(`\`${path}:${line}\` does not call \`${name}\``)
  const place = { path, facts, enclosing: null, text: await world.text(path) }
  for (const call of calls) {
    const meaning = await resolveReference(world, place, call)
    if (meaning.kind !== 'defined') return unverifiable(`what \`${name}\` calls there is not known`)
    const fits = await fitsOf(world, await withKnownArguments(world, place, call), meaning)
    if (fits.length > 0 && fits.every((fit) => fit.fits === false)) return confirmed('the code index')
    if (fits.some((fit) => fit.fits === null))
      return unverifiable(`the parameters of \`${name}\` are not known for sure`)
  }
  return refuted(`the call of \`${name}\` at \`${path}:${line}\` fits its definition`)
}
