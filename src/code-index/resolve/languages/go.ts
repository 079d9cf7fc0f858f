/** Names in Go: packages, imports, methods by receiver type, promoted members of embedded types. */
import { folderOf } from '../../../base/file-paths.ts'
import type { ImportFact } from '../../contract.ts'
import type { Definition, Language, Meaning, UseSite, World } from '../contract.ts'
import { writtenBases } from '../scopes.ts'
import { defined, importsAs, missing, symbolOf, symbolsIn, unknown } from '../symbols.ts'
import { joinPath, remembered } from '../world.ts'

export const go: Language = {
  ids: ['go'],
  selfWords: {},
  constructorName: () => null,
  implicitConstructor: false,
  callMakes: false,
  bareMembers: false,
  inheritsOverloads: false,
  name,
  imported: (world, _place, fact) => importedPackage(world, fact),
  async moduleMember(world, module, member) {
    const symbols = await packageSymbols(world, module.path, null)
    if (!symbols) return unknown('a file of the package could not be read')
    const found = symbols.named('', member)
    if (found.length === 0) return missing('export', module.path)
    return defined(found, { how: 'import', hops: [{ path: module.path, name: member }] })
  },
  async ownMembers(world, type, member) {
    const symbols = await packageSymbols(world, folderOf(type.path), type.facts.packageName)
    return symbols?.named(symbolOf(type).name, member) ?? []
  },
  async baseTypes(world, type) {
    const bases = await writtenBases(go, world, type, new Set())
    const isAlias = /=/.test(symbolOf(type).signature.text)
    const readable = await packageSymbols(world, folderOf(type.path), type.facts.packageName)
    return { types: bases.types, open: bases.open || isAlias || readable === null }
  },
}

async function name(world: World, place: UseSite, word: string): Promise<Meaning> {
  const fact = importsAs(place.facts, word)[0]
  if (fact) return importedPackage(world, fact)
  const symbols = await packageSymbols(world, folderOf(place.path), place.facts.packageName)
  if (!symbols) return unknown('a file of the package could not be read')
  const found = symbols.named('', word)
  if (found.length > 0)
    return defined(found, {
      how: found.some(({ path }) => path === place.path) ? 'same file' : 'same package',
    })
  const folder = (await packagesOf(world, place)).get(word)
  if (folder !== undefined) return { kind: 'module', module: { path: folder, name: word }, hops: [] }
  return missing('name', folderOf(place.path), place.facts.errorLines.length > 0 ? 'likely' : 'certain')
}

/** The folders of the imported packages that are here, by the names that their files give them. */
function packagesOf(world: World, { path, facts }: UseSite): Promise<ReadonlyMap<string, string>> {
  return remembered(world, facts, 'go imports', path, async () => {
    const folders = new Map<string, string>()
    for (const { source } of facts.imports) {
      const folder = await findPackage(world, source)
      const own = folder.kind === 'folder' ? await packageNameOf(world, folder.path) : null
      if (folder.kind === 'folder' && own !== null && !folders.has(own)) folders.set(own, folder.path)
    }
    return folders
  })
}

async function importedPackage(world: World, fact: ImportFact): Promise<Meaning> {
  const found = await findPackage(world, fact.source)
  if (found.kind === 'external') return unknown('another module')
  if (found.kind === 'missing') return missing('module', found.path)
  return { kind: 'module', module: { path: found.path, name: fact.local ?? '' }, hops: [] }
}

// Go packages are folders: which folder an import path names, and what the files of a folder define.

type FoundPackage =
  | { kind: 'folder'; path: string }
  | { kind: 'missing'; path: string }
  | { kind: 'external' }

type GoPackage = {
  /** Every definition of a name in a scope: one for each platform, at worst. */
  named(scope: string, name: string): Definition[]
}

type Module = { name: string; folder: string }

