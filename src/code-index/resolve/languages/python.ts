/** Names in Python: function scopes, imports, module names, members through `self`, classes and typed names. */

import { folderOf } from '../../../base/file-paths.ts'
import { itemsBy } from '../../../base/grouped.ts'
import { oncePer, remembered } from '../../../base/remembered.ts'
import type { ImportFact } from '../../contract.ts'
import type { Definition, Hop, Language, Meaning, UseSite, World } from '../contract.ts'
import { isLost } from '../look-ups.ts'
import { nestedDefinitions, writtenBases } from '../scopes.ts'
import {
  askedBy,
  defined,
  fullName,
  importsAs,
  missing,
  mostStars,
  starImports,
  symbolOf,
  symbolsIn,
  unknown,
} from '../symbols.ts'
import { joinPath } from '../world.ts'

/** Base classes that add no names a program calls by mistake. */
const plainBases = new Set([
  'object',
  'ABC',
  'Generic',
  'Protocol',
  'Exception',
  'ValueError',
  'RuntimeError',
])

export const python: Language = {
  ids: ['python'],
  selfWords: { self: 'instance', cls: 'type', super: 'super' },
  constructorName: (type) => (type.kind === 'class' ? '__init__' : null),
  implicitConstructor: false,
  callMakes: true,
  bareMembers: false,
  inheritsOverloads: false,
  name,
  imported: (world, place, fact) => importedFrom(world, place.path, fact, []),
  moduleMember: (world, module, member) => moduleName(world, module.path, member),
  async ownMembers(_world, { path, facts, index }, member) {
    return symbolsIn(path, facts, fullName(symbolOf({ path, facts, index })), member)
  },
  async baseTypes(world, type) {
    const bases = await writtenBases(python, world, type, plainBases)
    const { path, facts } = type
    const dynamic = symbolsIn(path, facts, fullName(symbolOf(type)), '__getattr__').length > 0
    return { types: bases.types, open: bases.open || dynamic }
  },
}

async function name(world: World, place: UseSite, word: string): Promise<Meaning> {
  const facts = await world.facts(place.path)
  const nested = nestedDefinitions(facts, place, word)
  if (nested.length > 0) return defined(nested)
  const own: Definition[] = facts ? symbolsIn(place.path, facts, '', word) : []
  const [fact, ...others] = importsAs(place.facts, word)
  if (fact) {
    const meaning = await importedFrom(world, place.path, fact, [])
    if (meaning.kind !== 'unknown') return meaning
    if (own.length > 0) return defined(own)
    // `import proto` of a package in one branch, and `from . import proto` in the next.
    const further = await Promise.all(others.map((other) => importedFrom(world, place.path, other, [])))
    const isHere = further.some(({ kind }) => kind === 'defined' || kind === 'module')
    return isHere ? unknown('imported from several places') : meaning
  }
  if (own.length > 0) return defined(own)
  const dotted = itemsBy(place.facts.imports, topOfDotted, word)[0]
  if (dotted) {
    const found = findModule(world, place.path, word)
    return found.kind === 'file'
      ? { kind: 'module', module: { path: found.path, name: '' }, hops: [] }
      : unknown('another package')
  }
  const stars = starImports(place.facts)
  if (stars.length > mostStars) return unknown('too many wildcard imports')
  for (const star of stars) {
    const meaning = await importedFrom(world, place.path, { ...star, imported: word }, [])
    if (meaning.kind !== 'missing') return meaning
    if (meaning.missing === 'module') return unknown(unseenStar)
  }
  return place.facts.errorLines.length > 0 ? unknown('the file does not parse') : missing('name', place.path)
}

/** Of a module that is compiled or generated, and not committed. */
const unseenStar = 'takes everything of a module that is not here'

/** `import a.b` binds `a`. */
function topOfDotted({ local }: ImportFact): string | null {
  const dot = local?.indexOf('.') ?? -1
  return dot > 0 ? (local?.slice(0, dot) ?? null) : null
}

// What a Python module holds under a name: definitions, imports of its own, modules of its package.

const longestChain = 24

function moduleName(world: World, path: string, name: string): Promise<Meaning> {
  return follow(world, path, name, [])
}

async function importedFrom(
  world: World,
  from: string,
  fact: ImportFact,
  hops: readonly Hop[],
): Promise<Meaning> {
  const found = findModule(world, from, fact.source)
  if (found.kind === 'external') {
    // Folders without a file of their own in them hold modules as well.
    const module = findModule(world, from, `${fact.source}.${fact.imported}`)
    return module.kind === 'file'
      ? { kind: 'module', module: { path: module.path, name: '' }, hops }
      : unknown('another package')
  }
  if (found.kind === 'missing') return askedBy(missing('module', found.path), from)
  if (fact.imported === '*') return { kind: 'module', module: { path: found.path, name: '' }, hops }
  return askedBy(await follow(world, found.path, fact.imported, hops), from)
}

