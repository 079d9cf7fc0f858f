/**
 * Names in Ruby: constants by the modules around, those a class inherits from, and the top; methods of the object that a
 * method is called on, through superclasses and what is mixed in. A class may be reopened in any file, and methods may be
 * made at run time, so nothing is ever called missing.
 */
import { fileNameOf, folderOf } from '../../../base/file-paths.ts'
import { itemsBy } from '../../../base/grouped.ts'
import type { ImportFact, Reference, TypedName } from '../../contract.ts'
import { definitionsByName, isAside, isTestFile, nearestOf } from '../by-name.ts'
import type { Definition, Language, Meaning, UseSite, World } from '../contract.ts'
import { linesOf } from '../lines.ts'
import { nestedDefinitions } from '../scopes.ts'
import {
  around,
  defined,
  enclosingType,
  fullName,
  isType,
  symbolOf,
  symbolsIn,
  symbolsWithin,
  typeMember,
  unknown,
} from '../symbols.ts'
import { joinPath } from '../world.ts'
import { instanceSide, mixinsOf, typeMembers } from './ruby-types.ts'

const outside = 'not defined in the modules around'

export const ruby: Language = {
  ids: ['ruby'],
  selfWords: { self: 'instance', super: 'super' },
  constructorName: () => null,
  implicitConstructor: false,
  callMakes: false,
  bareMembers: false,
  inheritsOverloads: false,
  asksKnownBases: true,
  maker: 'new',
  name,
  imported: async (world, place, fact) => required(world, place.path, fact),
  async moduleMember(world, module, member, from) {
    const found = await constantsIn(world, from.path, module.name, member)
    return found.length > 0 ? defined(found, { how: 'import' }) : unknown(outside)
  },
  async ownMembers(world, type, member, ofInstance) {
    if (/^[A-Z]/.test(member)) return constantsIn(world, type.path, fullName(symbolOf(type)), member)
    return ownOrMixedIn(world, type, member, ofInstance, 0)
  },
  async baseTypes(world, type) {
    return { types: await ancestorsOf(world, type, ['class']), open: true }
  },
  async hintedType(_world, definition) {
    // `attr_reader :store` hands out what `@store` holds.
    const { facts, index, path } = definition
    const holder = facts.parents[index] ?? null
    const { kind, name: word } = symbolOf(definition)
    if (holder === null || kind !== 'field' || word.startsWith('@')) return null
    const [variable] = symbolsIn(path, facts, symbolOf(definition).scope, `@${word}`)
    const typed =
      variable &&
      itemsBy(facts.typedNames, typedName, `@${word}`).filter(({ enclosing }) => enclosing === holder)
    const types = new Set(typed?.map(({ type }) => type))
    const [only] = types
    return types.size === 1 ? (only ?? null) : null
  },
  async selfAt(world, place) {
    const side = await instanceSide(world, place)
    return side === null ? null : side ? 'instance' : 'type'
  },
  narrow(place, reference, found) {
    if (found.every(isNamespace)) return []
    return isAssigned(place, reference) ? found.filter((one) => symbolOf(one).kind !== 'method') : found
  },
  isOneType: (a, b) =>
    isType(symbolOf(a), a.facts) &&
    isType(symbolOf(b), b.facts) &&
    fullName(symbolOf(a)) === fullName(symbolOf(b)) &&
    (a.path === b.path || (!isAside(a.path) && !isAside(b.path))),
}

const typedName = ({ name: word }: TypedName) => word

async function name(world: World, place: UseSite, word: string): Promise<Meaning> {
  // As receivers call the top of all constants.
  if (word === '$') return { kind: 'module', module: { path: '', name: '' }, hops: [] }
  if (/^[A-Z]/.test(word)) return constant(world, place, word)
  const nested = nestedDefinitions(place.facts, place, word)
  if (nested.length > 0) return defined(nested)
  const index = enclosingType(place)
  if (index === null) {
    const own = symbolsIn(place.path, place.facts, '', word)
    return own.length > 0 ? defined(own) : unknown(outside)
  }
  const type = { path: place.path, facts: place.facts, index }
  const side = await instanceSide(world, place)
  if (side === null) return unknown('a block that is run on another object')
  const meaning = await typeMember(ruby, world, [type], word, side)
  if (meaning.kind !== 'defined') return unknown(outside)
  const isHere = meaning.how !== 'inherited' && meaning.definitions.every(({ path }) => path === place.path)
  // A module's methods may be overridden by whoever includes it.
  const certainty = place.facts.symbols[index]?.kind === 'module' ? 'likely' : 'certain'
  return { ...meaning, how: isHere ? 'same file' : meaning.how, certainty }
}

// Constants: the scopes around, innermost first, then what the innermost class inherits, then the top.

