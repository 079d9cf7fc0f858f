/**
 * Names in Kotlin: members of the classes and extended types around with their companions, imports, the own package,
 * what is imported whole. Libraries are not at hand, so nothing is ever called missing.
 */

import { itemsBy } from '../../../base/grouped.ts'
import { oncePer } from '../../../base/remembered.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { FileFacts, ImportFact } from '../../contract.ts'
import { definitionsByName, inheritedNames, nearestOf } from '../by-name.ts'
import type { Definition, Language, Meaning, UseSite, World } from '../contract.ts'
import { namedType } from '../receiver.ts'
import { nestedDefinitions, writtenBases } from '../scopes.ts'
import {
  around,
  basesOf,
  defined,
  fullName,
  importsAs,
  inOwnPackage,
  isType,
  membersNamed,
  mostStars,
  symbolOf,
  typeMember,
  unknown,
} from '../symbols.ts'
import { kotlinBlockDoubt } from './kotlin-blocks.ts'

const outside = 'not declared in what is imported here'

export const kotlin: Language = {
  ids: ['kotlin'],
  selfWords: { this: 'instance', super: 'super' },
  constructorName: (type) => (type.kind === 'class' ? 'constructor' : null),
  implicitConstructor: true,
  callMakes: true,
  bareMembers: true,
  inheritsOverloads: true,
  asksKnownBases: true,
  name,
  imported,
  moduleMember: async (world, module, member, from) =>
    packageMember(await inPackage(world, from.path, module.name, member), module.name, member),
  async ownMembers(_world, type, member, ofInstance) {
    const own = membersAt(type, member)
    const companions = ofInstance ? [] : companionsOf(type).flatMap((one) => membersAt(one, member))
    return [...own, ...companions]
  },
  async baseTypes(world, type) {
    const { types } = await writtenBases(kotlin, world, type, new Set())
    const aliased = aliasedType(symbolOf(type).signature.text)
    const place = { path: type.path, facts: type.facts, enclosing: null, text: null }
    const target = aliased === null ? [] : await namedType(kotlin, world, place, aliased)
    return { types: [...types, ...target], open: true }
  },
  async typesAround(world, place) {
    return (await extendedAround(world, place))?.types ?? []
  },
  doubtOf: kotlinBlockDoubt,
  narrow(_place, { role }, found) {
    // A type, a property and a function may share a name; what is called may also be a property that holds a function.
    if (role === 'type' || role === 'extends') return found.filter((one) => isType(symbolOf(one)))
    const isCall = role === 'call'
    const sort = found.filter((one) => /^(?:method|function)$/.test(symbolOf(one).kind) === isCall)
    return sort.length > 0 || !isCall ? sort : found
  },
  extension,
}

/** `typealias A<T> = b.C<T>` → `b.C`. */
function aliasedType(signature: string): string | null {
  if (!/\btypealias /.test(signature)) return null
  const after = signature.slice(signature.indexOf('=') + 1).trim()
  return /^[\w.]+/.exec(after)?.[0] ?? null
}

async function name(world: World, place: UseSite, word: string): Promise<Meaning> {
  if (word === 'it' || word === 'field') return unknown('a local of the same name')
  const nested = nestedDefinitions(place.facts, place, word)
  if (nested.length > 0) return defined(nested)
  let inherits = false
  for (const index of around(place)) {
    const symbol = place.facts.symbols[index]
    if (!symbol) continue
    const here = { path: place.path, facts: place.facts, index }
    const extended = isType(symbol) ? null : await extendedBy(world, here)
    const types = isType(symbol) ? [here] : (extended?.types ?? [])
    if (isType(symbol) && symbol.name === word) return defined([here])
    for (const asInstance of [true, false]) {
      const meaning = await typeMember(kotlin, world, types, word, asInstance)
      if (meaning.kind === 'defined') return ownFileFirst(meaning, place)
    }
    const called = extended && (types.length > 0 ? types : extended.written)
    const extensions = await extension(world, place, called || types, word)
    if (extensions.length > 0) return defined(extensions, { how: 'receiver type', bound: true })
    inherits ||= extended !== null || (isType(symbol) && (await hasForeignBase(world, here)))
  }
  const found = await beyondTypes(world, place, word)
  // Something that is inherited from elsewhere would win.
  const isDoubtful = inherits && /^[a-z]/.test(word)
  return found.kind === 'defined' && isDoubtful ? { ...found, certainty: 'likely' } : found
}

