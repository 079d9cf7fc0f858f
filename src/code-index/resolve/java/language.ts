/** Names in Java: members of the classes around, imports, the own package, wildcards, in the order of the language. */
import type { ImportFact } from '../../contract.ts'
import type { Definition, Language, Meaning, Place, World } from '../contract.ts'
import { typeMember } from '../members.ts'
import { writtenBases } from '../scopes.ts'
import {
  around,
  askedBy,
  defined,
  fullName,
  isType,
  missing,
  symbolOf,
  symbolsIn,
  unknown,
} from '../symbols.ts'
import { typeInPackage, typeNamed } from './types.ts'

const plainBases = new Set(['Object', 'Serializable', 'Cloneable', 'Comparable'])

export const java: Language = {
  ids: ['java'],
  selfWords: { this: 'instance', super: 'super' },
  constructorName: (type) => (type.kind === 'class' ? type.name : null),
  implicitConstructor: true,
  callMakes: false,
  bareMembers: true,
  inheritsOverloads: true,
  name,
  imported,
  async moduleMember(world, module, member, from) {
    const types = await typeInPackage(world, from.path, module.name, member)
    return types.length > 0 ? defined(types, { how: 'import' }) : missing('export', module.name)
  },
  async ownMembers(_world, { path, facts, index }, member) {
    return symbolsIn(path, facts, fullName(symbolOf({ path, facts, index })), member)
  },
  baseTypes: (world, type) => writtenBases(java, world, type, plainBases),
}

async function name(world: World, place: Place, word: string): Promise<Meaning> {
  const looksLikeType = /^[A-Z][a-z0-9]|^[A-Z]$/.test(word)
  const facts = await world.facts(place.path)
  let doubt: Meaning | null = null
  for (const index of around(place)) {
    const symbol = place.facts.symbols[index]
    if (!symbol || !isType(symbol) || !facts) continue
    if (symbol.name === word) return typesAt(symbolsIn(place.path, facts, symbol.scope, word))
    const types = symbolsIn(place.path, facts, symbol.scope, symbol.name)
    const meaning = await typeMember(java, world, types, word, true)
    if (meaning.kind === 'defined') return meaning
    if (meaning.kind === 'unknown') doubt ??= meaning
  }
  const fact = place.facts.imports.find((candidate) => candidate.local === word)
  if (fact) return imported(world, place, fact)
  const own = facts ? symbolsIn(place.path, facts, '', word) : []
  if (own.length > 0) return typesAt(own)
  const packaged = await typeInPackage(world, place.path, place.facts.packageName ?? '', word)
  if (packaged.length > 0) return defined(packaged, { how: 'same package' })
  for (const star of place.facts.imports.filter(
    ({ local, imported: what }) => local === null && what === '*',
  )) {
    const inPackage = await typeInPackage(world, place.path, star.source, word)
    if (inPackage.length > 0) return defined(inPackage, { how: 'import' })
    const holder = await typeNamed(world, place.path, star.source)
    if (holder.kind !== 'types') continue
    const meaning = await typeMember(java, world, holder.types, word, false)
    if (meaning.kind === 'defined') return meaning
  }
  if (doubt && !looksLikeType) return doubt
  return place.facts.errorLines.length > 0 ? unknown('the file does not parse') : missing('name', place.path)
}

async function imported(world: World, place: Place, fact: ImportFact): Promise<Meaning> {
  if (fact.imported === '*') return unknown('everything of a package')
  const isStatic = !fact.source.endsWith(`.${fact.imported}`) && fact.source !== fact.imported
  const found = await typeNamed(world, place.path, fact.source)
  if (found.kind === 'external') return unknown('another library')
  if (found.kind === 'package') return askedBy(missing('export', found.name), place.path)
  if (!isStatic) return defined(found.types, { how: 'import' })
  const meaning = await typeMember(java, world, found.types, fact.imported, false)
  return askedBy(meaning, place.path)
}

function typesAt(definitions: readonly Definition[]): Meaning {
  return definitions.length > 0 ? defined(definitions) : unknown('the type around is new')
}
