/** Names in Rust: modules, `use` trees, impl blocks wherever they stand in the crate, traits. */
import type { FileFacts } from '../../contract.ts'
import type { Definition, Language, Meaning, Module, Place, World } from '../contract.ts'
import { folderOf } from '../path-index.ts'
import { nestedDefinitions, writtenBases } from '../scopes.ts'
import { around, askedBy, defined, fullName, missing, symbolOf, symbolsIn, unknown } from '../symbols.ts'
import { crateOf } from './crates.ts'
import { importMeaning, moduleMember, pathMeaning, type Sight } from './paths.ts'

export const rust: Language = {
  ids: ['rust'],
  selfWords: { self: 'instance', Self: 'type' },
  constructorName: () => null,
  implicitConstructor: false,
  callMakes: false,
  bareMembers: false,
  inheritsOverloads: false,
  name,
  async imported(world, place, fact) {
    return importMeaning(await sightFrom(world, place), moduleAround(place), fact, [])
  },
  moduleMember: (world, module, member) => moduleMember({ world, own: null }, module, member, []),
  async ownMembers(world, type, member) {
    const symbol = symbolOf(type)
    const here = symbolsIn(type.path, type.facts, fullName(symbol), member)
    if (here.length > 0) return here
    const files = await implFiles(world, type)
    return [...files].flatMap(([path, facts]) =>
      path === type.path ? [] : symbolsIn(path, facts, symbol.name, member),
    )
  },
  async baseTypes(world, type) {
    const bases = await writtenBases(rust, world, type, new Set())
    const traits = await traitsOf(world, type)
    // A trait from elsewhere hardly ever has a method of the name that was just removed; `Deref` opens the type.
    return { types: [...bases.types, ...traits.types], open: traits.derefs }
  },
}

async function name(world: World, place: Place, word: string): Promise<Meaning> {
  const facts = await world.facts(place.path)
  const nested = nestedDefinitions(facts, place, word)
  if (nested.length > 0) return defined(nested)
  const sight = await sightFrom(world, place)
  const module = moduleAround(place)
  const here = await moduleMember(sight, module, word, [])
  if (here.kind !== 'missing') return here
  const path = await pathMeaning(sight, module, [word], [])
  if (path.kind === 'defined' || path.kind === 'module') return path
  const macros = await macrosNamed(world, place, word)
  if (macros.length > 0) return defined(macros, { how: 'unique name', certainty: 'likely' })
  if (place.facts.errorLines.length > 0) return unknown('the file does not parse')
  const lost = missing('name', place.path)
  return here.by === null ? lost : askedBy(lost, here.by)
}

/** A file that stands in the world as it is needs no sight of its own. */
async function sightFrom(world: World, place: Place): Promise<Sight> {
  return { world, own: (await world.facts(place.path)) === place.facts ? null : place }
}

/** Macros reach by the order of the text, not by paths: one in a changed file of the crate is taken for the one meant. */
async function macrosNamed(world: World, place: Place, word: string): Promise<Definition[]> {
  const crate = await crateOf(world, place.path)
  const files = world.changed.filter(
    (path) => path.endsWith('.rs') && (!crate || path.startsWith(crate.folder)),
  )
  return [...(await world.factsOf(files))].flatMap(([path, facts]) =>
    symbolsIn(path, facts, '', word).filter((definition) => symbolOf(definition).kind === 'macro'),
  )
}

/** The inline modules around a place, as one scope. */
function moduleAround(place: Place): Module {
  const names = around(place).flatMap((index) => {
    const symbol = place.facts.symbols[index]
    return symbol?.kind === 'module' ? [symbol.name] : []
  })
  return { path: place.path, name: names.reverse().join('.') }
}

/** Files in which impl blocks of a type usually stand: beside it, below it, and wherever the change moved code. */
async function implFiles(world: World, { path }: Definition): Promise<ReadonlyMap<string, FileFacts>> {
  const crate = await crateOf(world, path)
  const inCrate = (file: string): boolean =>
    file.endsWith('.rs') && (!crate || crate.folder === '' || file.startsWith(`${crate.folder}/`))
  const files = [
    ...world.paths.filesIn(folderOf(path)),
    ...world.paths.filesIn(path.replace(/(?:\/mod)?\.rs$/, '')),
    ...world.changed,
  ]
  return world.factsOf([...new Set(files)].filter(inCrate))
}

async function traitsOf(world: World, type: Definition): Promise<{ types: Definition[]; derefs: boolean }> {
  const { name: typeName } = symbolOf(type)
  const types: Definition[] = []
  let derefs = false
  for (const [path, facts] of await implFiles(world, type))
    for (const { symbol } of facts.supertypes) {
      const block = facts.symbols[symbol]
      if (block?.kind !== 'impl' || block.name !== typeName) continue
      derefs ||= facts.supertypes.some((base) => base.symbol === symbol && base.name === 'Deref')
      types.push(...(await writtenBases(rust, world, { path, facts, index: symbol }, new Set())).types)
    }
  return { types, derefs }
}