async function follow(world: World, path: string, name: string, hops: readonly Hop[]): Promise<Meaning> {
  if (hops.length > longestChain || hops.some((hop) => hop.path === path && hop.name === name))
    return missing('export', path, 'likely')
  if (isLost(world, hops)) return unknown('too many ways lead there')
  const trail = [...hops, { path, name }]
  const below = submodule(world, path, name)
  const asModule: Meaning | null =
    below === null ? null : { kind: 'module', module: { path: below, name: '' }, hops: trail }
  if (path.endsWith('/')) return asModule ?? missing('module', path + name, 'likely')
  const facts = await world.facts(path)
  if (!facts) return unknown('the module could not be read')

  const own = symbolsIn(path, facts, '', name)
  if (own.length > 0)
    return defined(own, { how: hops.length === 0 ? 'import' : 're-export chain', hops: trail })
  const handedOn = importsAs(facts, name)[0]
  if (handedOn) {
    const meaning = await importedFrom(world, path, handedOn, trail)
    // `from . import x` in the package itself names the module below.
    return meaning.kind === 'unknown' && asModule ? asModule : meaning
  }
  if (asModule) return asModule
  let doubt: Meaning | null = null
  const stars = starImports(facts)
  if (stars.length > mostStars) return unknown('too many wildcard imports')
  for (const star of stars) {
    const meaning = await importedFrom(world, path, { ...star, imported: name }, trail)
    if (meaning.kind === 'defined' || meaning.kind === 'module') return meaning
    if (meaning.kind === 'unknown') doubt ??= meaning
    else if (meaning.missing === 'module') doubt ??= unknown(unseenStar)
  }
  if (doubt) return doubt
  const dynamic = symbolsIn(path, facts, '', '__getattr__').length > 0
  if (dynamic || facts.errorLines.length > 0) return unknown('names may come at run time')
  return missing('export', path)
}

// Which file a dotted module name stands for.

type FoundModule =
  /** A file, or a folder without `__init__.py`, which then ends in `/`. */
  | { kind: 'file'; path: string }
  /** The package around it is in this repository, and it is not. */
  | { kind: 'missing'; path: string }
  | { kind: 'external' }

function findModule(world: World, from: string, source: string): FoundModule {
  // Only the folder of the importing file counts.
  const key = `${source}\n${folderOf(from)}`
  return remembered(modulesOf(world), key, () => lookUp(world, from, source))
}

const modulesOf = oncePer((_: World) => new Map<string, FoundModule>())

function lookUp(world: World, from: string, source: string): FoundModule {
  const dots = /^\.*/.exec(source)?.[0].length ?? 0
  const parts = source.slice(dots).split('.').filter(Boolean)
  if (dots > 0) {
    const folder = joinPath(folderOf(from), '../'.repeat(dots - 1))
    return folder === null ? { kind: 'external' } : inside(world, folder, parts)
  }
  let found: FoundModule = { kind: 'external' }
  for (const root of rootsOf(world, from, parts)) {
    const module = inside(world, root, parts)
    if (module.kind === 'file') return module
    if (found.kind === 'external') found = module
  }
  return found
}

/** `b` in the package `a` at `folder`, when it is a module of its own. */
function submodule(world: World, path: string, name: string): string | null {
  const folder = path.endsWith('/')
    ? path.slice(0, -1)
    : /(?:^|\/)__init__\.pyi?$/.test(path)
      ? folderOf(path)
      : null
  return folder === null ? null : moduleAt(world, folder === '' ? name : `${folder}/${name}`)
}

function inside(world: World, folder: string, parts: readonly string[]): FoundModule {
  const path = parts.length === 0 ? folder : joinPath(folder, parts.join('/'))
  if (path === null) return { kind: 'external' }
  const found = moduleAt(world, path)
  return found === null ? { kind: 'missing', path } : { kind: 'file', path: found }
}

function moduleAt(world: World, path: string): string | null {
  const candidates = [`${path}/__init__.py`, `${path}.py`, `${path}/__init__.pyi`, `${path}.pyi`]
  const found = candidates.find((candidate) => world.paths.has(candidate.replace(/^\//, '')))
  if (found) return found.replace(/^\//, '')
  const holdsCode = world.paths.hasFolder(path) && path !== ''
  return holdsCode ? `${path}/` : null
}

/**
 * Folders that the first part of an absolute name lies in: those above the importing file, nearest first, and the usual
 * ones. Several may have it, since a package without `__init__.py` may hold a module of its own name.
 */
function rootsOf(world: World, from: string, parts: readonly string[]): string[] {
  const [top = ''] = parts
  const isRoot = (folder: string): boolean => {
    if (world.paths.has(join(folder, '__init__.py'))) return false
    return holdsModule(world, join(folder, top)) || holdsAll(world, folder, parts)
  }
  const above: string[] = []
  for (let folder = folderOf(from); ; folder = folderOf(folder)) {
    if (isRoot(folder)) above.push(folder)
    if (folder === '') break
  }
  if (above.length > 0) return above
  const usual = ['src', 'lib', 'python'].find(isRoot)
  if (usual !== undefined) return [usual]
  // Elsewhere only a package counts, and only when there is one of that name.
  const elsewhere = world.paths
    .foldersEndingWith(top)
    .filter(
      (folder) =>
        world.paths.has(`${folder}/__init__.py`) && !world.paths.has(join(folderOf(folder), '__init__.py')),
    )
  const [only] = elsewhere
  return elsewhere.length === 1 && only !== undefined ? [folderOf(only)] : []
}

/** A package may hold nothing but folders; then the whole name has to be there. */
function holdsAll(world: World, folder: string, parts: readonly string[]): boolean {
  if (parts.length < 2) return false
  const path = join(folder, parts.join('/'))
  return world.paths.has(`${path}.py`) || world.paths.has(`${path}/__init__.py`)
}

function holdsModule(world: World, path: string): boolean {
  const { paths } = world
  if (paths.has(`${path}.py`) || paths.has(`${path}/__init__.py`)) return true
  return paths.filesIn(path).some((file) => file.endsWith('.py'))
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