async function beyondTypes(world: World, place: UseSite, word: string): Promise<Meaning> {
  const fact = importsAs(place.facts, word)[0]
  const meaning = fact ? await imported(world, place, fact) : null
  if (meaning?.kind === 'defined') return meaning
  const packaged = await inPackage(world, place.path, place.facts.packageName ?? '', word)
  // A function may be imported beside a property of its name.
  const isBoth = packaged.length > 0 && /^[a-z]/.test(word)
  if (meaning) return isBoth ? unknown('the package has the name of the import as well') : meaning
  if (packaged.length > 0) return inOwnPackage(packaged, place)
  const stars = importsAs(place.facts, null)
  if (stars.length > mostStars) return unknown('too many wildcard imports')
  for (const { source } of stars) {
    const found = await inPackage(world, place.path, source, word)
    if (found.length > 0) return defined(found, { how: 'import' })
    const holder = await qualified(world, place.path, source)
    const member = await typeMember(kotlin, world, holder, word, false)
    if (member.kind === 'defined') return { ...member, how: 'import' }
  }
  const isTop = place.facts.packageName?.startsWith(`${word}.`)
  if (isTop || itemsBy(place.facts.imports, topOf, word).length > 0)
    return { kind: 'module', module: { path: '', name: word }, hops: [] }
  return unknown(outside)
}

const sourceOf = ({ source }: ImportFact) => source

/** `a` of `a.b`; null where there is no dot. */
function topOf({ source }: ImportFact): string | null {
  const dot = source.indexOf('.')
  return dot < 0 ? null : source.slice(0, dot)
}

function ownFileFirst(meaning: Extract<Meaning, { kind: 'defined' }>, place: UseSite): Meaning {
  const isHere = meaning.how !== 'inherited' && meaning.definitions.every(({ path }) => path === place.path)
  return isHere ? { ...meaning, how: 'same file' } : meaning
}

/** `import a.b.C`, `import a.b.C.D`, `import a.b.f`: the last names of the path are what is written in the files. */
async function imported(world: World, place: UseSite, fact: ImportFact): Promise<Meaning> {
  if (fact.imported === '*') return unknown('everything of a package')
  const found = await qualified(world, place.path, fact.source)
  return found.length > 0 ? defined(found, { how: 'import' }) : unknown('another library')
}

async function qualified(world: World, from: string, source: string): Promise<readonly Definition[]> {
  const cut = source.lastIndexOf('.')
  const [outer, last] = [source.slice(0, Math.max(0, cut)), source.slice(cut + 1)]
  const direct = await inPackage(world, from, outer, last, true)
  if (direct.length > 0 || cut < 0 || !/(?:^|\.)[A-Z]\w*$/.test(outer)) return direct
  const holders = (await qualified(world, from, outer)).filter((one) => isType(symbolOf(one)))
  const meaning = await typeMember(kotlin, world, holders, last, false)
  return meaning.kind === 'defined' ? meaning.definitions : []
}

function packageMember(found: readonly Definition[], packageName: string, member: string): Meaning {
  if (found.length > 0) return defined(found, { how: 'import' })
  return { kind: 'module', module: { path: '', name: `${packageName}.${member}` }, hops: [] }
}

/** What a package has under a name at the top of its files. Extensions need a receiver, so only imports name them. */
async function inPackage(
  world: World,
  from: string,
  packageName: string,
  word: string,
  withExtensions = false,
): Promise<Definition[]> {
  const folders = world.paths.foldersEndingWith(packageName.replaceAll('.', '/'))
  const found = await definitionsByName(world, word, {
    endings: ['.kt', '.kts'],
    usual: [from, ...folders.flatMap((folder) => world.paths.filesIn(folder))],
    accepts: (symbol, facts) =>
      symbol.scope === '' &&
      (facts.packageName ?? '') === packageName &&
      !symbol.isTest &&
      !isBroken(symbol, facts) &&
      (withExtensions || extendedIn(symbol.signature.text) === null),
  })
  return nearestPlatform(
    found.filter((one) => isSeen(one, from)),
    from,
  )
}

/** Where the grammar lost the thread, parts of a definition look like definitions. */
function isBroken({ nameLine }: CodeSymbol, { errorLines }: FileFacts): boolean {
  return errorLines.some(({ startLine, endLine }) => startLine - 1 <= nameLine && nameLine <= endLine + 1)
}

