/** Questions about the symbols of one file, and about the members of a type. */

import { itemsBy } from '../../base/grouped.ts'
import { lastAround } from '../../base/line-ranges.ts'
import { oncePer } from '../../base/remembered.ts'
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import { type FileFacts, fullName, type ImportFact, type Reference } from '../contract.ts'
import type { Definition, Language, Meaning, UseSite, World } from './contract.ts'

export { fullName }

const titlesAreNames: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript'])
const typeKinds: ReadonlySet<string> = new Set(['class', 'interface', 'type', 'enum', 'struct', 'impl'])

/** A module of Ruby has members and is mixed in; elsewhere modules are namespaces. */
export function isType(symbol: CodeSymbol, facts?: FileFacts): boolean {
  return typeKinds.has(symbol.kind) || (symbol.kind === 'module' && facts?.language === 'ruby')
}

export function symbolOf({ facts, index }: Definition): CodeSymbol {
  const symbol = facts.symbols[index]
  if (!symbol) throw new Error(`no symbol ${index} in these facts`)
  return symbol
}

/**
 * Definitions of one name in one scope of a file; overloads are never as many. What has more is generated, or written to keep
 * a reviewer busy: each use would have to be compared with each of them.
 */
export const mostAlike = 200

/**
 * Every symbol of this name in this scope, in source order, the first ones where they are too many. Impl blocks are no
 * definitions of their type, and `describe('Store', …)` does not define `Store`.
 */
export function symbolsIn(path: string, facts: FileFacts, scope: string, name: string): Definition[] {
  return (definedIn(facts).get(`${scope}\n${name}`) ?? [])
    .slice(0, mostAlike)
    .map((index) => ({ path, facts, index }))
}

/** Names that have too many definitions in one scope for their uses to be judged. */
export function crowdedNames(facts: FileFacts): string[] {
  const crowded = [...definedIn(facts)].filter(([, indexes]) => indexes.length >= mostAlike)
  return [...new Set(crowded.map(([key]) => key.slice(key.indexOf('\n') + 1)))]
}

const definedIn = oncePer(({ symbols, language }: FileFacts) => {
  const hasTitles = titlesAreNames.has(language)
  const defining = [...symbols.keys()].filter((at) => {
    const symbol = symbols[at]
    return symbol && symbol.kind !== 'impl' && !(symbol.isTest && hasTitles)
  })
  return Map.groupBy(defining, (at) => `${symbols[at]?.scope}\n${symbols[at]?.name}`)
})

/** Indexes of the symbols directly inside of one, in source order. */
export function symbolsWithin(facts: FileFacts, index: number): readonly number[] {
  return membersIn(facts).get(index) ?? []
}

const membersIn = oncePer(({ parents }: FileFacts) =>
  Map.groupBy(parents.keys(), (at) => parents[at] ?? null),
)

/** Members of a type by name, in source order. */
export function membersNamed({ path, facts, index }: Definition, name: string): Definition[] {
  return symbolsNamed(facts, name).length < symbolsWithin(facts, index).length
    ? symbolsNamed(facts, name).flatMap((at) =>
        facts.parents[at] === index ? [{ path, facts, index: at }] : [],
      )
    : symbolsWithin(facts, index).flatMap((at) =>
        facts.symbols[at]?.name === name ? [{ path, facts, index: at }] : [],
      )
}

export const localName = ({ local }: ImportFact) => local

/** The imports that are called this here; those without a name of their own for null. */
export function importsAs(facts: FileFacts, local: string | null): readonly ImportFact[] {
  return itemsBy(facts.imports, localName, local)
}

const derived = ({ symbol }: FileFacts['supertypes'][number]) => symbol

/** The base types as they are written at a type. */
export function basesOf({ facts, index }: Definition): FileFacts['supertypes'] {
  return itemsBy(facts.supertypes, derived, index)
}

/** Wildcard imports beyond this many are not gone through for every name; who has more learns nothing from them. */
export const mostStars = 60

/** Imports of everything in another module. */
export function starImports(facts: FileFacts): readonly ImportFact[] {
  return itemsBy(facts.imports, isStar, true)
}

export function isStar({ local, imported }: ImportFact): boolean {
  return local === null && imported === '*'
}

const nameOf = ({ name }: Reference) => name
const startLine = ({ line }: Reference) => line

/** The references that begin on this line, in source order. */
export function referencesAt(facts: FileFacts, line: number): readonly Reference[] {
  return itemsBy(facts.references, startLine, line)
}

/** Indexes of all symbols of this name, in source order. */
export function symbolsNamed(facts: FileFacts, name: string): readonly number[] {
  return namedIn(facts).get(name) ?? []
}

const namedIn = oncePer(({ symbols }: FileFacts) =>
  Map.groupBy(symbols.keys(), (at) => symbols[at]?.name ?? ''),
)

/** The index of the last function or method that this line is in; null outside of all. */
export function functionAt(facts: FileFacts, line: number): number | null {
  return functionsIn(facts)(line)
}

const functionsIn = oncePer(({ symbols, lineCount }: FileFacts) => {
  const indexes = [...symbols.keys()].filter((at) => isFunction(symbols[at]))
  const at = lastAround(
    indexes.map((index) => symbols[index] ?? nowhere),
    lineCount,
  )
  return (line: number) => indexes[at(line)] ?? null
})

