/** Python: distributions by `pyproject.toml`, `setup.cfg` or `setup.py`, and the public names of their modules. */
import { folderOf, isTestPath, isVendoredPath } from '../../../../base/file-paths.ts'
import type { FileFacts, ImportFact } from '../../../../code-index/contract.ts'
import type { Language, World } from '../../../../code-index/resolve/contract.ts'
import { decidesAtRunTime } from '../../../../code-index/resolve/hidden-exports.ts'
import { resolverOf } from '../../../../code-index/resolve/languages/registry.ts'
import type { Pin, SourceFile, SourceTree } from '../../../contract.ts'
import { placeAt } from '../../../places.ts'
import { worldOf } from '../../tree-world.ts'
import type { BrokenExport, Ecosystem, PackageUse, ProvidedExport, Publisher } from '../contract.ts'
import {
  foldersAbove,
  inFolder,
  isInside,
  lineWith,
  manifestsAbove,
  pinIn,
  someLine,
  tomlOf,
  valueAt,
} from '../manifests.ts'
import { mostNames, namesDefinedIn, packageEntry, surfaceOf } from '../surface.ts'
import { type ImportTarget, usesOf } from '../uses.ts'

const id = 'pypi'
const manifest = /(?:^|\/)(?:pyproject\.toml|setup\.cfg|setup\.py)$/
const manifestNames = ['pyproject.toml', 'setup.cfg', 'setup.py']
const sourceFolders = ['src', 'lib', 'python']

/** Folders beside the package that are not installed with it. */
const neverInstalled =
  /^(?:tests?|docs?|examples?|samples?|scripts?|bench(?:marks?)?|tools?|ci|notebooks?|conftest|setup|noxfile|tasks|fabfile|manage|build|dist)$/

/** Modules of one distribution that are compared. */
const mostModules = 400
const mostStars = 100

export const pypi: Ecosystem = {
  id,
  mayProvide: (path) =>
    (/\.pyi?$/.test(path) || manifest.test(path)) && !isVendoredPath(path) && !isTestPath(path),
  mayUse: (path) => /\.pyi?$/.test(path) && !isVendoredPath(path),
  provided,
  uses,
  isMeant,
  pin,
  refusesMissing: (_file, { shape }) => shape.role === 'import',
}

async function provided(world: World, changed: readonly string[]): Promise<ProvidedExport[]> {
  const language = resolverOf('python')
  if (!language) return []
  const found: ProvidedExport[] = []
  for (const pack of await distributionsOf(world, changed)) {
    const own = changed.filter((path) => isInside(path, pack.folder))
    const modules = modulesOf(world, pack, own)
    const keys = [...new Set(modules.map(({ name }) => keyOf(name)))]
    const base = { ecosystem: id, package: pack.name }
    const defined = await namesDefinedIn(world, own)
    found.push(packageEntry(id, pack, keys, defined))
    let left = mostNames
    for (const { name, path } of modules) {
      const offered = await namesOf(world, language, path)
      const surface = await surfaceOf(language, world, {
        ...base,
        ...offered,
        keys: [keyOf(name)],
        name,
        path,
        place: placeAt(path, 1),
        names: offered.names.slice(0, left),
        isCommand: false,
      })
      left -= surface.length
      found.push(...surface.map(withoutPrivateShape))
    }
  }
  return found
}

/** What is private by its name may change its form, and others import it all the same: they need it to be there. */
function withoutPrivateShape(one: ProvidedExport): ProvidedExport {
  const { name, shape } = one
  return shape.is === 'export' && /(?:^|\.)_/.test(name) ? { ...one, shape: { ...shape, thing: null } } : one
}

/** Uses are filed by the first part of the module's name: what a distribution is called is not written where it is imported. */
function keyOf(module: string): string {
  return `pypi:${module.split('.', 1)[0]}`
}

async function distributionsOf(world: World, changed: readonly string[]): Promise<Publisher[]> {
  const found = new Map<string, Publisher>()
  const known = new Map<string, Publisher | null>()
  for (const path of changed)
    for (const folder of foldersAbove(path)) {
      if (!known.has(folder)) known.set(folder, await distributionAt(world, folder))
      const one = known.get(folder)
      if (!one) continue
      found.set(folder, one)
      break
    }
  return [...found.values()]
}

