/**
 * Names in C and C++: the file itself and what it includes, the namespaces and classes around, members by the type of
 * their receiver. What a macro or an absent header may define is not known, so nothing is ever reported as missing.
 */

import { compareText } from '../../../base/compare-text.ts'
import { fileNameOf, folderOf } from '../../../base/file-paths.ts'
import { oncePer } from '../../../base/remembered.ts'
import type { FileFacts } from '../../contract.ts'
import type { Definition, Language, Meaning, UseSite, World } from '../contract.ts'
import { namedType } from '../receiver.ts'
import { writtenBases } from '../scopes.ts'
import { around, defined, fullName, isType, symbolOf, symbolsNamed, unknown } from '../symbols.ts'
import { joinPath, remembered } from '../world.ts'

export const c: Language = {
  ids: ['c', 'cpp'],
  selfWords: { this: 'instance' },
  constructorName: (type) => (type.kind === 'class' || type.kind === 'struct' ? type.name : null),
  implicitConstructor: false,
  callMakes: true,
  bareMembers: true,
  inheritsOverloads: false,
  name,
  async imported(world, place, fact) {
    // `using Base::run;` names what may be in any file.
    if (fact.local !== null && !/^(?:::)?std\b/.test(fact.source))
      return unknown('not followed: named by `using`')
    const path = includedFile(world, place.path, fact.source)
    return path === null
      ? unknown('another library')
      : { kind: 'module', module: { path, name: '' }, hops: [] }
  },
  async moduleMember(world, module, member) {
    const found = await visibleIn(world, module.path, module.name, member)
    return found ?? unknown('not declared in what is included')
  },
  async ownMembers(_world, type, member) {
    return inScope(type.path, type.facts, fullName(symbolOf(type)), member)
  },
  async typesAround(world, place) {
    const [inner] = around(place).map((index) => place.facts.symbols[index])
    return inner && inner.scope !== '' ? await typesOf(world, place, inner.scope) : []
  },
  async baseTypes(world, type) {
    const written = await writtenBases(c, world, type, new Set())
    return { types: [...written.types, ...(await aliased(world, type))], open: true }
  },
}

async function name(world: World, place: UseSite, word: string): Promise<Meaning> {
  const member = await memberAround(world, place, word)
  if (member) return member
  for (const scope of scopesAround(place, await filesSeen(world, place.path))) {
    const found = await visibleIn(world, place.path, scope, word)
    if (found) return found
  }
  return unknown('not declared in what is included')
}

/** What a file sees under a name in a scope: its own, else what it includes. A namespace is a module as that file sees it. */
async function visibleIn(world: World, path: string, scope: string, word: string): Promise<Meaning | null> {
  const seen = await filesSeen(world, path)
  const own = seen.get(path)
  const here = own ? inScope(path, own, scope, word) : []
  const isHere = here.some((one) => symbolOf(one).kind !== 'module')
  const found = isHere
    ? here
    : [...seen].flatMap(([from, facts]) => inScope(from, facts, scope, word).filter(isVisible))
  const things = found.filter((one) => symbolOf(one).kind !== 'module')
  if (things.length > 0) return defined(things, { how: isHere ? 'same file' : 'import' })
  const [namespace] = found
  return namespace
    ? { kind: 'module', module: { path, name: fullName(symbolOf(namespace)) }, hops: [] }
    : null
}

/** Members of the class around, its base types included. */
async function memberAround(world: World, place: UseSite, word: string): Promise<Meaning | null> {
  for (const index of around(place)) {
    const symbol = place.facts.symbols[index]
    if (!symbol || symbol.scope === '' || symbol.kind === 'module') continue
    const types = isType(symbol)
      ? [{ path: place.path, facts: place.facts, index }]
      : await typesOf(world, place, symbol.scope)
    for (const type of types) {
      const own = await c.ownMembers(world, type, word, true)
      if (own.length > 0)
        return defined(own, { how: type.path === place.path ? 'same file' : 'import', bound: true })
      for (const base of (await c.baseTypes(world, type)).types) {
        const inherited = await c.ownMembers(world, base, word, true)
        if (inherited.length > 0) return defined(inherited, { how: 'inherited', bound: true })
      }
    }
  }
  return null
}

/** The class that a method written outside of it belongs to; its scope may lack the namespace. */
async function typesOf(world: World, place: UseSite, scope: string): Promise<Definition[]> {
  const last = scope.slice(scope.lastIndexOf('.') + 1)
  return [...(await filesSeen(world, place.path))].flatMap(([path, facts]) =>
    symbolsNamed(facts, last).flatMap((index): Definition[] => {
      const symbol = facts.symbols[index]
      if (!symbol || !isType(symbol) || !facts.parents.includes(index)) return []
      const full = fullName(symbol)
      return full === scope || full.endsWith(`.${scope}`) ? [{ path, facts, index }] : []
    }),
  )
}

