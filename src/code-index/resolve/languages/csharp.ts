/**
 * Names in C#: members of the classes around, the namespaces around, what is opened by `using`, in the order of the
 * language. Libraries are not at hand, so nothing is ever called missing.
 */
import type { ImportFact } from '../../contract.ts'
import { definersOfBoth, definitionsByName, inheritedNames, nearestOf } from '../by-name.ts'
import type { Definition, Language, Meaning, UseSite, World } from '../contract.ts'
import { linesOf } from '../lines.ts'
import { nestedDefinitions, writtenBases } from '../scopes.ts'
import {
  around,
  defined,
  fullName,
  inOwnPackage,
  isType,
  packagesOf,
  symbolOf,
  symbolsNamed,
  typeMember,
  unknown,
} from '../symbols.ts'
import { globalUsings } from './csharp-projects.ts'

const outside = 'not declared in the namespaces that are open here'

export const csharp: Language = {
  ids: ['csharp'],
  selfWords: { this: 'instance', base: 'super' },
  constructorName: (type) => (type.kind === 'class' || type.kind === 'struct' ? type.name : null),
  implicitConstructor: true,
  callMakes: false,
  bareMembers: true,
  inheritsOverloads: true,
  asksKnownBases: true,
  name,
  imported,
  moduleMember: (world, module, member, from) => namespaceMember(world, from.path, module.name, member),
  ownMembers,
  async baseTypes(world, type) {
    const parts = await partsOf(world, type)
    const bases = await Promise.all(parts.map((part) => writtenBases(csharp, world, part, new Set())))
    const types = new Map(
      bases.flatMap((base) => base.types).map((base) => [`${base.path} ${base.index}`, base]),
    )
    return { types: [...types.values()], open: true }
  },
  narrow(place, reference, all) {
    // Only a call reaches a function outside of the type; a property of that name is the type's own.
    const found =
      reference.role === 'call' || reference.receiver === null ? all : all.filter((one) => !isExtension(one))
    if (found.length < 2 || place.text === null) return found
    const count = typeArguments(linesOf(place.facts, place.text).at(reference.line), reference)
    const fitting = found.filter((one) => !isType(symbolOf(one)) || arityOf(one) === count)
    return fitting.length > 0 ? fitting : found
  },
  extension,
  isOneType: (a, b) => isPartial(a) && isPartial(b) && isSameType(a, b),
}

async function name(world: World, place: UseSite, word: string): Promise<Meaning> {
  const nested = nestedDefinitions(place.facts, place, word)
  if (nested.length > 0) return defined(nested)
  let inherits = false
  for (const index of around(place)) {
    const symbol = place.facts.symbols[index]
    if (!symbol || !isType(symbol)) continue
    const type = { path: place.path, facts: place.facts, index }
    if (symbol.name === word) return defined([type])
    const meaning = await typeMember(csharp, world, [type], word, true)
    if (meaning.kind === 'defined') {
      const isHere =
        meaning.how !== 'inherited' && meaning.definitions.every(({ path }) => path === place.path)
      return isHere ? { ...meaning, how: 'same file' } : meaning
    }
    inherits ||= await hasForeignBase(world, type)
  }
  const found = await inNamespaces(world, place, word)
  // A base class that is not here may have a member of this name, which would win.
  return found.kind === 'defined' && inherits ? { ...found, certainty: 'likely' } : found
}

async function inNamespaces(world: World, place: UseSite, word: string): Promise<Meaning> {
  const chain = enclosingNamespaces(place)
  const aliases = place.facts.imports.filter(({ local }) => local === word)
  for (const namespace of chain) {
    const own = await typesIn(world, place.path, namespace, word)
    if (own.length > 0) return inOwnPackage(own, place)
    if (aliases.length > 0 && namespace === chain.at(-1)) return aliased(world, place, aliases)
  }
  const opened = await openedNamespaces(world, place)
  const found = new Map<string, Definition>()
  const holders: Meaning[] = []
  for (const source of opened) {
    for (const type of await typesIn(world, place.path, source, word))
      found.set(`${type.path} ${type.index}`, type)
    // `using static` opens the members of a type.
    for (const holder of await typeNamed(world, place.path, source)) {
      const meaning = await typeMember(csharp, world, [holder], word, false)
      if (meaning.kind === 'defined') holders.push(meaning)
    }
  }
  const types = [...found.values()]
  const names = new Set(types.map(({ facts }) => facts.packageName))
  if (names.size === 1) return defined(types, { how: 'import' })
  const [held, ...others] = holders
  if (types.length === 0 && held?.kind === 'defined' && others.length === 0) return { ...held, how: 'import' }
  if (types.length > 0) return unknown('two namespaces that are open here define it')
  const inner = chain.map((outer) => (outer === '' ? word : `${outer}.${word}`))
  const known = [...packagesOf(place.facts), ...opened]
  const namespace = inner.find((one) => known.some((other) => other === one || other.startsWith(`${one}.`)))
  if (namespace !== undefined) return { kind: 'module', module: { path: '', name: namespace }, hops: [] }
  return unknown(outside)
}