async function distributionAt(world: World, folder: string): Promise<Publisher | null> {
  for (const name of manifestNames) {
    const path = inFolder(folder, name)
    const text = world.paths.has(path) ? await world.text(path) : null
    const called = text === null ? null : nameIn(name, text)
    if (text === null || called === null || /Private\s*::\s*Do Not Upload/i.test(text)) continue
    return { name: called, folder, path, line: lineWith(text, /^\s*['"]?name['"]?\s*=/) ?? 1 }
  }
  return null
}

function nameIn(file: string, text: string): string | null {
  if (file === 'setup.py') return /\bname\s*=\s*["']([\w.-]{1,100})["']/.exec(text)?.[1] ?? null
  if (file === 'setup.cfg')
    return /^\[metadata\][^[]{0,4000}?^name\s*=\s*([\w.-]{1,100})\s*$/m.exec(text)?.[1] ?? null
  const toml = tomlOf(text)
  const name = valueAt(toml, 'project', 'name') ?? valueAt(toml, 'tool', 'poetry', 'name')
  return typeof name === 'string' && name !== '' && name.length <= 100 ? name : null
}

type Module = { name: string; path: string }

/** Modules that changed, and all packages: they pass on names of others. */
function modulesOf(world: World, { name, folder }: Publisher, changed: readonly string[]): Module[] {
  const packages = world.paths
    .named('__init__.py')
    .filter((path) => isInside(path, folder) && isOwn(world, path, folder))
  const paths = [
    ...new Set([...changed.filter((path) => /\.py$/.test(path) && isOwn(world, path, folder)), ...packages]),
  ]
  return paths
    .sort()
    .flatMap((path) => {
      const module = moduleName(world, path, folder, name)
      return module === null ? [] : [{ name: module, path }]
    })
    .slice(0, mostModules)
}

/** No other distribution of the repository is nearer. */
function isOwn(world: World, path: string, folder: string): boolean {
  if (!world.paths.has(path) || isTestPath(path) || isVendoredPath(path)) return false
  const near = foldersAbove(path).find((one) =>
    manifestNames.some((name) => world.paths.has(inFolder(one, name))),
  )
  return near === folder
}

/** `acme.client`; null for what is not installed. What is private by its name is imported by others all the same. */
function moduleName(world: World, path: string, folder: string, distribution: string): string | null {
  const inside = path.slice(folder === '' ? 0 : folder.length + 1)
  const [first = ''] = inside.split('/')
  const isSource = sourceFolders.includes(first) && !world.paths.has(inFolder(folder, `${first}/__init__.py`))
  const parts = (isSource ? inside.slice(first.length + 1) : inside).replace(/\.pyi?$/, '').split('/')
  if (parts.at(-1) === '__init__') parts.pop()
  const [top] = parts
  if (top === undefined || parts.some((part) => !/^[a-zA-Z_]\w*$/.test(part))) return null
  if (!isSource && neverInstalled.test(top)) return null
  // A single file is what is installed only when it is called like the distribution.
  const isPackage = foldersAbove(path).some(
    (one) => one !== folder && isInside(one, folder) && world.paths.has(`${one}/__init__.py`),
  )
  const isNamesake = distribution.toLowerCase().replace(/[-.]/g, '_') === top.toLowerCase()
  return isPackage || isSource || (parts.length === 1 && isNamesake) ? parts.join('.') : null
}

type Offered = { names: string[]; isOpen: boolean; also: string[]; inner: string[] }

/** Names that a module offers; `also`: those that can be imported all the same. */
async function namesOf(world: World, language: Language, entry: string): Promise<Offered> {
  const names = new Set<string>()
  const also = new Set<string>()
  const seen = new Set<string>()
  let isOpen = false
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const [facts, text] = [await world.facts(path), await world.text(path)]
    if (!facts || text === null || seen.size > mostStars) {
      isOpen = true
      continue
    }
    isOpen ||= facts.errorLines.length > 0 || decidesAtRunTime(facts, text)
    const own = ownNames(path, facts, text)
    isOpen ||= own.isOpen
    for (const name of own.names) names.add(name)
    for (const name of own.bound) also.add(name)
    for (const fact of facts.imports) {
      if (fact.local !== null || fact.imported !== '*') continue
      const meaning = await language.imported(world, { path, facts, enclosing: null, text: null }, fact)
      if (meaning.kind === 'module' && !meaning.module.path.endsWith('/')) waiting.push(meaning.module.path)
      else isOpen = true
    }
  }
  return { names: [...names], isOpen, also: [...also], inner: submodules(world, entry) }
}

function ownNames(
  path: string,
  facts: FileFacts,
  text: string,
): { names: string[]; bound: string[]; isOpen: boolean } {
  const defined = facts.symbols.filter(({ scope }) => scope === '')
  const passed = facts.imports.filter(({ local }) => local !== null)
  const isListed = /^__all__\b/m.test(text)
  const listed = facts.exports.map(({ exported }) => exported)
  const names = isListed
    ? listed
    : [
        ...defined.map(({ name }) => name),
        ...passed.flatMap(({ reexport, local, source }) =>
          local !== null && ((reexport && source.startsWith('.')) || isOfItself(path, source)) ? [local] : [],
        ),
      ]
  // A name in quotes may be handed to what imports it when it is first asked for.
  const quoted = [...text.matchAll(/["']([A-Za-z]\w{1,99})["']/g)].map(([, name = '']) => name)
  const bound = [...defined.map(({ name }) => name), ...passed.map(({ local }) => local ?? ''), ...quoted]
  // A list that is computed does not say what is in it.
  const isComputed =
    isListed &&
    /^__all__[ \t]{0,20}(?:\+?=[ \t]{0,20}(?![[(\s])|\.)|^__all__[^\n]{0,2000}(?:\+[ \t]{0,20}\w|\*)/m.test(
      text,
    )
  return { names: [...new Set(names)], bound, isOpen: isComputed }
}

/** `from acme.client import connect` in `acme/__init__.py`. */
function isOfItself(path: string, source: string): boolean {
  const [top = ''] = source.split('.', 1)
  return path.endsWith('/__init__.py') && source !== top && folderOf(path).split('/').includes(top)
}

function submodules(world: World, path: string): string[] {
  if (!path.endsWith('__init__.py')) return []
  const folder = folderOf(path)
  return world.paths.filesIn(folder).map((file) => file.slice(folder.length + 1).replace(/\.pyi?$/, ''))
}

// Uses.

function uses(file: SourceFile): PackageUse[] {
  if (file.facts?.language !== 'python') return []
  const { modules, names } = guardedLines(file.text)
  const isGuarded = ({ line, imported }: ImportFact) => (imported === '*' ? modules : names).has(line)
  return usesOf(id, { ...file, facts: file.facts }, targetOf, isGuarded)
}

function targetOf({ source, imported }: ImportFact): ImportTarget | null {
  if (source.startsWith('.') || !/^\w[\w.]*$/.test(source) || source.length > 200) return null
  const key = keyOf(source)
  return { key, package: key, module: source, symbol: imported === '*' ? null : imported }
}

type Guard = { modules: boolean; names: boolean }
type Block = { indent: number; tried: number[]; guard: Guard | null }

/**
 * Lines of imports that may fail: those in a `try` with an `except` for it and in that `except`, and those that a version
 * decides about. A name that its module lacks is an `ImportError`, which an `except` for a missing module does not catch.
 */
function guardedLines(text: string): { modules: ReadonlySet<number>; names: ReadonlySet<number> } {
  const [modules, names] = [new Set<number>(), new Set<number>()]
  const mark = (line: number, guard: Guard | null) => {
    if (guard?.modules) modules.add(line)
    if (guard?.names) names.add(line)
  }
  const blocks: Block[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const indent = line.length - line.trimStart().length
    const goesOn = /^\s{0,200}(?:except|else|elif|finally)\b/.test(line)
    for (let last = blocks.at(-1); last && last.indent >= indent; last = blocks.at(-1)) {
      if (last.indent === indent && goesOn) break
      blocks.pop()
    }
    const last = blocks.at(-1)
    if (last?.indent === indent) {
      const caught = caughtBy(line)
      for (const tried of last.tried) mark(tried, caught)
      last.guard = caught ?? last.guard
    } else if (/^\s{0,200}try\s{0,20}:/.test(line)) blocks.push({ indent, tried: [], guard: null })
    else if (/^\s{0,200}if\b.{0,200}(?:version|\bhasattr\()/i.test(line))
      blocks.push({ indent, tried: [], guard: { modules: true, names: true } })
    else
      for (const { tried, guard } of blocks)
        if (guard) mark(index + 1, guard)
        else tried.push(index + 1)
  }
  return { modules, names }
}

/** Which failed imports an `except` catches; null for another line. */
function caughtBy(line: string): Guard | null {
  const [, errors] = /^\s{0,200}except\b(.{0,200})/.exec(line) ?? []
  if (errors === undefined) return null
  const names = /^\s{0,20}:|\b(?:Import|Attribute)Error\b|\b(?:Base)?Exception\b/.test(errors)
  return { names, modules: names || /\bModuleNotFoundError\b/.test(errors) }
}

// Which distribution the other repository means, and in which version.

const requirements =
  /^(?:requirements.*\.(?:txt|in)|pyproject\.toml|setup\.cfg|setup\.py|Pipfile|environment\.ya?ml|constraints.*\.txt)$/

async function isMeant({ shape }: BrokenExport, use: PackageUse, tree: SourceTree): Promise<boolean> {
  const world = await worldOf(tree)
  const lists = await listsAbove(world, use.path)
  if (someLine(await world.texts(lists), nameMatcher(shape.package))) return true
  // What examples and tools need is rarely in a list.
  if (lists.length > 0 && !neverInstalled.test(use.path.split('/', 1)[0] ?? '')) return false
  const top = use.shape.target.split('.', 1)[0] ?? ''
  return world.paths.named('__init__.py').every((path) => !`/${path}`.endsWith(`/${top}/__init__.py`))
}

async function listsAbove(world: World, path: string): Promise<string[]> {
  const near = manifestsAbove(world, path, (name) => requirements.test(name))
  const folders = foldersAbove(path).flatMap((folder) =>
    world.paths.filesIn(inFolder(folder, 'requirements')).filter((file) => /\.(?:txt|in)$/.test(file)),
  )
  return [...near, ...folders].slice(0, 40)
}

/** Names of distributions are compared without case, and `-`, `_` and `.` are one. */
function nameMatcher(name: string, before = ''): RegExp {
  const spelled = name.split(/[-_.]+/).join('[-_.]+')
  return new RegExp(`${before}(?<![\\w.-])${spelled}(?![\\w-])`, 'i')
}

async function pin({ shape }: BrokenExport, use: PackageUse, tree: SourceTree): Promise<Pin | null> {
  const world = await worldOf(tree)
  const locks = manifestsAbove(world, use.path, (name) => /^(?:poetry|uv|pdm|Pipfile)\.lock$/.test(name))
  for (const path of locks) {
    const named = path.endsWith('Pipfile.lock')
      ? nameMatcher(shape.package, '^\\s*"')
      : nameMatcher(shape.package, '^name\\s*=\\s*"')
    const found = pinIn(path, (await world.text(path)) ?? '', named, /"?version"?\s*[=:]\s*"(?:==)?([^"]+)"/)
    if (found) return found
  }
  for (const path of await listsAbove(world, use.path)) {
    const text = (await world.text(path)) ?? ''
    const named = nameMatcher(shape.package)
    const lines = text.split('\n')
    const index = lines.findIndex((line) => named.test(line) && !/^\s*(?:#|name\b)/.test(line))
    const version = /(?:===?|~=|>=|<=|\^|=\s*"[\^~]?)\s*"?(\d[\w.*+!-]*)/.exec(lines[index] ?? '')
    if (version?.[1] !== undefined)
      return {
        version: (lines[index] ?? '').includes('==') ? version[1] : version[0].trim(),
        path,
        line: index + 1,
      }
  }
  return null
}