async function constant(world: World, place: UseSite, word: string): Promise<Meaning> {
  const scopes = lexicalScopes(place)
  for (const scope of scopes) {
    const found = await constantsIn(world, place.path, scope, word)
    if (found.length > 0) return constantMeaning(found, place)
  }
  const index = enclosingType(place)
  const ancestors = index === null ? [] : [{ path: place.path, facts: place.facts, index }]
  const inherited = await inheritedConstant(world, ancestors, word)
  if (inherited.length > 0) return defined(inherited, { how: 'inherited' })
  const top = await constantsIn(world, place.path, '', word)
  return top.length > 0 ? constantMeaning(top, place) : unknown(outside)
}

function constantMeaning(found: readonly Definition[], place: UseSite): Meaning {
  return defined(found, { how: found.every(({ path }) => path === place.path) ? 'same file' : 'import' })
}

/** `module A; class B::C` opens `A.B.C` and `A`, and not `A.B`. */
function lexicalScopes(place: UseSite): string[] {
  return around(place).flatMap((index) => {
    const symbol = place.facts.symbols[index]
    return symbol && isType(symbol, place.facts) ? [fullName(symbol)] : []
  })
}

const deepestBase = 12

async function inheritedConstant(
  world: World,
  types: readonly Definition[],
  word: string,
): Promise<Definition[]> {
  const seen = new Set<string>()
  let level = types
  for (let depth = 0; depth < deepestBase && level.length > 0; depth++) {
    const next: Definition[] = []
    for (const type of level) {
      const full = fullName(symbolOf(type))
      if (seen.has(full)) continue
      seen.add(full)
      if (depth > 0) {
        const found = await constantsIn(world, type.path, full, word)
        if (found.length > 0) return found
      }
      // The base of a class is looked up outside of it, so this cannot lead back to the same question.
      next.push(...(await ancestorsOf(world, type, ['include', 'prepend', 'class'])))
    }
    level = next
  }
  return []
}

/** What is called `scope::word`, wherever it is written; the parts of one class or module count together. */
async function constantsIn(world: World, from: string, scope: string, word: string): Promise<Definition[]> {
  if (scope === '' && library.test(word)) return []
  const full = (scope === '' ? word : `${scope}.${word}`).split('.')
  const file = `${full.map(underscored).join('/')}.rb`
  const found = await definitionsByName(world, word, {
    endings: ['.rb', '.rake', '.gemspec', '.ru'],
    usual: [from, ...world.paths.named(fileNameOf(file)).filter((path) => path.endsWith(file))],
    accepts: (symbol, facts) =>
      symbol.scope === scope && (isType(symbol, facts) || symbol.kind === 'constant') && !symbol.isTest,
  })
  return nearestParts(found, from)
}

/** Classes and modules of Ruby itself: a program that opens one does not define it. */
const library =
  /^(?:Array|BasicObject|BigDecimal|Benchmark|Class|CGI|Comparable|Complex|Date|DateTime|Delegator|Digest|Dir|ERB|Encoding|Enumerable|Enumerator|Errno|Etc|Exception|FalseClass|File|FileUtils|Float|Hash|IO|IPAddr|Integer|JSON|Kernel|LoadError|Logger|Marshal|Method|Minitest|Module|Mutex|NameError|Net|NilClass|NoMethodError|Numeric|Object|ObjectSpace|OpenSSL|OpenStruct|Pathname|Proc|Process|Psych|RSpec|Rake|Random|Range|Rational|Regexp|RuntimeError|SecureRandom|Set|SimpleDelegator|Singleton|StandardError|String|StringIO|StringScanner|Struct|Symbol|Tempfile|Test|Thread|Time|Timeout|TrueClass|URI|UnboundMethod|WeakRef|YAML)$/

/** Parts of one thing in what is shipped count together; of what tests define, only what is in the own file or nearest. */
function nearestParts(found: readonly Definition[], from: string): Definition[] {
  const here = found.filter(({ path }) => path === from)
  if (here.length > 0 && !here.every(isNamespace)) return here
  const shipped = found.filter(({ path }) => !isAside(path))
  if (shipped.length > 0) return bodiesOf(shipped)
  const near = nearestOf(
    found.filter(({ path }) => !isTestFile(path)),
    from,
  )
  return near.length > 0 ? near : here
}

/** Where a module is only opened to put something else in, it says nothing itself; the file of its name does. */
function bodiesOf(found: Definition[]): Definition[] {
  const own = found.filter((one) => one.path.endsWith(`/${underscored(symbolOf(one).name)}.rb`))
  return own.length > 0 ? own : found
}

/** `self.size = 1` calls `size=`, not `size`. */
function isAssigned(place: UseSite, { name: word, line, column, receiver }: Reference): boolean {
  if (receiver === null || place.text === null) return false
  return /^ ?=(?![=~>])/.test(
    linesOf(place.facts, place.text)
      .at(line)
      .slice(column + word.length),
  )
}

