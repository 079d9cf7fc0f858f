/** What a Rust path (`crate::a::b`, `super::f`, `other_crate::T`) leads to. */
import type { FileFacts, ImportFact } from '../../contract.ts'
import type { Hop, Meaning, Module, World } from '../contract.ts'
import { remembered } from '../remembered.ts'
import { askedBy, defined, missing, symbolsIn, unknown } from '../symbols.ts'
import { workspaceCrates } from './crates.ts'
import { childModule, fileModule, importsOf, parentModule, rootModule } from './modules.ts'

const longestChain = 24

/** `own`: facts of the file the path stands in, when they are not those of the world. */
export type Sight = { world: World; own: { path: string; facts: FileFacts } | null }

export async function importMeaning(
  sight: Sight,
  module: Module,
  fact: ImportFact,
  hops: readonly Hop[],
): Promise<Meaning> {
  const written = fact.source.split('::').filter(Boolean)
  const segments = fact.imported === '*' ? written : [...written, fact.imported]
  return askedBy(await pathMeaning(sight, module, segments, hops), module.path)
}

export async function pathMeaning(
  sight: Sight,
  from: Module,
  segments: readonly string[],
  hops: readonly Hop[],
): Promise<Meaning> {
  const [first = '', ...rest] = segments
  let at = await firstMeaning(sight, from, first, hops)
  for (const segment of rest) {
    if (at.kind === 'module') at = await moduleMember(sight, at.module, segment, at.hops)
    else if (at.kind === 'defined') return inType(at, segment)
    else return at
  }
  return at
}

/** What a module holds under a name: definitions, `use` declarations, modules, and what globs bring in. */
export function moduleMember(
  sight: Sight,
  module: Module,
  name: string,
  hops: readonly Hop[],
): Promise<Meaning> {
  // On a way of several hops the answer tells the way, and a circle ends it.
  if (hops.length > 0) return lookUpMember(sight, module, name, hops)
  const own = sight.own?.facts ?? sight.world
  const key = `${name}\n${module.name}\n${module.path}\n${sight.own?.path ?? ''}`
  return remembered(sight.world, own, 'rust member', key, () => lookUpMember(sight, module, name, hops))
}

async function lookUpMember(
  sight: Sight,
  module: Module,
  name: string,
  hops: readonly Hop[],
): Promise<Meaning> {
  const hopName = module.name === '' ? name : `${module.name}::${name}`
  if (hops.length > longestChain || hops.some((hop) => hop.path === module.path && hop.name === hopName))
    // A circle of globs brings nothing that was not found on the way.
    return missing('export', module.path, 'likely')
  const facts = await sight.world.facts(module.path)
  if (!facts) return unknown('the module could not be read')
  const trail = [...hops, { path: module.path, name: hopName }]
  const own = symbolsIn(module.path, facts, module.name, name)
  const items = own.filter(({ index }) => facts.symbols[index]?.kind !== 'module')
  if (items.length > 0)
    return defined(items, { how: hops.length === 0 ? 'import' : 're-export chain', hops: trail })
  const imports = importsOf(sight.own?.path === module.path ? sight.own.facts : facts, module.name)
  const isModule = (fact: ImportFact): boolean => fact.source === `self::${name}` && fact.imported === '*'
  const handedOn = imports.find((fact) => fact.local === name && !isModule(fact) && !leadsBack(fact, name))
  if (handedOn) {
    const meaning = await importMeaning(sight, module, handedOn, trail)
    if (meaning.kind !== 'unknown') return meaning
  }
  const child = await childModule(sight.world, module, name)
  if (child) return { kind: 'module', module: child, hops: trail }
  if (handedOn) return unknown('another crate')
  // Declared with `mod x;`, and there is no such file.
  if (imports.some(isModule)) return missing('export', module.path)
  let doubt: Meaning | null = null
  for (const star of imports.filter((fact) => fact.local === null && fact.imported === '*')) {
    const opened = await importMeaning(sight, module, star, trail)
    // `use Kind::*` brings the variants of an enum.
    const variants = opened.kind === 'defined' ? inType(opened, name) : null
    if (variants?.kind === 'defined') return variants
    if (variants) continue
    const meaning =
      opened.kind === 'module' ? await moduleMember(sight, opened.module, name, opened.hops) : opened
    if (meaning.kind === 'defined' || meaning.kind === 'module') return meaning
    if (meaning.kind === 'unknown') doubt ??= meaning
  }
  if (doubt) return doubt
  return facts.errorLines.length > 0 ? unknown('the module does not parse') : missing('export', module.path)
}

async function firstMeaning(
  sight: Sight,
  from: Module,
  word: string,
  hops: readonly Hop[],
): Promise<Meaning> {
  const { world } = sight
  const asModule = (module: Module | null): Meaning =>
    module ? { kind: 'module', module, hops } : unknown('no such module around')
  if (word === 'crate' || word === '$crate') return asModule(await rootModule(world, from))
  if (word === 'self') return asModule(from)
  if (word === 'super') return asModule(await parentModule(world, from))
  const here = await moduleMember(sight, from, word, hops)
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
