/** npm: packages by `package.json`, their entry points, and imports of TypeScript and JavaScript. */

import {
  fileNameOf,
  folderOf,
  isDeclarationFile,
  isTestPath,
  isVendoredPath,
} from '../../../../base/file-paths.ts'
import { firstBy } from '../../../../base/grouped.ts'
import { trimTrailing } from '../../../../base/trim-text.ts'
import type { FileFacts, ImportFact } from '../../../../code-index/contract.ts'
import { isScript } from '../../../../code-index/language-of.ts'
import type { Language, World } from '../../../../code-index/resolve/contract.ts'
import { fillsAtRunTime } from '../../../../code-index/resolve/hidden-exports.ts'
import { resolverOf } from '../../../../code-index/resolve/languages/registry.ts'
import { parseJsonObject } from '../../../../code-index/resolve/languages/typescript-packages.ts'
import type { Pin, SourceFile, SourceTree } from '../../../contract.ts'
import { placeAt } from '../../../places.ts'
import { worldOf } from '../../tree-world.ts'
import type { BrokenExport, Ecosystem, PackageUse, ProvidedExport } from '../contract.ts'
import { escaped, foldersAbove, inFolder, lineWith, manifestsAbove, pinIn } from '../manifests.ts'
import { mostNames, namesDefinedIn, packageEntry, surfaceOf } from '../surface.ts'
import { plainImport } from '../use-list.ts'
import { type ImportTarget, usesOf } from '../uses.ts'

const id = 'npm'
const code = /\.(?:[cm]?[jt]sx?)$/
const manifest = /(?:^|\/)package\.json$/

/** Entry points of one package, and files that stars lead through. */
const mostEntries = 200
const mostFiles = 300

export const npm: Ecosystem = {
  id,
  mayProvide: (path) =>
    (code.test(path) || manifest.test(path)) && !isVendoredPath(path) && !isTestPath(path),
  mayUse: (path) => (code.test(path) || manifest.test(path)) && !isVendoredPath(path),
  provided,
  uses,
  isMeant,
  pin,
  refusesMissing,
}

type Package = { name: string; folder: string; json: Record<string, unknown>; path: string; text: string }

async function provided(world: World, changed: readonly string[]): Promise<ProvidedExport[]> {
  const language = resolverOf('typescript')
  if (!language) return []
  const found: ProvidedExport[] = []
  for (const pack of await packagesOf(world, changed)) {
    const keys = [`npm:${pack.name}`]
    const base = { ecosystem: id, package: pack.name, keys }
    const own = changed.filter((path) => pack.folder === '' || path.startsWith(`${pack.folder}/`))
    const line = lineWith(pack.text, /^\s*"name"\s*:/) ?? 1
    found.push(packageEntry(id, { ...pack, line }, keys, await namesDefinedIn(world, own)))
    let left = mostNames
    for (const entry of (await entriesOf(world, language, pack, own)).slice(0, mostEntries)) {
      const offered = entry.path === null ? null : await namesOf(world, language, entry.path)
      const surface = await surfaceOf(language, world, {
        ...base,
        ...entry,
        place: placeAt(pack.path, entry.line ?? line),
        names: [...(offered?.names ?? [])].slice(0, left),
        isOpen: offered?.isOpen ?? true,
        also: [],
        inner: [],
        isCommand: entry.command !== null,
        ...(entry.command === null ? {} : { keys: [commandKey(entry.command)] }),
      })
      left -= surface.length
      found.push(...surface)
    }
  }
  return found
}

/** Published ones only: what is private reaches no other repository by its name. */
async function packagesOf(world: World, changed: readonly string[]): Promise<Package[]> {
  const paths = new Set<string>()
  for (const path of changed) {
    const [near] = foldersAbove(path)
      .map((folder) => inFolder(folder, 'package.json'))
      .filter((one) => world.paths.has(one))
    if (near !== undefined && !isVendoredPath(near) && !isTestPath(near)) paths.add(near)
  }
  const found: Package[] = []
  for (const [path, text] of await world.texts([...paths].sort())) {
    const json = parseJsonObject(text)
    const name = json?.name
    if (json && typeof name === 'string' && name !== '' && name.length < 200 && json.private !== true)
      found.push({ name, folder: folderOf(path), json, path, text })
  }
  return found
}

