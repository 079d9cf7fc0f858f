/** Names in Java: members of the classes around, imports, the own package, wildcards, in the order of the language. */

import type { ImportFact } from '../../contract.ts'
import type { Definition, Language, Meaning, UseSite, World } from '../contract.ts'
import { writtenBases } from '../scopes.ts'
import {
  around,
  askedBy,
  defined,
  fullName,
  importsAs,
  isType,
  missing,
  mostStars,
  starImports,
  symbolOf,
  symbolsIn,
  typeMember,
  unknown,
} from '../symbols.ts'
import { sharedFolders } from '../world.ts'

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

async function name(world: World, place: UseSite, word: string): Promise<Meaning> {
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
  const fact = importsAs(place.facts, word)[0]
  if (fact) return imported(world, place, fact)
  const own = facts ? symbolsIn(place.path, facts, '', word) : []
  if (own.length > 0) return typesAt(own)
  const packaged = await typeInPackage(world, place.path, place.facts.packageName ?? '', word)
  if (packaged.length > 0) return defined(packaged, { how: 'same package' })
  const stars = starImports(place.facts)
  if (stars.length > mostStars) return unknown('too many wildcard imports')
  for (const star of stars) {
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

async function imported(world: World, place: UseSite, fact: ImportFact): Promise<Meaning> {
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

// Which type a Java name stands for: by fully qualified name, or by package.

/**
 * `a.b.Outer.Inner`: types start with a capital by convention. `package` means that only the package is here;
 * `external` that not even that is.
 */
async function typeNamed(
  world: World,
  from: string,
  qualified: string,
): Promise<
  { kind: 'types'; types: readonly Definition[] } | { kind: 'package'; name: string } | { kind: 'external' }
> {
  const parts = qualified.split('.')
  const first = parts.findIndex((part) => /^[A-Z]/.test(part))
  const cut = first < 0 ? parts.length - 1 : first
  const packageName = parts.slice(0, cut).join('.')
  const [outer, ...inner] = parts.slice(cut)
  if (outer === undefined) return { kind: 'external' }
  let types = await typeInPackage(world, from, packageName, outer)
  for (const name of inner)
    types = types.flatMap((type) => symbolsIn(type.path, type.facts, fullName(symbolOf(type)), name))
  if (types.length > 0) return { kind: 'types', types }
  return (await packageFiles(world, packageName)).length > 0
    ? { kind: 'package', name: packageName }
    : { kind: 'external' }
}

/** The same package may lie in several source folders (main, test, other modules); the nearest definition wins. */
async function typeInPackage(
  world: World,
  from: string,
  packageName: string,
  name: string,
): Promise<readonly Definition[]> {
  const files = await packageFiles(world, packageName)
  const usual = files.filter((path) => path.endsWith(`/${name}.java`) || path === `${name}.java`)
  for (const candidates of [usual, files]) {
    const facts = await world.factsOf(candidates)
    const found = [...facts]
      .filter(([, own]) => (own.packageName ?? '') === packageName)
      .flatMap(([path, own]) =>
        symbolsIn(path, own, '', name).filter((definition) => isType(symbolOf(definition))),
      )
      .sort((a, b) => sharedFolders(b.path, from) - sharedFolders(a.path, from))
    const [nearest] = found
    if (nearest) return found.filter(({ path }) => path === nearest.path)
  }
  return []
}

function packageFiles(world: World, packageName: string): Promise<readonly string[]> {
  return world.once(`java package ${packageName}`, async () => {
    const folder = packageName.replaceAll('.', '/')
    const folders = folder === '' ? [''] : world.paths.foldersEndingWith(folder)
    return folders.flatMap((at) => world.paths.filesIn(at)).filter((path) => path.endsWith('.java'))
  })
}
