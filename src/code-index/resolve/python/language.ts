/** Names in Python: function scopes, imports, module names, members through `self`, classes and typed names. */
import type { Definition, Language, Meaning, Place, World } from '../contract.ts'
import { nestedDefinitions, writtenBases } from '../scopes.ts'
import { defined, fullName, missing, symbolOf, symbolsIn, unknown } from '../symbols.ts'
import { importedFrom, moduleName } from './exports.ts'
import { findModule } from './modules.ts'

/** Base classes that add no names a program calls by mistake. */
const plainBases = new Set([
  'object',
  'ABC',
  'Generic',
  'Protocol',
  'Exception',
  'ValueError',
  'RuntimeError',
])

export const python: Language = {
  ids: ['python'],
  selfWords: { self: 'instance', cls: 'type', super: 'super' },
  constructorName: (type) => (type.kind === 'class' ? '__init__' : null),
  implicitConstructor: false,
  callMakes: true,
  bareMembers: false,
  inheritsOverloads: false,
  name,
  imported: (world, place, fact) => importedFrom(world, place.path, fact, []),
  moduleMember: (world, module, member) => moduleName(world, module.path, member),
  async ownMembers(_world, { path, facts, index }, member) {
    return symbolsIn(path, facts, fullName(symbolOf({ path, facts, index })), member)
  },
  async baseTypes(world, type) {
    const bases = await writtenBases(python, world, type, plainBases)
    const { path, facts } = type
    const dynamic = symbolsIn(path, facts, fullName(symbolOf(type)), '__getattr__').length > 0
    return { types: bases.types, open: bases.open || dynamic }
  },
}

async function name(world: World, place: Place, word: string): Promise<Meaning> {
  const facts = await world.facts(place.path)
  const nested = nestedDefinitions(facts, place, word)
  if (nested.length > 0) return defined(nested)
  const own: Definition[] = facts ? symbolsIn(place.path, facts, '', word) : []
  const fact = place.facts.imports.find((candidate) => candidate.local === word)
  if (fact) {
    const meaning = await importedFrom(world, place.path, fact, [])
    return meaning.kind === 'unknown' && own.length > 0 ? defined(own) : meaning
  }
  if (own.length > 0) return defined(own)
  const dotted = place.facts.imports.find((candidate) => candidate.local?.startsWith(`${word}.`))
  if (dotted) {
    const found = findModule(world, place.path, word)
    return found.kind === 'file'
      ? { kind: 'module', module: { path: found.path, name: '' }, hops: [] }
      : unknown('another package')
  }
  for (const star of place.facts.imports.filter(
    ({ local, imported }) => local === null && imported === '*',
  )) {
    const meaning = await importedFrom(world, place.path, { ...star, imported: word }, [])
    if (meaning.kind !== 'missing') return meaning
  }
  return place.facts.errorLines.length > 0 ? unknown('the file does not parse') : missing('name', place.path)
}