export function isFunction(symbol: CodeSymbol | undefined): boolean {
  return symbol?.kind === 'function' || symbol?.kind === 'method'
}

const nowhere = { startLine: 1, endLine: 0 }

/** Indexes of the symbols around a place, innermost first. */
export function around({ facts, enclosing }: Pick<UseSite, 'facts' | 'enclosing'>): number[] {
  const found: number[] = []
  for (let at = enclosing; at !== null; at = facts.parents[at] ?? null) found.push(at)
  return found
}

/** How many scopes the innermost symbol of the file is in, itself included. */
export function depthOf({ parents }: FileFacts): number {
  const depths: number[] = []
  // A parent begins before what is in it.
  for (const parent of parents) depths.push(1 + (parent === null ? 0 : (depths[parent] ?? 0)))
  return depths.reduce((most, depth) => Math.max(most, depth), 0)
}

/** The innermost type around a place, or null. */
export function enclosingType(place: UseSite): number | null {
  return around(place).find((index) => isType(place.facts.symbols[index] ?? never, place.facts)) ?? null
}

/** The references by this name, in source order. */
export function referencesNamed(facts: FileFacts, name: string): readonly Reference[] {
  return itemsBy(facts.references, nameOf, name)
}

/** The packages or namespaces that a file declares, `''` for the global one. Facts do not say which of its symbols is in which. */
export function packagesOf({ packageName, otherPackages }: FileFacts): readonly string[] {
  return [packageName ?? '', ...otherPackages]
}

/** What the package of a place defines. */
export function inOwnPackage(definitions: readonly Definition[], place: UseSite): Meaning {
  const isHere = definitions.every(({ path }) => path === place.path)
  return defined(definitions, { how: isHere ? 'same file' : 'same package' })
}

export function defined(
  definitions: readonly Definition[],
  parts: Partial<Extract<Meaning, { kind: 'defined' }>> = {},
): Meaning {
  return {
    kind: 'defined',
    definitions,
    how: 'same file',
    hops: [],
    bound: false,
    ...parts,
    // Some of them may have been left out.
    certainty: definitions.length < mostAlike ? (parts.certainty ?? 'certain') : 'likely',
  }
}

export function unknown(why: string): Meaning {
  return { kind: 'unknown', why }
}

export function missing(
  what: Extract<Meaning, { kind: 'missing' }>['missing'],
  where: string,
  certainty: 'certain' | 'likely' = 'certain',
): Meaning {
  return { kind: 'missing', missing: what, where, certainty, by: null }
}

/** Says which file's import a chain broke at; the first one to say so is the one. */
export function askedBy(meaning: Meaning, path: string): Meaning {
  return meaning.kind === 'missing' && meaning.by === null ? { ...meaning, by: path } : meaning
}

const never = { kind: 'variable' } as CodeSymbol

// Looks a member up in a type and what it inherits from, nearest first.

/** More types than this are not walked; the answer is then `unknown`. */
const mostTypes = 60

/** `bound`: the receiver is an instance, so it fills the first parameter where the language passes it. */
export async function typeMember(
  language: Language,
  world: World,
  types: readonly Definition[],
  name: string,
  bound: boolean,
): Promise<Meaning> {
  const seen = new Set<string>()
  const found: Definition[] = []
  let level = types
  let inherited = false
  let open = false
  for (let depth = 0; level.length > 0; depth++) {
    const next: Definition[] = []
    const nearer = [...found]
    for (const type of level) {
      // By its place: C# has types of one name that differ in their type parameters.
      const key = `${type.path}\n${type.index}`
      if (seen.has(key)) continue
      seen.add(key)
      if (seen.size > mostTypes) return unknown('too many base types')
      const all = await language.ownMembers(world, type, name, bound)
      // An override hides what it overrides; only other signatures join it. Two parts of a type may lead to one member.
      const own = all.filter(
        (one) => !nearer.some((other) => isAlike(other, one)) && !found.some((other) => isSame(other, one)),
      )
      if (own.length > 0 && depth > 0 && found.length === 0) inherited = true
      found.push(...own)
      if (own.length > 0 && !language.inheritsOverloads) continue
      const bases = await language.baseTypes(world, type)
      open ||= bases.open
      next.push(...bases.types)
    }
    if (found.length > 0 && !language.inheritsOverloads) break
    level = next
  }
  if (found.length > 0) return defined(found, { how: inherited ? 'inherited' : 'receiver type', bound })
  const [first] = types
  if (open || !first) return unknown('a base type is not in this repository')
  return missing('member', fullName(symbolOf(first)))
}

function isAlike(a: Definition, b: Definition): boolean {
  const [left, right] = [symbolOf(a).signature.parameters, symbolOf(b).signature.parameters]
  if (left === null || right === null) return left === right
  return left.length === right.length && left.every(({ type }, at) => type === right[at]?.type)
}

function isSame(a: Definition, b: Definition): boolean {
  return a.path === b.path && a.index === b.index
}

export function keyOf({ path, facts, index }: Definition): string {
  const symbol = facts.symbols[index]
  return symbol ? `${path}\n${symbol.scope}\n${symbol.name}` : path
}
