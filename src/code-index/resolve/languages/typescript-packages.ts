/** The packages of the repository itself, by name, and which source file an entry of theirs stands for. */
import { type ParseError, parse } from 'jsonc-parser'
import { folderOf } from '../../../base/file-paths.ts'
import type { World } from '../contract.ts'
import { joinPath } from '../world.ts'

export type WorkspacePackage = { name: string; folder: string; json: Record<string, unknown> }

const mostPackages = 3_000

export function workspacePackages(world: World): Promise<ReadonlyMap<string, WorkspacePackage>> {
  return world.once('workspace packages', async () => {
    const paths = world.paths
      .named('package.json')
      .filter((path) => !/(^|\/)node_modules\//.test(path))
      .slice(0, mostPackages)
    const found = new Map<string, WorkspacePackage>()
    for (const [path, text] of await world.texts(paths)) {
      const json = parseJsonObject(text)
      const name = json?.name
      if (json && typeof name === 'string' && !found.has(name))
        found.set(name, { name, folder: folderOf(path), json })
    }
    return found
  })
}

/** Paths, best first, that `subpath` ('.' or './x') of a package may stand for, as written, before any mapping. */
export function entryTargets(pack: WorkspacePackage, subpath: string): string[] {
  const { json, folder } = pack
  const offered =
    isObject(json.exports) || typeof json.exports === 'string' ? exported(json.exports, subpath) : []
  const main =
    subpath === '.'
      ? [json.source, json.types, json.typings, json.module, json.main].filter((at) => typeof at === 'string')
      : []
  const usual =
    subpath === '.'
      ? ['src/index', 'index', 'src/main', 'lib/index']
      : [subpath, `src/${subpath}`, `src/${subpath}/index`]
  return [...offered, ...main, ...usual].flatMap((target) => {
    const path = joinPath(folder, target)
    return path === null ? [] : sources(path, folder)
  })
}

/** Whether a package wants another version than the one that is here, which then comes from a registry. */
export function asksForAnother(own: WorkspacePackage | null, wanted: WorkspacePackage): boolean {
  const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
  const range = lists.flatMap((list) => {
    const named = own?.json[list]
    return isObject(named) && typeof named[wanted.name] === 'string' ? [String(named[wanted.name])] : []
  })[0]
  const [, mark, ...asked] = /^([\^~]?)(\d+)\.(\d+)\.(\d+)(-.*)?$/.exec(range ?? '') ?? []
  const [, ...here] = /^(\d+)\.(\d+)\.(\d+)(-.*)?$/.exec(String(wanted.json.version)) ?? []
  if (asked.length === 0 || here.length === 0) return false
  const fixed = mark === '' ? asked.length : mark === '^' && asked[0] !== '0' ? 1 : 2
  return asked.slice(0, fixed).some((part, at) => part !== here[at])
}

/** What `#name` stands for inside a package. */
export function internalTargets(pack: WorkspacePackage, specifier: string): string[] {
  const targets = isObject(pack.json.imports) ? exported(pack.json.imports, specifier) : []
  return targets.flatMap((target) => {
    const path = target.startsWith('.') ? joinPath(pack.folder, target) : null
    return path === null ? [] : sources(path, pack.folder)
  })
}

function exported(entries: unknown, subpath: string): string[] {
  if (typeof entries === 'string') return subpath === '.' ? [entries] : []
  if (!isObject(entries)) return []
  // Before the keys are listed: of a package with thousands of entries each is asked for.
  if (/^[.#]/.test(subpath) && Object.hasOwn(entries, subpath)) return strings(entries[subpath], 0)
  const keys = Object.keys(entries)
  if (!keys.some((key) => /^[.#]/.test(key))) return subpath === '.' ? strings(entries, 0) : []
  return keys
    .filter((key) => key.includes('*'))
    .flatMap((key) => {
      const star = matchStar(key, subpath)
      return star === null ? [] : strings(entries[key], 0).map((target) => target.replace('*', () => star))
    })
}

/** Every path below, whatever the conditions: they differ in format, not in what they stand for. */
function strings(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && depth < 6) return value.flatMap((inner) => strings(inner, depth + 1))
  return isObject(value) && depth < 6
    ? Object.values(value).flatMap((inner) => strings(inner, depth + 1))
    : []
}

/** The built file's likely source: `dist/x.js` → `src/x`. The written path itself comes first. */
function sources(path: string, folder: string): string[] {
  const inside = folder === '' ? path : path.slice(folder.length + 1)
  const stem = inside.replace(/(\.d)?\.[cm]?[jt]sx?$/, '')
  const built = /^(?:\.\/)?(?:dist|build|lib|out|esm|cjs)\/(?:(?:esm|cjs|es|types|umd)\/)*(.*)$/s.exec(
    stem,
  )?.[1]
  const guesses = built === undefined ? [inside, stem] : [inside, `src/${built}`, built]
  return guesses.flatMap((guess) => joinPath(folder, guess) ?? [])
}

// `paths` and `baseUrl` of the tsconfig.json or jsconfig.json nearest above a file.

type PathMapping = {
  /** Folder that bare names may start from; null when there is none. */
  baseUrl: string | null
  /** `@/*` → folders or files, already relative to the root. */
  paths: readonly { pattern: string; targets: readonly string[] }[]
}

const none: PathMapping = { baseUrl: null, paths: [] }
const deepestExtends = 5

export async function pathMappingFor(world: World, path: string): Promise<PathMapping> {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const config = folder === '' ? name : `${folder}/${name}`
      if (world.paths.has(config))
        return world.once(`tsconfig ${config}`, () => readMapping(world, config, 0))
    }
    if (folder === '') return none
  }
}

async function readMapping(world: World, config: string, depth: number): Promise<PathMapping> {
  const json = parseJsonObject((await world.text(config)) ?? '')
  if (!json || depth > deepestExtends) return none
  const folder = folderOf(config)
  const options = isObject(json.compilerOptions) ? json.compilerOptions : {}
  const baseUrl = typeof options.baseUrl === 'string' ? joinPath(folder, options.baseUrl) : null
  const written = isObject(options.paths) ? options.paths : null
  const inherited =
    written && baseUrl !== null ? none : await inheritedMapping(world, folder, json.extends, depth)
  return {
    baseUrl: baseUrl ?? inherited.baseUrl,
    paths: written ? readPaths(written, baseUrl ?? inherited.baseUrl ?? folder) : inherited.paths,
  }
}

async function inheritedMapping(
  world: World,
  folder: string,
  extended: unknown,
  depth: number,
): Promise<PathMapping> {
  const names = (Array.isArray(extended) ? extended : [extended]).filter((name) => typeof name === 'string')
  for (const name of names.toReversed()) {
    if (!name.startsWith('.')) continue
    const path = joinPath(folder, name)
    const found = [path, `${path}.json`, `${path}/tsconfig.json`].find(
      (at) => path !== null && world.paths.has(at ?? ''),
    )
    if (found) return readMapping(world, found, depth + 1)
  }
  return none
}

function readPaths(written: Record<string, unknown>, base: string): PathMapping['paths'] {
  return Object.entries(written).map(([pattern, targets]) => ({
    pattern,
    targets: (Array.isArray(targets) ? targets : []).flatMap((target) => {
      const path = typeof target === 'string' ? joinPath(base, target) : null
      return path === null ? [] : [path]
    }),
  }))
}

/** What `*` stands for in `pattern` when it matches `text`; '' for a pattern without a star; null for no match. */
export function matchStar(pattern: string, text: string): string | null {
  const star = pattern.indexOf('*')
  if (star < 0) return pattern === text ? '' : null
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)]
  const fits = text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after)
  return fits ? text.slice(before.length, text.length - after.length) : null
}

// JSON as tsconfig.json has it: comments, trailing commas and a byte order mark allowed.

/** Null for anything that is no JSON object, or is nested too deep to be read. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  const errors: ParseError[] = []
  try {
    const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true })
    return errors.length === 0 && isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