/** Scopes in which a bare name is looked for, innermost first: those around, what they use, and the global one. */
function scopesAround(place: UseSite, seen: Seen): string[] {
  const [inner] = around(place).map((index) => place.facts.symbols[index])
  const scopes: string[] = []
  for (
    let scope = inner ? fullName(inner) : '';
    scope !== '';
    scope = scope.slice(0, Math.max(0, scope.lastIndexOf('.')))
  )
    scopes.push(scope)
  const used = [...seen.values()].flatMap(({ imports }) =>
    imports.flatMap(({ source, reexport }) => (reexport ? [] : [source.replaceAll('::', '.')])),
  )
  return [...new Set([...scopes, '', ...used])]
}

/** Symbols of the name in a scope; an enumerator belongs to the scope around its enum. */
function inScope(path: string, facts: FileFacts, scope: string, word: string): Definition[] {
  return symbolsNamed(facts, word).flatMap((index): Definition[] => {
    const symbol = facts.symbols[index]
    if (!symbol || symbol.kind === 'package') return []
    const parent = facts.symbols[facts.parents[index] ?? -1]
    const isFree = symbol.kind === 'enumerator' && parent !== undefined && parent.scope === scope
    return symbol.scope === scope || isFree ? [{ path, facts, index }] : []
  })
}

/** What is static in a header still is everybody's who includes it. */
function isVisible({ path, facts, index }: Definition): boolean {
  return (
    /\.(?:h|hh|hpp|hxx|inc|def|inl|ipp|tpp|tcc)$/i.test(path) ||
    facts.symbols[index]?.visibility !== 'private'
  )
}

/** `typedef struct node_s node;` and `using node = node_s;`: what the other name stands for. */
async function aliased(world: World, { path, facts, index }: Definition): Promise<readonly Definition[]> {
  const { kind, signature, name: alias } = symbolOf({ path, facts, index })
  if (kind !== 'type') return []
  const other =
    /^typedef\s+(?:const\s+)?(?:struct|union|class|enum)\s+(\w+)/.exec(signature.text)?.[1] ??
    /^typedef\s+(?:const\s+)?(\w+)\s/.exec(signature.text)?.[1] ??
    /^using\s+\w+\s*=\s*([\w:]+)/.exec(signature.text)?.[1]
  if (other === undefined || other === alias) return []
  const place: UseSite = { path, facts, enclosing: facts.parents[index] ?? null, text: null }
  return await namedType(c, world, place, other)
}

// Which files of the tree a C or C++ file sees through its `#include` lines, itself first.

/** Past this many files the rest is not seen. */
const mostFiles = 400

type Seen = ReadonlyMap<string, FileFacts>

/** In the order in which they are met, breadth first. */
function filesSeen(world: World, path: string): Promise<Seen> {
  return remembered(world, world, 'files seen by', path, async () => {
    const links = linksOf(world)
    const seen = new Map<string, FileFacts>()
    let level = [path]
    while (level.length > 0 && seen.size < mostFiles) {
      const wanted = level.slice(0, mostFiles - seen.size)
      const unread = wanted.filter((one) => !links.has(one))
      if (unread.length > 0)
        for (const [from, facts] of await world.factsOf(unread)) {
          const found = facts.imports.flatMap(({ source }) => includedFile(world, from, source) ?? [])
          links.set(from, { facts, includes: [...new Set(found)] })
        }
      const next = new Set<string>()
      for (const one of wanted) {
        const link = links.get(one)
        if (!link) continue
        seen.set(one, link.facts)
        for (const included of link.includes) next.add(included)
      }
      level = [...next].filter((one) => !seen.has(one))
    }
    return seen
  })
}

type Link = { facts: FileFacts; includes: readonly string[] }

/** What each file of a world includes, as far as it was asked. */
const linksOf = oncePer((_: World) => new Map<string, Link>())

/**
 * The file that an include names: beside the including one, else the one whose path ends so; of several the nearest.
 * Null for what is not in this tree. Quoted includes begin with `./`.
 */
function includedFile(world: World, from: string, source: string): string | null {
  const isQuoted = source.startsWith('./')
  const name = source.replace(/^\.\//, '')
  const beside = joinPath(folderOf(from), name)
  if (isQuoted && beside !== null && world.paths.has(beside)) return beside
  const suffix = name.replace(/^(?:\.\.\/)+/, '')
  const ends = world.paths
    .named(fileNameOf(suffix))
    .filter((path) => path === suffix || path.endsWith(`/${suffix}`))
  // `<string.h>` is the system's, even where a test keeps a file of that name.
  if (!isQuoted && !suffix.includes('/') && !ends.some((path) => path === suffix || isPublic(path)))
    return null
  return ends.toSorted((a, b) => common(b, from) - common(a, from) || compareText(a, b))[0] ?? null
}

function isPublic(path: string): boolean {
  return /(?:^|\/)(?:include|inc|src|lib)\/[^/]+$/.test(path)
}

/** How many folders two paths share from the root. */
function common(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]
  let shared = 0
  while (left[shared] !== undefined && left[shared] === right[shared]) shared++
  return shared
}