type Entry = { name: string; path: string | null; line: number | null; command: string | null }

async function entriesOf(
  world: World,
  language: Language,
  pack: Package,
  changed: readonly string[],
): Promise<Entry[]> {
  const subpaths = subpathsOf(pack.json)
  const found: Entry[] = []
  const add = async (subpath: string): Promise<void> => {
    const path = await fileBehind(world, language, pack, subpath)
    const key = subpath === '.' ? /^\s*"(?:exports|main)"\s*:/ : new RegExp(`^\\s*"${escaped(subpath)}"\\s*:`)
    found.push({ name: specifierOf(pack, subpath), path, line: lineWith(pack.text, key), command: null })
  }
  for (const subpath of subpaths ?? ['.']) if (!subpath.includes('*')) await add(subpath)
  for (const pattern of (subpaths ?? []).filter((one) => one.includes('*')))
    for (const subpath of await matching(world, language, pack, pattern, changed)) await add(subpath)
  // Without `exports` any file can be imported by its path.
  if (subpaths === null)
    for (const path of changed) {
      if (!/\.[cm]?js$/.test(path) || !world.paths.has(path) || isTestPath(path)) continue
      const inside = pack.folder === '' ? path : path.slice(pack.folder.length + 1)
      if (inside.startsWith('src/') || !isPublished(pack.json, inside)) continue
      for (const name of [inside, inside.replace(/\.js$/, '')])
        found.push({ name: `${pack.name}/${name}`, path, line: null, command: null })
    }
  for (const name of commandsOf(pack)) {
    const line = lineWith(pack.text, new RegExp(`"(?:bin|${escaped(name)})"\\s*:`))
    found.push({ name, path: null, line, command: name })
  }
  return firstBy(found, ({ name, command }) => JSON.stringify([name, command]))
}

/** Of `exports`; null where the package has none. */
function subpathsOf({ exports }: Record<string, unknown>): string[] | null {
  if (exports === undefined || exports === null) return null
  if (typeof exports !== 'object' || Array.isArray(exports)) return ['.']
  const keys = Object.keys(exports)
  if (!keys.some((key) => key.startsWith('.'))) return ['.']
  const closed = new Set(Object.entries(exports).flatMap(([key, value]) => (value === null ? [key] : [])))
  return keys.filter((key) => key.startsWith('.') && !closed.has(key) && key !== './package.json')
}

