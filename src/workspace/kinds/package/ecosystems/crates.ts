/** Rust: crates by `Cargo.toml`, their public items, and `use` of them. */
import { isTestPath, isVendoredPath } from '../../../../base/file-paths.ts'
import type { FileFacts, ImportFact } from '../../../../code-index/contract.ts'
import type { Language, World } from '../../../../code-index/resolve/contract.ts'
import { resolverOf } from '../../../../code-index/resolve/languages/registry.ts'
import type { Pin, SourceFile, SourceTree } from '../../../contract.ts'
import { placeAt } from '../../../places.ts'
import { worldOf } from '../../tree-world.ts'
import type { BrokenExport, Ecosystem, PackageUse, ProvidedExport, Publisher, Thing } from '../contract.ts'
import {
  escaped,
  foldersAbove,
  inFolder,
  lineWith,
  manifestsAbove,
  pinAbove,
  someLine,
  tomlOf,
  valueAt,
} from '../manifests.ts'
import { mostNames, namesDefinedIn, packageEntry, surfaceOf } from '../surface.ts'
import { plainThing } from '../thing.ts'
import { type ImportTarget, usesOf } from '../uses.ts'

const id = 'crates'
const mostModules = 300

export const crates: Ecosystem = {
  id,
  mayProvide: (path) =>
    (/\.rs$/.test(path) && !isTestPath(path) && !isVendoredPath(path)) || path.endsWith('Cargo.toml'),
  mayUse: (path) => /\.rs$/.test(path) && !isVendoredPath(path),
  provided,
  uses,
  isMeant,
  pin,
  refusesMissing: (_file, { shape }) => shape.role === 'import',
}

type Crate = Publisher & { crate: string; root: string }

async function crateAbove(world: World, path: string): Promise<Crate | null> {
  const folder = foldersAbove(path).find((one) => world.paths.has(inFolder(one, 'Cargo.toml')))
  return folder === undefined ? null : await world.once(`crate ${folder}`, () => readCrate(world, folder))
}

async function readCrate(world: World, folder: string): Promise<Crate | null> {
  const path = inFolder(folder, 'Cargo.toml')
  const text = (await world.text(path)) ?? ''
  const toml = tomlOf(text)
  const name = valueAt(toml, 'package', 'name')
  const written = valueAt(toml, 'lib', 'path')
  const root = inFolder(folder, typeof written === 'string' ? written : 'src/lib.rs')
  if (typeof name !== 'string' || !world.paths.has(root)) return null
  const library = valueAt(toml, 'lib', 'name')
  const crate = typeof library === 'string' ? library : name.replaceAll('-', '_')
  return { name, crate, folder, path, line: lineWith(text, /^\s*name\s*=/) ?? 1, root }
}

async function provided(world: World, changed: readonly string[]): Promise<ProvidedExport[]> {
  const language = resolverOf('rust')
  if (!language) return []
  const found: ProvidedExport[] = []
  const all = new Map<string, Crate>()
  for (const path of changed) {
    const crate = await crateAbove(world, path)
    if (crate) all.set(crate.name, crate)
  }
  const defined = await namesDefinedIn(world, changed)
  for (const publisher of all.values()) {
    const { name, crate, root } = publisher
    const base = { ecosystem: id, package: name, keys: [`crates:${crate}`] }
    found.push(packageEntry(id, publisher, base.keys, defined))
    const methods = await methodsOf(world, language, root)
    const waiting = [{ name: crate, path: root }]
    const seen = new Set<string>()
    let left = mostNames
    for (let next = waiting.shift(); next && seen.size < mostModules; next = waiting.shift()) {
      if (seen.has(next.name)) continue
      seen.add(next.name)
      const offered = await namesOf(world, language, next.path)
      waiting.push(...offered.modules.map((one) => ({ name: `${next?.name}::${one.name}`, path: one.path })))
      const surface = await surfaceOf(language, world, {
        ...base,
        ...offered,
        ...next,
        ...{ also: [], isCommand: false, place: placeAt(next.path, 1) },
        names: offered.names.slice(0, left),
      })
      left -= surface.length
      found.push(...surface.map((one) => withMethods(one, methods)))
    }
  }
  return found
}

/** Public methods by the name of their type: an `impl` may be in any file of the crate. */
async function methodsOf(
  world: World,
  language: Language,
  root: string,
): Promise<ReadonlyMap<string, readonly Thing[]>> {
  const seen = new Set<string>()
  const found: { scope: string; thing: Thing }[] = []
  const waiting = [root]
  for (let path = waiting.pop(); path !== undefined && seen.size < mostModules; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const facts = await world.facts(path)
    if (!facts) continue
    for (const symbol of facts.symbols)
      if (symbol.kind === 'method' && symbol.visibility === 'exported')
        found.push({ scope: symbol.scope, thing: plainThing(path, symbol, symbol.signature.parameters) })
    for (const fact of facts.imports) {
      if (!fact.source.startsWith('self::') || fact.imported !== '*') continue
      const meaning = await language.imported(world, { path, facts, enclosing: null, text: null }, fact)
      if (meaning.kind === 'module') waiting.push(meaning.module.path)
    }
  }
  const byScope = Map.groupBy(found, ({ scope }) => scope)
  return new Map([...byScope].map(([scope, all]) => [scope, all.map(({ thing }) => thing)]))
}

