/**
 * Names in PHP: what `use` takes from other namespaces, the own namespace, for functions the global one as well; members
 * through `$this`, `self`, `parent`, types that are written or documented. Nothing is ever called missing: magic methods
 * and libraries may offer it.
 */
import type { ImportFact, Reference } from '../../contract.ts'
import { definitionsByName, nearestOf } from '../by-name.ts'
import type { Definition, Language, Meaning, UseSite, World } from '../contract.ts'
import { linesOf } from '../lines.ts'
import { writtenBases } from '../scopes.ts'
import {
  around,
  defined,
  importsAs,
  inOwnPackage,
  isType,
  packagesOf,
  symbolOf,
  symbolsNamed,
  unknown,
} from '../symbols.ts'
import { autoloadPaths } from './php-autoload.ts'
import { documentedLocal, documentedType, typePath } from './php-docblocks.ts'

const outside = 'not in this namespace, and not imported'

export const php: Language = {
  ids: ['php'],
  selfWords: { this: 'instance', self: 'type', static: 'type', parent: 'super' },
  constructorName: (type) => (type.kind === 'class' || type.kind === 'interface' ? '__construct' : null),
  implicitConstructor: true,
  callMakes: false,
  bareMembers: false,
  inheritsOverloads: false,
  asksKnownBases: true,
  name,
  imported,
  moduleMember: (world, module, member, from) => namespaceMember(world, from.path, module.name, member),
  ownMembers: (world, type, member) => ownOrTraits(world, type, member, 0),
  async baseTypes(world, type) {
    const { types } = await writtenBases(php, world, type, new Set())
    return { types: types.filter((base) => !isTrait(base)), open: true }
  },
  doubtOf: (place, reference) => (isVariable(place, reference) ? 'a local of the same name' : null),
  narrow: (_place, reference, found) => ofOneSort(reference, found),
  hintedType: documentedType,
  hintedLocal(place, word, line) {
    return declaredParameter(place, word) ?? documentedLocal(place, word, line)
  },
}

async function name(world: World, place: UseSite, word: string): Promise<Meaning> {
  // As the facts call the global namespace.
  if (word === '$') return namespace('')
  const fact = importsAs(place.facts, word)[0]
  if (fact) return imported(world, place, fact)
  const [own = '', ...others] = packagesOf(place.facts)
  for (const one of [own, ...others]) {
    const here = await inNamespace(world, place.path, one, word)
    if (here.length > 0) return inOwnPackage(here, place)
  }
  // Functions and constants are looked for in the global namespace as well, types are not.
  const global = own === '' ? [] : await inNamespace(world, place.path, '', word)
  const plain = global.filter((one) => !isType(symbolOf(one)))
  if (plain.length > 0) return defined(plain, { how: 'same package' })
  const below = own === '' ? word : `${own}\\${word}`
  const folders = await autoloadPaths(world, below)
  return folders.some((path) => world.paths.hasFolder(path.replace(/\.php$/, '')))
    ? namespace(below)
    : unknown(outside)
}

function namespace(path: string): Meaning {
  return { kind: 'module', module: { path: '', name: path }, hops: [] }
}

/** `use A\B` names a type or a namespace; the source of a function or constant is its namespace. */
async function imported(world: World, place: UseSite, fact: ImportFact): Promise<Meaning> {
  const cut = fact.source.lastIndexOf('\\')
  const isPath = fact.source.slice(cut + 1) === fact.imported
  const from = isPath ? fact.source.slice(0, Math.max(0, cut)) : fact.source
  const found = await inNamespace(world, place.path, from, fact.imported)
  if (found.length > 0) return defined(found, { how: 'import' })
  return isPath ? namespace(fact.source) : unknown('another library')
}

async function namespaceMember(world: World, from: string, path: string, member: string): Promise<Meaning> {
  const found = await inNamespace(world, from, path, member)
  return found.length > 0
    ? defined(found, { how: 'import' })
    : namespace(`${path === '' ? '' : `${path}\\`}${member}`)
}

async function inNamespace(world: World, from: string, path: string, word: string): Promise<Definition[]> {
  const accepts = (symbol: Parameters<typeof isType>[0], facts: UseSite['facts']): boolean =>
    symbol.scope === '' && packagesOf(facts).includes(path)
  const usual = (await autoloadPaths(world, path === '' ? word : `${path}\\${word}`)).filter((at) =>
    world.paths.has(at),
  )
  const wanted = { endings: ['.php', '.phpt', '.inc'], usual: [from, ...usual], accepts }
  const found = await definitionsByName(world, word, wanted)
  // What Composer loads is what runs, whatever else has the name.
  const loaded = found.filter((one) => usual.includes(one.path))
  return loaded.length > 0 ? loaded : nearestOf(found, from)
}

// Members: the type's own, else those of its traits.

const deepestTrait = 6

async function ownOrTraits(
  world: World,
  type: Definition,
  member: string,
  depth: number,
): Promise<Definition[]> {
  const { path, facts, index } = type
  const own = symbolsNamed(facts, member).flatMap((at): Definition[] =>
    facts.parents[at] === index ? [{ path, facts, index: at }] : [],
  )
  if (own.length > 0 || depth > deepestTrait) return own
  const { types } = await writtenBases(php, world, type, new Set())
  const found: Definition[] = []
  for (const trait of types.filter(isTrait))
    found.push(...(await ownOrTraits(world, trait, member, depth + 1)))
  return found
}

function isTrait(type: Definition): boolean {
  return /^(?:#\[.*\]\s*)?trait\b/.test(symbolOf(type).signature.text)
}

/** A method and a property may share a name; a class says more than the interface it implements. */
function ofOneSort({ role }: Reference, found: readonly Definition[]): readonly Definition[] {
  if (found.some((one) => isType(symbolOf(one)))) return found
  const isCall = role === 'call'
  const sort = found.filter((one) => /^(?:method|function)$/.test(symbolOf(one).kind) === isCall)
  const written = sort.filter((one) => holderKind(one) !== 'interface')
  return written.length > 0 ? written : sort
}

function holderKind(one: Definition): string | null {
  const holder = one.facts.parents[one.index] ?? null
  if (holder === null) return null
  const type = { ...one, index: holder }
  return isTrait(type) ? 'trait' : symbolOf(type).kind
}

/** `$name` is never the function or class of that name. */
function isVariable(place: UseSite, { line, column, receiver }: Reference): boolean {
  if (receiver !== null || place.text === null || column === 0) return false
  return (
    linesOf(place.facts, place.text)
      .at(line)
      .charAt(column - 1) === '$'
  )
}

/** A type with a path is written in the signature alone. */
function declaredParameter(place: UseSite, word: string): string | null {
  for (const index of around(place)) {
    const symbol = place.facts.symbols[index]
    if (symbol && isType(symbol)) return null
    const parameter = symbol?.signature.parameters?.find((one) => one.name === word)
    if (parameter) return parameter.type === null ? null : typePath(parameter.type)
  }
  return null
}
