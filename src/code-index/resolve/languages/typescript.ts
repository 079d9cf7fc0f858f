/** Names in TypeScript and JavaScript: scopes, imports, re-exports, members of classes and interfaces. */
import { folderOf, isDeclarationFile } from '../../../base/file-paths.ts'
import { itemsBy } from '../../../base/grouped.ts'
import type { ExportFact, FileFacts, ImportFact } from '../../contract.ts'
import type { Definition, Hop, Language, Meaning, Module, UseSite, World } from '../contract.ts'
import { decidesAtRunTime } from '../hidden-exports.ts'
import { isLost } from '../look-ups.ts'
import { nestedDefinitions, writtenBases } from '../scopes.ts'
import {
  askedBy,
  basesOf,
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
import { joinPath, remembered } from '../world.ts'
import { expectedMembers } from './typescript-expected.ts'
import {
  asksForAnother,
  entryTargets,
  internalTargets,
  matchStar,
  pathMappingFor,
  type WorkspacePackage,
  workspacePackages,
} from './typescript-packages.ts'

export const typescript: Language = {
  ids: ['typescript', 'tsx', 'javascript'],
  selfWords: { this: 'instance', super: 'super' },
  constructorName: (type) => (type.kind === 'class' ? 'constructor' : null),
  implicitConstructor: true,
  callMakes: false,
  bareMembers: false,
  inheritsOverloads: false,
  name,
  imported: (world, place, fact) => importedFrom(world, place.path, fact, []),
  wholeModule,
  moduleMember: (world, module, member) => exportedName(world, module.path, member),
  async ownMembers(_world, { path, facts, index }, member) {
    return symbolsIn(path, facts, fullName(symbolOf({ path, facts, index })), member)
  },
  baseTypes,
  keyed: (world, place, reference) => expectedMembers(typescript, world, place, reference),
}

async function name(world: World, place: UseSite, word: string): Promise<Meaning> {
  const facts = await world.facts(place.path)
  const nested = nestedDefinitions(facts, place, word)
  if (nested.length > 0) return defined(nested)
  const [fact, ...more] = importsAs(place.facts, word).filter((candidate) => !candidate.reexport)
  // `const { parse } = await import('./a.js')` in one branch, and from another file in the next.
  if (more.some(({ source }) => source !== fact?.source)) return unknown('imported from several files')
  if (fact) return importedFrom(world, place.path, fact, [])
  const own = facts ? symbolsIn(place.path, facts, '', word) : []
  if (own.length > 0) return defined(own)
  return place.facts.errorLines.length > 0 ? unknown('the file does not parse') : missing('name', place.path)
}

async function baseTypes(
  world: World,
  type: Definition,
): Promise<{ types: readonly Definition[]; open: boolean }> {
  const symbol = symbolOf(type)
  const bases = await writtenBases(typescript, world, type, new Set())
  // What an alias of anything but an object stands for is not in the facts.
  const opaque = symbol.kind === 'type' && !/=\s*$|=\s*\{/.test(symbol.signature.text)
  // A base that is computed, or cast, has no name in the facts.
  const computed =
    basesOf(type).length === 0 && /(?:>|\bclass [\w$]{1,200})\s{0,20}extends\b/.test(symbol.signature.text)
  return { types: bases.types, open: bases.open || opaque || computed }
}

const exportedAs = ({ exported }: ExportFact) => exported

// What a module offers under a name, through re-exports of any length.

const longestChain = 24

async function exportedName(world: World, path: string, name: string): Promise<Meaning> {
  return follow(world, path, name, [])
}

const wholeExport = /\bmodule\s*\.\s*exports\s*=|\bexport\s*=/

/** `const load = require('./load')`, where that file says `module.exports = load`. */
async function wholeModule(world: World, { path }: Module, hops: readonly Hop[]): Promise<Meaning | null> {
  const whole = itemsBy((await world.facts(path))?.exports ?? [], exportedAs, 'default')[0]
  const line = whole ? (await world.text(path))?.split('\n')[whole.line - 1] : undefined
  if (line === undefined || !wholeExport.test(line)) return null
  const meaning = await follow(world, path, 'default', hops)
  return meaning.kind === 'defined' ? meaning : null
}

/** What a specifier and a name in it mean in the file at `from`. */
async function importedFrom(
  world: World,
  from: string,
  fact: ImportFact,
  hops: readonly Hop[],
): Promise<Meaning> {
  const found = await findModule(world, from, fact.source)
  if (found.kind === 'external') return unknown('another package')
  if (found.kind === 'missing') return askedBy(missing('module', found.path), from)
  if (!/\.[cm]?[jt]sx?$/.test(found.path)) return unknown('not a module of code')
  if (fact.imported === '*') return { kind: 'module', module: { path: found.path, name: '*' }, hops }
  const meaning = askedBy(await follow(world, found.path, fact.imported, hops), from)
  if (meaning.kind === 'missing' && isDeclarationFile(meaning.where) && isJavaScript(from))
    return unknown('JavaScript runs the code, of which the declarations may not tell all')
  // Which source a package is built from, under which conditions, and in which version, is a guess.
  return meaning.kind === 'missing' && found.isGuess ? { ...meaning, certainty: 'likely' } : meaning
}

async function follow(world: World, path: string, name: string, hops: readonly Hop[]): Promise<Meaning> {
  // A circle of stars adds nothing that was not found on the way.
  if (hops.length > longestChain || hops.some((hop) => hop.path === path && hop.name === name))
    return missing('export', path, 'likely')
  if (isLost(world, hops)) return unknown('too many ways lead there')
  const facts = await world.facts(path)
  if (!facts) return unknown('the module could not be read')
  const trail = [...hops, { path, name }]
  const how = hops.length === 0 ? 'import' : 're-export chain'

  const reexport = importsAs(facts, name).find((fact) => fact.reexport)
  if (reexport) return importedFrom(world, path, reexport, trail)
  for (const { local } of itemsBy(facts.exports, exportedAs, name)) {
    const own = symbolsIn(path, facts, '', local)
    if (own.length > 0) return defined(own, { how, hops: trail })
    const handedOn = importsAs(facts, local)[0]
    return handedOn ? importedFrom(world, path, handedOn, trail) : unknown('exported, but not declared here')
  }
  // A declaration file offers what it declares, with the word or without.
  const declared = isDeclarationFile(path) ? symbolsIn(path, facts, '', name) : []
  return declared.length > 0
    ? defined(declared, { how, hops: trail })
    : throughStars(world, path, facts, name, trail)
}

async function throughStars(
  world: World,
  path: string,
  facts: FileFacts,
  name: string,
  trail: readonly Hop[],
): Promise<Meaning> {
  let doubt: Meaning | null = null
  const stars = starImports(facts).filter(({ reexport }) => reexport)
  if (stars.length > mostStars) return unknown('too many wildcard exports')
  for (const star of stars) {
    // `export *` leaves the default export out.
    if (name === 'default') break
    const found = await findModule(world, path, star.source)
    if (found.kind === 'missing') {
      // A star whose file the change removed exports nothing; one that was never here may be generated.
      if (!wasHere(world, found.path)) doubt ??= unknown('re-exports a file that is not here')
      continue
    }
    const meaning =
      found.kind === 'file'
        ? await follow(world, found.path, name, trail)
        : unknown('re-exports another package')
    if (meaning.kind === 'defined' || meaning.kind === 'module') return meaning
    if (meaning.kind === 'unknown') doubt ??= meaning
    // It offers the name, from a file that is not here.
    else if (meaning.missing === 'module')
      if (wasHere(world, meaning.where)) return meaning
      else doubt ??= unknown('re-exports a file that is not here')
    else if (found.kind === 'file' && found.isGuess) doubt ??= unknown('re-exports another package')
    else if (await mayHide(world, meaning.where, name))
      doubt ??= unknown('re-exports a file that could not be parsed in full')
  }
  if (doubt) return doubt
  if (!offersAnything(facts)) return unknown('not an ES module')
  const text = await world.text(path)
  if (text !== null && decidesAtRunTime(facts, text)) return unknown('it decides at run time what it exports')
  if (isDeclarationFile(path) && facts.symbols.some(({ kind, scope }) => kind === 'module' && scope === ''))
    return unknown('it declares modules, whose names other files may add')
  return missing('export', path, facts.errorLines.length > 0 ? 'likely' : 'certain')
}

/** Where the grammar failed on a file that holds the word, a definition of it may be what was not read. */
async function mayHide(world: World, path: string, name: string): Promise<boolean> {
  const facts = await world.facts(path)
  return (facts?.errorLines.length ?? 0) > 0 && ((await world.text(path)) ?? '').includes(name)
}

/** The change removed the file: a path without its ending, or a folder with an index. */
function wasHere({ changed }: World, path: string): boolean {
  return changed.some((one) => withoutEnding(one) === withoutEnding(path) || one.startsWith(`${path}/index.`))
}

function withoutEnding(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
}

/** A script without exports may fill `module.exports` in ways the text does not tell. */
function offersAnything(facts: FileFacts): boolean {
  return facts.exports.length > 0 || facts.imports.length > 0 || facts.language !== 'javascript'
}

// Which file a module specifier stands for.

type FoundModule =
  | { kind: 'file'; path: string; isGuess?: true }
  /** A path inside this repository at which there is no file. */
  | { kind: 'missing'; path: string }
  /** Another package, a built-in, or something only a bundler understands. */
  | { kind: 'external' }

const endings = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.d.mts', '.d.cts', '.js', '.jsx', '.mjs', '.cjs']

function findModule(world: World, from: string, specifier: string): Promise<FoundModule> {
  // Only the folder of the importing file counts.
  return remembered(world, world, 'module', `${specifier}\n${folderOf(from)}`, () =>
    lookUp(world, from, specifier),
  )
}

async function lookUp(world: World, from: string, specifier: string): Promise<FoundModule> {
  const clean = specifier.split(/[?#]/, 1)[0] || specifier
  if (/^\.{0,2}\//.test(clean) || clean === '.' || clean === '..') return relativeModule(world, from, clean)
  const mapped = await mappedModule(world, from, clean)
  const own = await packageModule(world, from, specifier)
  if (mapped?.kind !== 'file') return mapped ?? own ?? { kind: 'external' }
  // The mapping is the compiler's: a bundler may have another one for scripts, and for what a package here is called.
  const isGuess = isJavaScript(from) || (own?.kind === 'file' && own.path !== mapped.path)
  return isGuess ? { ...mapped, isGuess } : mapped
}

const isJavaScript = (path: string): boolean => /\.[cm]?jsx?$/.test(path)

/** The file at a path whose ending may be left out, be that of the built file, or be a folder's index. */
function fileAt(world: World, path: string): string | null {
  const { paths } = world
  const swapped = swappedEndings(path)
  const candidates = [
    ...(paths.has(path) && /\.\w+$/.test(path) ? [path] : []),
    ...swapped,
    ...endings.map((ending) => path + ending),
    ...endings.map((ending) => (path === '' ? `index${ending}` : `${path}/index${ending}`)),
  ]
  // A built file that is committed beside its source is the copy, not the original.
  const source = candidates.find((candidate) => /\.[cm]?tsx?$/.test(candidate) && paths.has(candidate))
  return source ?? candidates.find((candidate) => paths.has(candidate)) ?? null
}

async function relativeModule(world: World, from: string, specifier: string): Promise<FoundModule> {
  // An absolute path means the root of a web server, which is anywhere.
  const path = specifier.startsWith('/') ? null : joinPath(folderOf(from), specifier)
  if (path === null) return { kind: 'external' }
  const file = fileAt(world, path)
  // A folder that is a package offers what its manifest names; an index only where that names nothing.
  const pack = file === null || folderOf(file) === path ? await packageIn(world, path) : undefined
  const entry = pack && firstFile(world, entryTargets(pack, '.'))
  return entry ?? (file === null ? { kind: 'missing', path } : { kind: 'file', path: file })
}

async function packageIn(world: World, folder: string): Promise<WorkspacePackage | undefined> {
  const packages = await workspacePackages(world)
  return [...packages.values()].find((pack) => pack.folder === folder)
}

async function mappedModule(world: World, from: string, specifier: string): Promise<FoundModule | null> {
  const { baseUrl, paths } = await pathMappingFor(world, from)
  let firstTried: string | null = null
  // The longest prefix wins, as the compiler has it.
  const byLength = paths.toSorted((a, b) => b.pattern.indexOf('*') - a.pattern.indexOf('*'))
  for (const { pattern, targets } of byLength) {
    const star = matchStar(pattern, specifier)
    if (star === null) continue
    for (const target of targets) {
      const path = target.replace('*', () => star)
      const file = fileAt(world, path)
      if (file !== null) return { kind: 'file', path: file }
      if (pattern !== '*') firstTried ??= path
    }
    break
  }
  const plain = baseUrl === null ? null : joinPath(baseUrl, specifier)
  const file = plain === null ? null : fileAt(world, plain)
  if (file !== null) return { kind: 'file', path: file }
  return firstTried === null ? null : { kind: 'missing', path: firstTried }
}

async function packageModule(world: World, from: string, specifier: string): Promise<FoundModule | null> {
  const packages = await workspacePackages(world)
  if (specifier.startsWith('#')) {
    const own = ownPackage(packages, from)
    return own && firstFile(world, internalTargets(own, specifier))
  }
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''
  const pack = packages.get(name)
  if (!pack) return null
  if (asksForAnother(ownPackage(packages, from), pack)) return { kind: 'external' }
  const rest = specifier.slice(name.length)
  return firstFile(world, entryTargets(pack, rest === '' ? '.' : `.${rest}`))
}

function firstFile(world: World, targets: readonly string[]): FoundModule | null {
  for (const target of targets) {
    const path = fileAt(world, target)
    if (path !== null && /\.[cm]?[jt]sx?$/.test(path)) return { kind: 'file', path, isGuess: true }
  }
  return null
}

function ownPackage(packages: ReadonlyMap<string, WorkspacePackage>, from: string): WorkspacePackage | null {
  let best: WorkspacePackage | null = null
  for (const pack of packages.values()) {
    const inside = pack.folder === '' || from.startsWith(`${pack.folder}/`)
    if (inside && (best === null || pack.folder.length > best.folder.length)) best = pack
  }
  return best
}

/** `x.js` may be written for `x.ts`, and so on. */
function swappedEndings(path: string): string[] {
  const match = /^(.*)\.([cm]?)jsx?$/.exec(path)
  if (!match) return []
  const [, stem = '', letter = ''] = match
  return [`${stem}.${letter}ts`, `${stem}.${letter}tsx`, `${stem}.d.${letter}ts`]
}