function withMethods(one: ProvidedExport, methods: ReadonlyMap<string, readonly Thing[]>): ProvidedExport {
  const { shape } = one
  if (shape.is !== 'export' || !shape.thing) return one
  const known = new Set(shape.thing.members.map(({ name }) => name))
  const more = (methods.get(shape.thing.name) ?? []).filter(({ name }) => !known.has(name))
  return {
    ...one,
    shape: { ...shape, thing: { ...shape.thing, members: [...shape.thing.members, ...more] } },
  }
}

type Offered = {
  names: string[]
  inner: string[]
  modules: { name: string; path: string }[]
  isOpen: boolean
}

async function namesOf(world: World, language: Language, entry: string): Promise<Offered> {
  const offered: Offered = { names: [], inner: [], modules: [], isOpen: false }
  const names = new Set<string>()
  const seen = new Set<string>()
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const [facts, text] = [await world.facts(path), await world.text(path)]
    if (!facts || text === null || seen.size > mostModules) {
      offered.isOpen = true
      continue
    }
    // Items that a macro makes have no definition.
    offered.isOpen ||= facts.errorLines.length > 0 || /^(?:\w+::)*\w+!\s*[({[]/m.test(text)
    for (const name of ownNames(facts)) names.add(name)
    for (const fact of facts.imports) {
      if (!fact.reexport || fact.imported !== '*') continue
      const meaning = await language.imported(world, { path, facts, enclosing: null, text: null }, fact)
      if (meaning.kind !== 'module' || meaning.module.path === path) offered.isOpen ||= fact.local === null
      else if (fact.local === null) waiting.push(meaning.module.path)
      else if (path === entry) offered.modules.push({ name: fact.local, path: meaning.module.path })
    }
  }
  offered.inner = offered.modules.map(({ name }) => name)
  return { ...offered, names: [...names] }
}

function ownNames({ symbols, imports }: FileFacts): string[] {
  const own = symbols.filter(
    ({ scope, visibility, kind, isTest }) =>
      scope === '' &&
      visibility === 'exported' &&
      kind !== 'impl' &&
      kind !== 'module' &&
      kind !== 'macro' &&
      !isTest,
  )
  const passed = imports.filter(
    ({ reexport, local, imported }) => reexport && local !== null && imported !== '*',
  )
  return [...own.map(({ name }) => name), ...passed.flatMap(({ local }) => local ?? [])]
}

const ownRoots: ReadonlySet<string> = new Set(['crate', 'self', 'super', 'std', 'core', 'alloc'])

function uses(file: SourceFile): PackageUse[] {
  const { facts } = file
  return facts?.language === 'rust' ? usesOf(id, { ...file, facts }, targetOf) : []
}

function targetOf({ source, imported }: ImportFact): ImportTarget | null {
  const root = source.split('::', 1)[0] ?? ''
  if (!/^[a-z]\w{0,100}$/.test(root) || ownRoots.has(root)) return null
  return { key: `crates:${root}`, package: root, module: source, symbol: imported === '*' ? null : imported }
}

async function isMeant({ shape }: BrokenExport, use: PackageUse, tree: SourceTree): Promise<boolean> {
  const world = await worldOf(tree)
  const texts = await world.texts(manifestsAbove(world, use.path, (name) => name === 'Cargo.toml'))
  const named = new RegExp(
    `^\\s*(?:\\[(?:[\\w-]+\\.)*)?"?${escaped(shape.package)}"?\\s*(?:[=.\\]])|package\\s*=\\s*"${escaped(shape.package)}"`,
  )
  return someLine(texts, named)
}

async function pin({ shape }: BrokenExport, use: PackageUse, tree: SourceTree): Promise<Pin | null> {
  const name = escaped(shape.package)
  return await pinAbove(await worldOf(tree), use.path, [
    {
      isList: (one) => one === 'Cargo.lock',
      named: new RegExp(`^name\\s*=\\s*"${name}"`),
      version: /^version\s*=\s*"([^"]+)"/,
    },
    {
      isList: (one) => one === 'Cargo.toml',
      named: new RegExp(`^\\s*"?${name}"?\\s*=`),
      version: /^[^=]{1,200}=\s{0,20}(?:\{.{0,200}?version\s{0,20}=\s{0,20})?"([^"]{1,100})"/,
    },
  ])
}