/** Conditions of the preprocessor may give one alias several meanings, of which one may be from here. */
async function aliased(world: World, place: UseSite, facts: readonly ImportFact[]): Promise<Meaning> {
  const meanings = await Promise.all(facts.map((fact) => imported(world, place, fact)))
  const [found, ...others] = meanings.filter(({ kind }) => kind === 'defined')
  if (found && others.length === 0) return found
  return found ? unknown('one alias for several types') : (meanings[0] ?? unknown(outside))
}

/** `A.B` → `A.B`, `A`, and the global one. */
function enclosingNamespaces({ facts }: UseSite): string[] {
  const chain = packagesOf(facts).flatMap((name) => {
    const parts = name.split('.')
    return parts.map((_, at) => parts.slice(0, parts.length - at).join('.'))
  })
  return [...new Set(chain.filter((name) => name !== '')), '']
}

async function openedNamespaces(world: World, place: UseSite): Promise<string[]> {
  const written = place.facts.imports.filter(({ local }) => local === null).map(({ source }) => source)
  const all = [...written, ...(await globalUsings(world, place.path))]
  // Inside of a namespace a `using` may leave out its first parts.
  const relative = written.flatMap((source) =>
    enclosingNamespaces(place).map((outer) => (outer === '' ? source : `${outer}.${source}`)),
  )
  return [...new Set([...all, ...relative])]
}

async function imported(world: World, place: UseSite, fact: ImportFact): Promise<Meaning> {
  if (fact.imported === '*') return unknown('a namespace, which many files may add to')
  const found = await namespaceMember(world, place.path, fact.source, fact.imported)
  return found.kind === 'unknown' ? unknown('another library') : found
}

/** A type of a namespace, or the namespace below it. */
async function namespaceMember(
  world: World,
  from: string,
  namespace: string,
  member: string,
): Promise<Meaning> {
  const types = await typesIn(world, from, namespace, member)
  if (types.length > 0) return defined(types, { how: 'import' })
  const holders = await typeNamed(world, from, namespace)
  if (holders.length > 0) return typeMember(csharp, world, holders, member, false)
  const below = namespace === '' ? member : `${namespace}.${member}`
  return { kind: 'module', module: { path: '', name: below }, hops: [] }
}

/** `A.B.Outer.Inner`, where only the last names may be types. */
async function typeNamed(world: World, from: string, qualified: string): Promise<readonly Definition[]> {
  const cut = qualified.lastIndexOf('.')
  const last = qualified.slice(cut + 1)
  return cut < 0 ? [] : typesIn(world, from, qualified.slice(0, cut), last)
}

/** Types of this name in this very namespace: several for parts, and for one with type parameters beside one without. */
async function typesIn(world: World, from: string, namespace: string, word: string): Promise<Definition[]> {
  const found = await definitionsByName(world, word, {
    endings: ['.cs'],
    usual: [from, ...world.paths.named(`${word}.cs`)],
    accepts: (symbol, facts) =>
      symbol.scope === '' && isType(symbol) && packagesOf(facts).includes(namespace),
  })
  const byArity = Map.groupBy(found, arityOf)
  return [...byArity.values()].flatMap((same) => (same.every(isPartial) ? same : nearestOf(same, from)))
}

async function hasForeignBase(world: World, type: Definition): Promise<boolean> {
  const written = type.facts.supertypes.filter(({ symbol }) => symbol === type.index)
  const { types } = await csharp.baseTypes(world, type)
  return types.length < written.length
}

// Members: a type may be in several parts, and a function may be called like a member of its first parameter.

