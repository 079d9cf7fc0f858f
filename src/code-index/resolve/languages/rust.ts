/** Names in Rust: modules, `use` trees, impl blocks wherever they are in the crate, traits. */
import { folderOf } from '../../../base/file-paths.ts'
import { itemsBy } from '../../../base/grouped.ts'
import type { FileFacts, ImportFact } from '../../contract.ts'
import type { Definition, Hop, Language, Meaning, Module, UseSite, World } from '../contract.ts'
import { isLost } from '../look-ups.ts'
import { nestedDefinitions, writtenBases } from '../scopes.ts'
import {
  around,
  askedBy,
  basesOf,
  defined,
  fullName,
  isStar,
  localName,
  missing,
  mostStars,
  symbolOf,
  symbolsIn,
  symbolsNamed,
  unknown,
} from '../symbols.ts'
import { remembered } from '../world.ts'
import {
  childModule,
  crateOf,
  fileModule,
  importsOf,
  parentModule,
  rootModule,
  sourceOf,
  workspaceCrates,
} from './rust-modules.ts'

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
    return importMeaning(await scopeFrom(world, place), moduleAround(place), fact, [])
  },
  moduleMember: (world, module, member) => moduleMember({ world, own: null }, module, member, []),
  async ownMembers(world, type, member) {
    const symbol = symbolOf(type)
    const here = symbolsIn(type.path, type.facts, fullName(symbol), member)
    if (here.length > 0) return here
    const files = await implFiles(world, type)
    return [...files].flatMap(([path, facts]) =>
      path === type.path || definesType(facts, symbol.name)
        ? []
        : symbolsIn(path, facts, symbol.name, member),
    )
  },
  async baseTypes(world, type) {
    const bases = await writtenBases(rust, world, type, new Set())
    const traits = await traitsOf(world, type)
    // A trait from elsewhere hardly ever has a method of the name that was just removed; `Deref` opens the type.
    return { types: [...bases.types, ...traits.types], open: traits.derefs }
  },
}

async function name(world: World, place: UseSite, word: string): Promise<Meaning> {
  const facts = await world.facts(place.path)
  const nested = nestedDefinitions(facts, place, word)
  if (nested.length > 0) return defined(nested)
  const scope = await scopeFrom(world, place)
  const module = moduleAround(place)
  const here = await moduleMember(scope, module, word, [])
  if (here.kind !== 'missing') return here
  const path = await pathMeaning(scope, module, [word], [])
  if (path.kind === 'defined' || path.kind === 'module') return path
  const macros = await macrosNamed(world, place, word)
  if (macros.length > 0) return defined(macros, { how: 'unique name', certainty: 'likely' })
  if (place.facts.errorLines.length > 0) return unknown('the file does not parse')
  const lost = missing('name', place.path)
  return here.by === null ? lost : askedBy(lost, here.by)
}

/** A file that is in the world as it is needs no facts beside those of the world. */
async function scopeFrom(world: World, place: UseSite): Promise<ResolveScope> {
  return { world, own: (await world.facts(place.path)) === place.facts ? null : place }
}

/** Macros reach by the order of the text, not by paths: one in a changed file of the crate is taken for the one meant. */
async function macrosNamed(world: World, place: UseSite, word: string): Promise<Definition[]> {
  const crate = await crateOf(world, place.path)
  const files = world.changed.filter(
    (path) => path.endsWith('.rs') && (!crate || path.startsWith(crate.folder)),
  )
  return [...(await world.factsOf(files))].flatMap(([path, facts]) =>
    symbolsIn(path, facts, '', word).filter((definition) => symbolOf(definition).kind === 'macro'),
  )
}

/** What it implements for a type of that name, it implements for its own. */
function definesType(facts: FileFacts, name: string): boolean {
  return symbolsNamed(facts, name).some((index) => {
    const symbol = facts.symbols[index]
    return symbol?.scope === '' && symbol.kind !== 'impl' && symbol.kind !== 'function'
  })
}

/** The inline modules around a place, as one scope. */
function moduleAround(place: UseSite): Module {
  const names = around(place).flatMap((index) => {
    const symbol = place.facts.symbols[index]
    return symbol?.kind === 'module' ? [symbol.name] : []
  })
  return { path: place.path, name: names.reverse().join('.') }
}

/** Files in which impl blocks of a type usually are: beside it, below it, and wherever the change moved code. */
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
  const types: Definition[] = []
  let derefs = false
  const { name } = symbolOf(type)
  for (const block of (await implBlocks(world, type)).get(name) ?? []) {
    if (block.path !== type.path && definesType(block.facts, name)) continue
    derefs ||= basesOf(block).some(({ name }) => name === 'Deref')
    types.push(...(await writtenBases(rust, world, block, new Set())).types)
  }
  return { types, derefs }
}

/** The impl blocks of traits around a type, by the type they are for. The types of one file share them. */
function implBlocks(world: World, type: Definition): Promise<ReadonlyMap<string, Definition[]>> {
  return remembered(world, world, 'impl blocks', type.path, async () => {
    const blocks: Definition[] = []
    for (const [path, facts] of await implFiles(world, type))
      for (const index of new Set(facts.supertypes.map(({ symbol }) => symbol)))
        if (facts.symbols[index]?.kind === 'impl') blocks.push({ path, facts, index })
    return Map.groupBy(blocks, (block) => symbolOf(block).name)
  })
}

// What a Rust path (`crate::a::b`, `super::f`, `other_crate::T`) leads to.

const longestChain = 24

/** `own`: facts of the file the path is in, when they are not those of the world. */
type ResolveScope = { world: World; own: { path: string; facts: FileFacts } | null }