/** A module that only holds others and has no file of its own: any of its parts might be meant, or a library. */
function isNamespace(one: Definition): boolean {
  const { kind, name: word } = symbolOf(one)
  if (kind !== 'module' || one.path.endsWith(`${underscored(word)}.rb`)) return false
  // Tests open modules of libraries.
  if (isAside(one.path)) return true
  return !symbolsWithin(one.facts, one.index).some((at) =>
    /^(?:method|function|constant)$/.test(one.facts.symbols[at]?.kind ?? ''),
  )
}

/** `HTTPServer` → `http_server`, as files are named. */
function underscored(word: string): string {
  return word
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
}

// Types.

function placeAt({ path, facts, index }: Definition): UseSite {
  return { path, facts, enclosing: facts.parents[index] ?? null, text: null }
}

/** The type that a path of constants means, as it is written. */
async function typesAlong(world: World, place: UseSite, path: string): Promise<Definition[]> {
  const [first = '', ...rest] = path.replace(/^::/, '').split('::')
  const start = path.startsWith('::')
    ? defined(await constantsIn(world, place.path, '', first))
    : await constantOutside(world, place, first)
  let types = start.kind === 'defined' ? start.definitions : []
  for (const word of rest) {
    const [outer] = types
    if (!outer) return []
    types = await constantsIn(world, place.path, fullName(symbolOf(outer)), word)
  }
  return types.filter((type) => isType(symbolOf(type), type.facts)).slice(0, 1)
}

/** By the scopes around and the top only: what a class inherits is not yet known where its base is written. */
async function constantOutside(world: World, place: UseSite, word: string): Promise<Meaning> {
  for (const scope of [...lexicalScopes(place), '']) {
    const found = await constantsIn(world, place.path, scope, word)
    if (found.length > 0) return defined(found)
  }
  return unknown(outside)
}

/** What the parts of a type inherit from or mix in by one of these words. */
async function ancestorsOf(world: World, type: Definition, words: readonly string[]): Promise<Definition[]> {
  const found: Definition[] = []
  for (const part of await partsOf(world, type))
    for (const { path, word } of await mixinsOf(world, part))
      if (words.includes(word)) found.push(...(await typesAlong(world, placeAt(part), path)))
  return found
}

const deepestMixin = 6

/** The type's own members, else those of what is mixed into its objects or, by `extend` and for concerns, into itself. */
async function ownOrMixedIn(
  world: World,
  type: Definition,
  member: string,
  ofInstance: boolean,
  depth: number,
): Promise<Definition[]> {
  const own = await typeMembers(world, await partsOf(world, type), member, ofInstance)
  if (own.length > 0 || depth > deepestMixin) return own
  const mixins = ofInstance
    ? await ancestorsOf(world, type, ['include', 'prepend'])
    : [...(await ancestorsOf(world, type, ['extend'])), ...(await classMethodsOf(world, type))]
  for (const mixin of mixins) {
    const found = await ownOrMixedIn(world, mixin, member, true, depth + 1)
    if (found.length > 0) return found
  }
  return []
}

/** The module `ClassMethods` of a concern extends whatever includes the concern. */
async function classMethodsOf(world: World, type: Definition): Promise<Definition[]> {
  const found: Definition[] = []
  for (const mixin of await ancestorsOf(world, type, ['include']))
    found.push(...(await constantsIn(world, mixin.path, fullName(symbolOf(mixin)), 'ClassMethods')))
  return found
}

/** All places that open a class or module which are seen from one of them. */
async function partsOf(world: World, type: Definition): Promise<Definition[]> {
  const { name: word, scope } = symbolOf(type)
  return world.once(`ruby parts ${type.path} ${type.index}`, async () => {
    const found = await definitionsByName(world, word, {
      endings: ['.rb', '.rake'],
      usual: [type.path],
      accepts: (symbol, facts) => symbol.scope === scope && isType(symbol, facts) && !symbol.isTest,
    })
    const others = found.filter(({ path, index }) =>
      path === type.path ? index !== type.index : !isAside(path),
    )
    return [type, ...others]
  })
}

/** Folders that programs load from. */
const loadFolder = /(?:^|\/)(?:lib|app\/\w+|test|spec)\/$/

/** `require_relative 'x'` beside the file; `require 'a/b'` in a folder of libraries. */
async function required(world: World, from: string, { source }: ImportFact): Promise<Meaning> {
  const file = source.endsWith('.rb') ? source : `${source}.rb`
  const relative = /^\.{0,2}\//.test(source) ? joinPath(folderOf(from), file) : null
  if (relative !== null && world.paths.has(relative)) return module(relative)
  const last = fileNameOf(file)
  const loaded = world.paths
    .named(last)
    .filter((path) => path === file || loadFolder.test(path.slice(0, Math.max(0, path.length - file.length))))
    .filter((path) => path.endsWith(`/${file}`) || path === file)
  const [only, ...others] = loaded
  return only !== undefined && others.length === 0 ? module(only) : unknown('another library')
}

function module(path: string): Meaning {
  return { kind: 'module', module: { path, name: '' }, hops: [] }
}