async function ownMembers(world: World, type: Definition, member: string): Promise<Definition[]> {
  const parts = await partsOf(world, type, member)
  return parts.flatMap(({ path, facts, index }) =>
    symbolsNamed(facts, member).flatMap((at): Definition[] =>
      facts.parents[at] === index && !isConstructorOf(facts.symbols[at], facts.symbols[index])
        ? [{ path, facts, index: at }]
        : [],
    ),
  )
}

function isConstructorOf(
  member: { kind: string; name: string } | undefined,
  type: { name: string } | undefined,
): boolean {
  return member?.kind === 'method' && member.name === type?.name
}

/** The other parts of a partial type; with a member's name only those in files that define that too. */
async function partsOf(world: World, type: Definition, member?: string): Promise<Definition[]> {
  if (!isPartial(type)) return [type]
  const { name: typeName } = symbolOf(type)
  const named = await (member === undefined
    ? world.definers(typeName)
    : definersOfBoth(world, typeName, member))
  const facts = await world.factsOf(
    (named ?? []).filter((path) => path.endsWith('.cs') && path !== type.path),
  )
  const others = [...facts].flatMap(([path, own]) =>
    symbolsNamed(own, typeName).map((index) => ({ path, facts: own, index })),
  )
  const here = symbolsNamed(type.facts, typeName).map((index) => ({ ...type, index }))
  return [...here, ...others].filter((one) => isSameType(one, type) && isPartial(one))
}

function isPartial(type: Definition): boolean {
  return isType(symbolOf(type)) && /\bpartial\s/.test(symbolOf(type).signature.text)
}

function isSameType(a: Definition, b: Definition): boolean {
  const [left, right] = [symbolOf(a), symbolOf(b)]
  return (
    fullName(left) === fullName(right) &&
    a.facts.packageName === b.facts.packageName &&
    arityOf(a) === arityOf(b)
  )
}

/** The number of type parameters, which are part of a type's identity. */
function arityOf(type: Definition): number {
  const { name: word, signature } = symbolOf(type)
  const declared = new RegExp(`\\b(?:class|struct|interface|record|enum) ${word}\\b`).exec(signature.text)
  const at = declared ? declared.index + declared[0].length - word.length : signature.text.indexOf(`${word}<`)
  return at < 0 ? 0 : typeArguments(signature.text, { column: at, name: word })
}

/** How many type arguments follow the name at a column. */
function typeArguments(line: string, { column, name: word }: { column: number; name: string }): number {
  const rest = line.slice(column + word.length)
  if (!/^\s*</.test(rest)) return 0
  let depth = 0
  let count = 1
  for (const character of rest) {
    if (character === '<' || character === '(' || character === '[') depth++
    else if (character === '>' || character === ')' || character === ']') depth--
    else if (character === ',' && depth === 1) count++
    else if (/[;{}]/.test(character)) return 0
    if (depth === 0 && character === '>') return count
  }
  return 0
}

const firstParameter = /\( ?(?:\[[^\][]{0,80}\] ?)?this (?:in |ref |scoped |readonly ){0,2}([\w.]+)/

function isExtension(one: Definition): boolean {
  const { kind, signature } = symbolOf(one)
  return kind === 'method' && firstParameter.test(signature.text)
}

async function extension(
  world: World,
  place: UseSite,
  receiver: readonly Definition[] | string,
  word: string,
): Promise<Definition[]> {
  const found = await definitionsByName(world, word, {
    endings: ['.cs'],
    usual: [],
    accepts: ({ kind, signature }) => kind === 'method' && firstParameter.test(signature.text),
  })
  if (found.length === 0) return []
  const opened = new Set([...enclosingNamespaces(place), ...(await openedNamespaces(world, place))])
  const names =
    typeof receiver === 'string' ? writtenNames(receiver) : await inheritedNames(csharp, world, receiver)
  const fitting = found.filter((one) => {
    const taken = firstParameter.exec(symbolOf(one).signature.text)?.[1]?.split('.').at(-1) ?? ''
    return packagesOf(one.facts).some((name) => opened.has(name)) && names.has(taken)
  })
  return nearestOf(fitting, place.path)
}

const shortNames: Readonly<Record<string, string>> = { String: 'string', Int32: 'int', Object: 'object' }

/** A type that the framework defines has a short name of the language too. */
function writtenNames(receiver: string): Set<string> {
  const last = receiver.split('.').at(-1) ?? receiver
  return new Set([last, shortNames[last] ?? last])
}