async function importMeaning(
  scope: ResolveScope,
  module: Module,
  fact: ImportFact,
  hops: readonly Hop[],
): Promise<Meaning> {
  const written = fact.source.split('::').filter(Boolean)
  const segments = fact.imported === '*' ? written : [...written, fact.imported]
  return askedBy(await pathMeaning(scope, module, segments, hops), module.path)
}

async function pathMeaning(
  scope: ResolveScope,
  from: Module,
  segments: readonly string[],
  hops: readonly Hop[],
): Promise<Meaning> {
  const [first = '', ...rest] = segments
  let at = await firstMeaning(scope, from, first, hops)
  for (const segment of rest) {
    if (at.kind === 'module') at = await moduleMember(scope, at.module, segment, at.hops)
    else if (at.kind === 'defined') return inType(at, segment)
    else return at
  }
  return at
}

/** What a module holds under a name: definitions, `use` declarations, modules, and what globs import. */
function moduleMember(
  scope: ResolveScope,
  module: Module,
  name: string,
  hops: readonly Hop[],
): Promise<Meaning> {
  // On a way of several hops the answer tells the way, and a circle ends it.
  if (hops.length > 0) return lookUpMember(scope, module, name, hops)
  const own = scope.own?.facts ?? scope.world
  const key = `${name}\n${module.name}\n${module.path}\n${scope.own?.path ?? ''}`
  return remembered(scope.world, own, 'rust member', key, () => lookUpMember(scope, module, name, hops))
}

async function lookUpMember(
  scope: ResolveScope,
  module: Module,
  name: string,
  hops: readonly Hop[],
): Promise<Meaning> {
  const hopName = module.name === '' ? name : `${module.name}::${name}`
  if (hops.length > longestChain || hops.some((hop) => hop.path === module.path && hop.name === hopName))
    // A circle of globs adds nothing that was not found on the way.
    return missing('export', module.path, 'likely')
  if (isLost(scope.world, hops)) return unknown('too many ways lead there')
  const facts = await scope.world.facts(module.path)
  if (!facts) return unknown('the module could not be read')
  const trail = [...hops, { path: module.path, name: hopName }]
  const own = symbolsIn(module.path, facts, module.name, name)
  const items = own.filter(({ index }) => facts.symbols[index]?.kind !== 'module')
  if (items.length > 0)
    return defined(items, { how: hops.length === 0 ? 'import' : 're-export chain', hops: trail })
  const imports = importsOf(scope.own?.path === module.path ? scope.own.facts : facts, module.name)
  const isModule = (fact: ImportFact): boolean => fact.source === `self::${name}` && fact.imported === '*'
  const handedOn = itemsBy(imports, localName, name).find((fact) => !isModule(fact) && !leadsBack(fact, name))
  const handed = handedOn ? await importMeaning(scope, module, handedOn, trail) : null
  if (handed && handed.kind !== 'unknown') return handed
  const child = await childModule(scope.world, module, name)
  if (child) return { kind: 'module', module: child, hops: trail }
  // Of another crate, or of this one where it cannot be seen.
  if (handed) return handed
  // Declared with `mod x;`, and there is no such file.
  if (itemsBy(imports, sourceOf, `self::${name}`).some(isModule)) return missing('export', module.path)
  let doubt: Meaning | null = null
  const stars = itemsBy(imports, isStar, true)
  if (stars.length > mostStars) return unknown('too many wildcard imports')
  for (const star of stars) {
    const opened = await importMeaning(scope, module, star, trail)
    // `use Kind::*` imports the variants of an enum.
    const variants = opened.kind === 'defined' ? inType(opened, name) : null
    if (variants?.kind === 'defined') return variants
    if (variants) continue
    const meaning =
      opened.kind === 'module' ? await moduleMember(scope, opened.module, name, opened.hops) : opened
    if (meaning.kind === 'defined' || meaning.kind === 'module') return meaning
    if (meaning.kind === 'unknown') doubt ??= meaning
  }
  if (doubt) return doubt
  return facts.errorLines.length > 0 ? unknown('the module does not parse') : missing('export', module.path)
}

async function firstMeaning(
  scope: ResolveScope,
  from: Module,
  word: string,
  hops: readonly Hop[],
): Promise<Meaning> {
  const { world } = scope
  const asModule = (module: Module | null): Meaning =>
    module ? { kind: 'module', module, hops } : unknown('no such module around')
  if (word === 'crate' || word === '$crate') {
    const root = await rootModule(world, from)
    // A file to which no module leads may belong to the crate all the same.
    const crate = await crateOf(world, root.path)
    return asModule(crate && !crate.roots.has(root.path) ? null : root)
  }
  if (word === 'self') return asModule(from)
  if (word === 'super') return asModule(await parentModule(world, from))
  const here = await moduleMember(scope, from, word, hops)
  if (here.kind === 'defined' || here.kind === 'module') return here
  const crate = (await workspaceCrates(world)).find(({ name }) => name === word)
  if (crate?.library) return asModule(fileModule(crate.library))
  return here.kind === 'missing' ? unknown('another crate') : here
}

/** `use foo::foo` and `use x as x` must not look for themselves. */
function leadsBack(fact: ImportFact, name: string): boolean {
  return fact.imported === '*' && fact.source === name
}

/** A variant or an associated item, named by a path. */
function inType(at: Extract<Meaning, { kind: 'defined' }>, segment: string): Meaning {
  const members = at.definitions.flatMap(({ path, facts, index }) => {
    const symbol = facts.symbols[index]
    return symbol
      ? symbolsIn(path, facts, symbol.scope === '' ? symbol.name : `${symbol.scope}.${symbol.name}`, segment)
      : []
  })
  return members.length > 0 ? { ...at, definitions: members } : unknown('an associated item elsewhere')
}