/** What is private at the top of a file belongs to that file, and so does all of a script. */
function isSeen(one: Definition, from: string): boolean {
  return one.path === from || (symbolOf(one).visibility !== 'private' && !one.path.endsWith('.kts'))
}

/** Of `expect` and its `actual` ones, that which the asking source set is nearest to. */
function nearestPlatform(found: readonly Definition[], from: string): Definition[] {
  const near = nearestOf(found, from)
  if (near.some(({ path }) => path !== near[0]?.path)) {
    const common = near.filter((one) => /\bexpect\s/.test(symbolOf(one).signature.text))
    if (common.length > 0) return common
  }
  return near
}

// Members and extensions.

function membersAt({ path, facts, index }: Definition, member: string): Definition[] {
  return membersNamed({ path, facts, index }, member).filter(
    (one) => extendedIn(symbolOf(one).signature.text) === null,
  )
}

function companionsOf({ path, facts, index }: Definition): Definition[] {
  return (companionsByType(facts).get(index) ?? []).map((at) => ({ path, facts, index: at }))
}

const companionsByType = oncePer(({ symbols, parents }: FileFacts) =>
  Map.groupBy(symbols.keys(), (at) =>
    /^(?:\w+\s+)*companion\s+object\b/.test(symbols[at]?.signature.text ?? '') ? parents[at] : null,
  ),
)

async function hasForeignBase(world: World, type: Definition): Promise<boolean> {
  const written = basesOf(type)
  return written.length > (await kotlin.baseTypes(world, type)).types.length
}

/** `fun <T> List<T>.second()` → `List`; null for what extends nothing. */
function extendedIn(signature: string): string | null {
  const known = extended.get(signature)
  if (known !== undefined) return known
  const [, before] =
    /(?:^|\s)(?:fun|val|var)\s+(?:<[^()=]{0,200}?>\s+)?((?:\([^()]*\)|[\w.]+(?:<[^()=]{0,150}>)?\??)\.)[\w`]+\s*[(:=\s]/.exec(
      `${signature} `,
    ) ?? []
  const written =
    before === undefined ? null : (before.slice(0, -1).split('<', 1)[0] ?? '').replace(/\?$/, '')
  if (extended.size > 20_000) extended.clear()
  extended.set(signature, written)
  return written
}

const extended = new Map<string, string | null>()

async function extendedBy(
  world: World,
  { path, facts, index }: Definition,
): Promise<{ written: string; types: readonly Definition[] } | null> {
  const written = extendedIn(facts.symbols[index]?.signature.text ?? '')
  if (written === null) return null
  const place = { path, facts, enclosing: facts.parents[index] ?? null, text: null }
  return { written, types: await namedType(kotlin, world, place, written) }
}

/** The type that the function around a place extends. */
async function extendedAround(world: World, place: UseSite) {
  for (const index of around(place)) {
    const found = await extendedBy(world, { path: place.path, facts: place.facts, index })
    if (found) return found
  }
  return null
}

async function extension(
  world: World,
  place: UseSite,
  receiver: readonly Definition[] | string,
  word: string,
): Promise<Definition[]> {
  if (receiver.length === 0) return []
  const found = await definitionsByName(world, word, {
    endings: ['.kt', '.kts'],
    usual: [place.path],
    accepts: (symbol) => extendedIn(symbol.signature.text) !== null,
  })
  if (found.length === 0) return []
  const names =
    typeof receiver === 'string'
      ? new Set([receiver.split('.').at(-1) ?? receiver])
      : await inheritedNames(kotlin, world, receiver)
  const fitting = found.filter((one) => {
    const taken = extendedIn(symbolOf(one).signature.text)?.split('.').at(-1) ?? ''
    return names.has(taken) && isSeen(one, place.path) && isInScope(place, one, word)
  })
  return nearestPlatform(fitting, place.path)
}

/** At the top of the own package or imported; or a member of a type around. */
function isInScope(place: UseSite, one: Definition, word: string): boolean {
  const { scope } = symbolOf(one)
  const packageName = one.facts.packageName ?? ''
  if (scope !== '') {
    const types = around(place).map((index) => place.facts.symbols[index])
    return one.path === place.path && types.some((type) => type && fullName(type) === scope)
  }
  return (
    packageName === (place.facts.packageName ?? '') ||
    importsAs(place.facts, null).some(({ source }) => source === packageName) ||
    itemsBy(place.facts.imports, sourceOf, `${packageName}.${word}`).some(
      ({ local, imported: what }) => local !== null && what === word,
    )
  )
}
