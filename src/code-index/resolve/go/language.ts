/** Names in Go: packages, imports, methods by receiver type, promoted members of embedded types. */
import type { ImportFact } from '../../contract.ts'
import type { Language, Meaning, Place, World } from '../contract.ts'
import { folderOf } from '../path-index.ts'
import { writtenBases } from '../scopes.ts'
import { defined, missing, symbolOf, unknown } from '../symbols.ts'
import { findPackage, packageNameOf, packageSymbols } from './packages.ts'

export const go: Language = {
  ids: ['go'],
  selfWords: {},
  constructorName: () => null,
  implicitConstructor: false,
  callMakes: false,
  bareMembers: false,
  inheritsOverloads: false,
  name,
  imported: (world, _place, fact) => importedPackage(world, fact),
  async moduleMember(world, module, member) {
    const symbols = await packageSymbols(world, module.path, null)
    if (!symbols) return unknown('a file of the package could not be read')
    const found = symbols.named('', member)
    if (found.length === 0) return missing('export', module.path)
    return defined(found, { how: 'import', hops: [{ path: module.path, name: member }] })
  },
  async ownMembers(world, type, member) {
    const symbols = await packageSymbols(world, folderOf(type.path), type.facts.packageName)
    return symbols?.named(symbolOf(type).name, member) ?? []
  },
  async baseTypes(world, type) {
    const bases = await writtenBases(go, world, type, new Set())
    const isAlias = /=/.test(symbolOf(type).signature.text)
    const readable = await packageSymbols(world, folderOf(type.path), type.facts.packageName)
    return { types: bases.types, open: bases.open || isAlias || readable === null }
  },
}

async function name(world: World, place: Place, word: string): Promise<Meaning> {
  const fact = place.facts.imports.find((candidate) => candidate.local === word)
  if (fact) return importedPackage(world, fact)
  const symbols = await packageSymbols(world, folderOf(place.path), place.facts.packageName)
  if (!symbols) return unknown('a file of the package could not be read')
  const found = symbols.named('', word)
  if (found.length > 0)
    return defined(found, {
      how: found.some(({ path }) => path === place.path) ? 'same file' : 'same package',
    })
  for (const other of place.facts.imports) {
    const folder = await findPackage(world, other.source)
    if (folder.kind !== 'folder' || (await packageNameOf(world, folder.path)) !== word) continue
    return { kind: 'module', module: { path: folder.path, name: word }, hops: [] }
  }
  return missing('name', folderOf(place.path), place.facts.errorLines.length > 0 ? 'likely' : 'certain')
}

async function importedPackage(world: World, fact: ImportFact): Promise<Meaning> {
  const found = await findPackage(world, fact.source)
  if (found.kind === 'external') return unknown('another module')
  if (found.kind === 'missing') return missing('module', found.path)
  return { kind: 'module', module: { path: found.path, name: fact.local ?? '' }, hops: [] }
}