function isPublished({ files }: Record<string, unknown>, path: string): boolean {
  if (!Array.isArray(files)) return true
  return files.some((one) => {
    const folder =
      typeof one === 'string' ? trimTrailing((one.split('*', 1)[0] ?? '').replace(/^\.?\//, ''), '/') : null
    return folder !== null && (folder === '' || path === folder || path.startsWith(`${folder}/`))
  })
}

function commandsOf({ name, json: { bin } }: Package): string[] {
  if (typeof bin === 'string') return [name.slice(name.indexOf('/') + 1)]
  return bin !== null && typeof bin === 'object' && !Array.isArray(bin) ? Object.keys(bin).slice(0, 50) : []
}

function commandKey(command: string): string {
  return `npm command:${command}`
}

function specifierOf({ name }: Package, subpath: string): string {
  return subpath === '.' ? name : `${name}/${subpath.replace(/^\.\//, '')}`
}

async function fileBehind(
  world: World,
  language: Language,
  pack: Package,
  subpath: string,
): Promise<string | null> {
  const from = { path: pack.path, facts: noFacts, enclosing: null, text: null }
  const meaning = await language.imported(world, from, starOf(specifierOf(pack, subpath)))
  const path = meaning.kind === 'module' ? meaning.module.path : null
  // Another package of the repository may have the name, when it was copied.
  return path !== null && (pack.folder === '' || path.startsWith(`${pack.folder}/`)) ? path : null
}

function starOf(source: string): ImportFact {
  return { line: 1, source, imported: '*', local: null, reexport: true, typeOnly: false }
}

const noFacts: FileFacts = {
  language: 'typescript',
  symbols: [],
  parents: [],
  references: [],
  imports: [],
  exports: [],
  typedNames: [],
  supertypes: [],
  packageName: null,
  otherPackages: [],
  errorLines: [],
  lineCount: 1,
}

/** Subpaths that a pattern offers, as far as changed files are behind them. */
async function matching(
  world: World,
  language: Language,
  pack: Package,
  pattern: string,
  changed: readonly string[],
): Promise<string[]> {
  const found: string[] = []
  for (const path of changed) {
    if (!code.test(path) || !world.paths.has(path) || found.length >= mostEntries) continue
    const inside = path
      .slice(pack.folder === '' ? 0 : pack.folder.length + 1)
      .replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
    const parts = inside.replace(/\/index$/, '').split('/')
    for (let from = 0; from < parts.length; from++) {
      const subpath = pattern.replace('*', () => parts.slice(from).join('/'))
      if ((await fileBehind(world, language, pack, subpath)) !== path) continue
      found.push(subpath)
      break
    }
  }
  return found
}

/** All names that a module offers. `isOpen`: it passes on what cannot be read. */
async function namesOf(
  world: World,
  language: Language,
  entry: string,
): Promise<{ names: ReadonlySet<string>; isOpen: boolean }> {
  const names = new Set<string>()
  const seen = new Set<string>()
  let isOpen = false
  const waiting = [{ path: entry, isEntry: true }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, isEntry } = next
    if (seen.has(path)) continue
    seen.add(path)
    const [facts, text] = [await world.facts(path), await world.text(path)]
    if (!facts || text === null || seen.size > mostFiles) {
      isOpen = true
      continue
    }
    isOpen ||= facts.errorLines.length > 0 || mayOfferMore(facts, text)
    for (const name of ownNames(path, facts)) if (isEntry || name !== 'default') names.add(name)
    for (const fact of facts.imports) {
      if (!fact.reexport || fact.local !== null) continue
      const meaning = await language.imported(world, { path, facts, enclosing: null, text: null }, fact)
      if (meaning.kind === 'module') waiting.push({ path: meaning.module.path, isEntry: false })
      else isOpen = true
    }
  }
  return { names, isOpen }
}

function ownNames(path: string, facts: FileFacts): string[] {
  const passed = facts.imports.flatMap(({ reexport, local }) => (reexport && local !== null ? [local] : []))
  const declared = isDeclarationFile(path)
    ? facts.symbols.filter(({ scope, kind }) => scope === '' && kind !== 'module').map(({ name }) => name)
    : []
  return [...facts.exports.map(({ exported }) => exported), ...passed, ...declared]
}

/** CommonJS that only assigns names and objects of names offers what it says. */
function mayOfferMore(facts: FileFacts, text: string): boolean {
  if (facts.exports.length === 0 && facts.imports.length === 0 && facts.language === 'javascript') return true
  const plain =
    /\b(?:module\.)?exports\.[\w$]+\s{0,4}=(?!=)|\bmodule\.exports\s{0,4}=\s{0,4}(?:[\w$]+\s{0,4}(?:;|\n|$)|\{[^{}]{0,20000}\})/g
  return fillsAtRunTime(text.replace(plain, (whole) => (whole.includes('...') ? whole : ' ')))
}

// Uses.

function uses(file: SourceFile): PackageUse[] {
  if (manifest.test(file.path)) return commandUses(file)
  if (!file.facts || !isScript(file.facts.language)) return []
  return usesOf(id, { ...file, facts: file.facts }, targetOf)
}

function targetOf({ source, imported }: ImportFact): ImportTarget | null {
  const name = /^(?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*/i.exec(source)?.[0]
  if (name === undefined || name.length > 200 || /^[a-z]+:/i.test(source)) return null
  if (name.length < source.length && source[name.length] !== '/') return null
  const module = trimTrailing(source, '/')
  return { key: `npm:${name}`, package: name, module, symbol: imported === '*' ? null : imported }
}

const npxWords = /^(?:npx|pnpm|yarn|bunx|exec|dlx|run|-\S+|cross-env|\w+=\S*)$/

/** The commands of the scripts in a `package.json`. */
function commandUses({ path, text }: SourceFile): PackageUse[] {
  const scripts = parseJsonObject(text)?.scripts
  if (scripts === null || typeof scripts !== 'object' || Array.isArray(scripts)) return []
  const found: PackageUse[] = []
  for (const [script, value] of Object.entries(scripts).slice(0, 200)) {
    if (typeof value !== 'string' || value.length > 2_000) continue
    const line = lineWith(text, new RegExp(`^\\s*"${escaped(script)}"\\s*:`)) ?? 1
    for (const part of value.split(/&&|\|\|?|;/)) {
      const word = part
        .trim()
        .split(/\s+/)
        .find((one) => !npxWords.test(one))
      if (word === undefined || !/^[\w.-]+$/.test(word)) continue
      const how = `the command of the script \`${script}\``
      const shape = { ...plainImport, ecosystem: id, target: word, by: 'module' } as const
      found.push({ ...placeAt(path, line), key: commandKey(word), name: word, how, shape })
    }
  }
  return found
}

/** `import` of a missing name or module fails to load, and TypeScript refuses whatever is not there. */
function refusesMissing(file: SourceFile, { shape }: PackageUse): boolean {
  if (manifest.test(file.path) || isRequired(file, shape.target)) return false
  return isTypeScript(file) || (shape.role === 'import' && !/\.cjs$/.test(file.path))
}

function isTypeScript({ path }: SourceFile): boolean {
  return /\.[cm]?tsx?$/.test(path)
}

/** `const { connect } = require('…')` gives `undefined` for what is not there. */
function isRequired({ facts, text }: SourceFile, target: string): boolean {
  const [module = '', symbol] = target.split('#')
  const fact = facts?.imports.find((one) => one.source === module && one.imported === (symbol ?? '*'))
  if (!fact) return false
  return /\b(?:require|import)\s*\(/.test(text.split('\n')[fact.line - 1] ?? '')
}

// Which package the other repository means, and in which version.

const dependencyFields = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
] as const

async function isMeant({ shape }: BrokenExport, use: PackageUse, tree: SourceTree): Promise<boolean> {
  const world = await worldOf(tree)
  const isOwn = await world.once(`npm own ${shape.package}`, async () => {
    const paths = world.paths.named('package.json').filter((path) => !isVendoredPath(path))
    const texts = await world.texts(paths.slice(0, 500))
    return [...texts.values()].some((text) => parseJsonObject(text)?.name === shape.package)
  })
  if (isOwn) return false
  const paths = manifestsAbove(world, use.path, (name) => name === 'package.json')
  if (paths.length === 0) return true
  const texts = await world.texts(paths)
  return [...texts.values()].some((text) => rangeIn(text, shape.package) !== null)
}

function rangeIn(text: string, name: string): string | null {
  const json = parseJsonObject(text)
  for (const field of dependencyFields) {
    const listed = json?.[field]
    if (listed === null || typeof listed !== 'object' || Array.isArray(listed)) continue
    const range = (listed as Record<string, unknown>)[name]
    if (typeof range === 'string') return range
  }
  return null
}

async function pin({ shape }: BrokenExport, use: PackageUse, tree: SourceTree): Promise<Pin | null> {
  const world = await worldOf(tree)
  const name = escaped(shape.package)
  const locks: Readonly<Record<string, [named: RegExp, version: RegExp]>> = {
    'package-lock.json': [
      new RegExp(`^\\s*"(?:node_modules/)?${name}"\\s*:\\s*\\{`),
      /"version"\s*:\s*"([^"]+)"/,
    ],
    'pnpm-lock.yaml': [new RegExp(`^\\s+['"]?/?${name}['"]?[@:/]`), /(?:@|version:\s*|\/)(\d[^\s:('"]*)/],
    'yarn.lock': [new RegExp(`^"?${name}@`), /^\s+version:?\s+"?([^"\s]+)/],
  }
  for (const path of manifestsAbove(world, use.path, (one) => locks[one] !== undefined)) {
    const lock = locks[fileNameOf(path)]
    const found = lock ? pinIn(path, (await world.text(path)) ?? '', ...lock) : null
    if (found) return found
  }
  for (const path of manifestsAbove(world, use.path, (one) => one === 'package.json')) {
    const text = (await world.text(path)) ?? ''
    const range = rangeIn(text, shape.package)
    const line = lineWith(text, new RegExp(`^\\s*"${name}"\\s*:\\s*"`))
    if (range !== null) return { version: range, path, line: line ?? 1 }
  }
  return null
}
