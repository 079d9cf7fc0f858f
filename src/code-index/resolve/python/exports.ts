/** What a Python module holds under a name: definitions, imports of its own, modules of its package. */
import type { ImportFact } from '../../contract.ts'
import type { Hop, Meaning, World } from '../contract.ts'
import { askedBy, defined, missing, symbolsIn, unknown } from '../symbols.ts'
import { findModule, submodule } from './modules.ts'

const longestChain = 24

export function moduleName(world: World, path: string, name: string): Promise<Meaning> {
  return follow(world, path, name, [])
}

export async function importedFrom(
  world: World,
  from: string,
  fact: ImportFact,
  hops: readonly Hop[],
): Promise<Meaning> {
  const found = findModule(world, from, fact.source)
  if (found.kind === 'external') return unknown('another package')
  if (found.kind === 'missing') return askedBy(missing('module', found.path), from)
  if (fact.imported === '*') return { kind: 'module', module: { path: found.path, name: '' }, hops }
  return askedBy(await follow(world, found.path, fact.imported, hops), from)
}

async function follow(world: World, path: string, name: string, hops: readonly Hop[]): Promise<Meaning> {
  if (hops.length > longestChain || hops.some((hop) => hop.path === path && hop.name === name))
    return missing('export', path, 'likely')
  const trail = [...hops, { path, name }]
  const below = submodule(world, path, name)
  const asModule: Meaning | null =
    below === null ? null : { kind: 'module', module: { path: below, name: '' }, hops: trail }
  if (path.endsWith('/')) return asModule ?? missing('module', path + name, 'likely')
  const facts = await world.facts(path)
  if (!facts) return unknown('the module could not be read')

  const own = symbolsIn(path, facts, '', name)
  if (own.length > 0)
    return defined(own, { how: hops.length === 0 ? 'import' : 're-export chain', hops: trail })
  const handedOn = facts.imports.find((fact) => fact.local === name)
  if (handedOn) {
    const meaning = await importedFrom(world, path, handedOn, trail)
    // `from . import x` in the package itself names the module below.
    return meaning.kind === 'unknown' && asModule ? asModule : meaning
  }
  if (asModule) return asModule
  let doubt: Meaning | null = null
  for (const star of facts.imports.filter((fact) => fact.local === null && fact.imported === '*')) {
    const meaning = await importedFrom(world, path, { ...star, imported: name }, trail)
    if (meaning.kind === 'defined' || meaning.kind === 'module') return meaning
    if (meaning.kind === 'unknown') doubt ??= meaning
  }
  if (doubt) return doubt
  const dynamic = symbolsIn(path, facts, '', '__getattr__').length > 0
  if (dynamic || facts.errorLines.length > 0) return unknown('names may come at run time')
  return missing('export', path)
}
