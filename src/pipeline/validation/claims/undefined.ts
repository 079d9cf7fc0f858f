/** `undefined`: the name used on the line is defined nowhere it could come from. */
import type { FileFacts, Reference } from '../../../code-index/contract.ts'
import type { Meaning } from '../../../code-index/resolve/contract.ts'
import { resolveReference } from '../../../code-index/resolve/resolve.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import { type ClaimBench, confirmed, type Refuter, refuted, unverifiable } from './contract.ts'
import { folderOf, isUnparsed, referencesOn } from './names.ts'

/**
 * Confirmed only for a name that the file, or its package, did define or import before the change: any other could
 * be a global that this program does not know.
 */
export const checkUndefined: Refuter<'undefined'> = async ({ name, path, line }, bench) => {
  const { sources } = bench
  const facts = await sources.facts('new', path)
  if (!facts) return unverifiable(`\`${path}\` is not parsed after the change`)
  if (isUnparsed(facts, line)) return unverifiable(`\`${path}:${line}\` could not be parsed`)
  const uses = referencesOn(facts, name, line).filter((use) => use.receiver === null)
  if (uses.length === 0) return refuted(`\`${path}:${line}\` does not use \`${name}\` as a free name`)
  if (binds(facts, name)) return refuted(`\`${path}\` defines or imports \`${name}\``)
  const found = await resolveUse(path, uses[0], bench)
  if (found?.kind === 'defined')
    return refuted(`\`${found.definitions[0]?.path}\` defines \`${name}\`, and it is in reach`)
  if (facts.imports.some((fact) => fact.imported === '*' && fact.local === null))
    return unverifiable(`\`${name}\` may come through a wildcard import`)
  const neighbour = await definingNeighbour(facts, name, path, bench)
  if (neighbour !== null) return refuted(`\`${neighbour}\` of the same package defines \`${name}\``)
  const before = await sources.facts('old', path)
  const wasBound = before !== null && binds(before, name)
  const wasRemoved = bench.symbols.some(
    ({ kind, before: was }) =>
      (kind === 'removed' || kind === 'renamed' || kind === 'moved') &&
      was?.symbol.name === name &&
      (was.path === path || (facts.packageName !== null && folderOf(was.path) === folderOf(path))),
  )
  return wasBound || wasRemoved
    ? confirmed('the code index')
    : unverifiable(`\`${name}\` was not defined here before either; it may be a global`)
}

/** What the resolver of the language says of the use; null when it cannot be asked. */
async function resolveUse(
  path: string,
  use: Reference | undefined,
  { sources }: ClaimBench,
): Promise<Meaning | null> {
  const world = await sources.worldAfter()
  const facts = await world.facts(path)
  if (!facts || !use) return null
  return resolveReference(world, { path, facts, enclosing: null, text: await world.text(path) }, use)
}

/** Locals do not count: a use they are in scope for is no free name to begin with. */
function binds(facts: FileFacts, name: string): boolean {
  return (
    facts.symbols.some((symbol) => symbol.name === name && isFree(symbol, facts.language)) ||
    facts.imports.some((fact) => fact.local === name)
  )
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
  { sources }: ClaimBench,
): Promise<string | null> {
  if (facts.packageName === null) return null
  for (const other of await sources.headFilesWith(name)) {
    if (other === path || folderOf(other) !== folderOf(path)) continue
    const neighbour = await sources.facts('new', other)
    if (neighbour?.packageName !== facts.packageName) continue
    if (neighbour.symbols.some((symbol) => symbol.name === name && symbol.scope === '')) return other
  }
  return null
}