async function findPackage(world: World, source: string): Promise<FoundPackage> {
  // The longest module name wins: modules nest.
  const modules = await goModules(world)
  const module = modules.find(({ name }) => source === name || source.startsWith(`${name}/`))
  if (!module) return modules.length > 0 ? { kind: 'external' } : await findByPlace(world, source)
  const path = joinPath(module.folder, source.slice(module.name.length))
  if (path === null) return { kind: 'external' }
  const holdsCode = world.paths.filesIn(path).some((file) => file.endsWith('.go'))
  return holdsCode ? { kind: 'folder', path } : { kind: 'missing', path }
}

/** Files whose imports tell what a repository without `go.mod` is called: so many, those next to its top. */
const mostAsked = 50

/**
 * Without `go.mod` nothing says what a repository is called. It is `host/owner/name` if the folder behind that is here, and if its
 * files import another one of the same name that is here, and none that is not.
 */
async function findByPlace(world: World, source: string): Promise<FoundPackage> {
  const [, folder] = /^[^/.]+\.[^/]+\/[^/]+\/[^/]+\/(.+)$/.exec(source) ?? []
  if (folder === undefined || goFiles(world, folder).length === 0) return { kind: 'external' }
  const name = source.slice(0, -folder.length)
  const others = (await topImports(world)).filter((other) => other.startsWith(name) && other !== source)
  const isHere = (other: string) => goFiles(world, other.slice(name.length)).length > 0
  return others.length > 0 && others.every(isHere) ? { kind: 'folder', path: folder } : { kind: 'external' }
}

function topImports(world: World): Promise<readonly string[]> {
  return world.once('go imports at the top', async () => {
    const depth = (path: string) => path.split('/').length
    const files = world.paths
      .largerThan(0)
      .filter((path) => path.endsWith('.go') && !/(^|\/)vendor\//.test(path))
      .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
    const facts = await world.factsOf(files.slice(0, mostAsked))
    return [...new Set([...facts.values()].flatMap(({ imports }) => imports.map(({ source }) => source)))]
  })
}

/** What a package defines, by name; null when a file of its folder cannot be read: then nothing is known to be missing. */
function packageSymbols(world: World, folder: string, packageName: string | null): Promise<GoPackage | null> {
  return world.once(`go package ${packageName ?? '*'} ${folder}`, async () => {
    const files = goFiles(world, folder)
    const facts = await world.factsOf(files)
    if (facts.size < files.length) return null
    const members = [...facts].filter(([, { packageName: own }]) => belongs(own, packageName))
    const byName = new Map<string, Set<number>>()
    for (const [at, [, own]] of members.entries())
      for (const { name } of own.symbols) {
        const files = byName.get(name)
        if (files) files.add(at)
        else byName.set(name, new Set([at]))
      }
    return {
      named: (scope, name) =>
        [...(byName.get(name) ?? [])].flatMap((at) => {
          const [path, own] = members[at] ?? []
          return path !== undefined && own ? symbolsIn(path, own, scope, name) : []
        }),
    }
  })
}

/** The name that the files of a folder give their package. */
async function packageNameOf(world: World, folder: string): Promise<string | null> {
  const first = world.paths.filesIn(folder).find((path) => path.endsWith('.go') && !path.endsWith('_test.go'))
  return first === undefined ? null : ((await world.facts(first))?.packageName ?? null)
}

/** `null` asks for what importers see: not the package of external tests. */
function belongs(own: string | null, wanted: string | null): boolean {
  return wanted === null ? own !== null && !own.endsWith('_test') : own === wanted
}

function goFiles(world: World, folder: string): string[] {
  return world.paths.filesIn(folder).filter((path) => path.endsWith('.go'))
}

function goModules(world: World): Promise<readonly Module[]> {
  return world.once('go modules', async () => {
    const files = world.paths.named('go.mod').filter((path) => !/(^|\/)vendor\//.test(path))
    const found: Module[] = []
    for (const [path, text] of await world.texts(files)) {
      const name = /^module\s+"?([^\s"]+)/m.exec(text)?.[1]
      if (name !== undefined) found.push({ name, folder: folderOf(path) })
    }
    return found.sort((a, b) => b.name.length - a.name.length || (a.folder < b.folder ? -1 : 1))
  })
}
