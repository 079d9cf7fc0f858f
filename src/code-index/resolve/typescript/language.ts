/** Names in TypeScript and JavaScript: scopes, imports, re-exports, members of classes and interfaces. */
import type { Definition, Language, Meaning, Place, World } from '../contract.ts'
import { nestedDefinitions, writtenBases } from '../scopes.ts'
import { defined, fullName, missing, symbolOf, symbolsIn, unknown } from '../symbols.ts'
import { exportedName, importedFrom } from './exports.ts'

export const typescript: Language = {
  ids: ['typescript', 'tsx', 'javascript'],
  selfWords: { this: 'instance', super: 'super' },
  constructorName: (type) => (type.kind === 'class' ? 'constructor' : null),
  implicitConstructor: true,
  callMakes: false,
  bareMembers: false,
  inheritsOverloads: false,
  name,
  imported: (world, place, fact) => importedFrom(world, place.path, fact, []),
  moduleMember: (world, module, member) => exportedName(world, module.path, member),
  async ownMembers(_world, { path, facts, index }, member) {
    return symbolsIn(path, facts, fullName(symbolOf({ path, facts, index })), member)
  },
  baseTypes,
}

async function name(world: World, place: Place, word: string): Promise<Meaning> {
  const facts = await world.facts(place.path)
  const nested = nestedDefinitions(facts, place, word)
  if (nested.length > 0) return defined(nested)
  const fact = place.facts.imports.find((candidate) => candidate.local === word && !candidate.reexport)
  if (fact) return importedFrom(world, place.path, fact, [])
  const own = facts ? symbolsIn(place.path, facts, '', word) : []
  if (own.length > 0) return defined(own)
  return place.facts.errorLines.length > 0 ? unknown('the file does not parse') : missing('name', place.path)
}

async function baseTypes(
  world: World,
  type: Definition,
): Promise<{ types: readonly Definition[]; open: boolean }> {
  const symbol = symbolOf(type)
  const bases = await writtenBases(typescript, world, type, new Set())
  // What an alias of anything but an object stands for is not in the facts.
  const opaque = symbol.kind === 'type' && !/=\s*$|=\s*\{/.test(symbol.signature.text)
  return { types: bases.types, open: bases.open || opaque }
}
