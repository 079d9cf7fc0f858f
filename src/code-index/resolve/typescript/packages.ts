/** The packages of the repository itself, by name, and which source file an entry of theirs stands for. */
import type { World } from '../contract.ts'
import { folderOf, joinPath } from '../path-index.ts'
import { isObject, parseJsonObject } from './json-with-comments.ts'
import { matchStar } from './tsconfig.ts'

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
  const keys = Object.keys(entries)
  if (!keys.some((key) => /^[.#]/.test(key))) return subpath === '.' ? strings(entries, 0) : []
  const exact = entries[subpath]
  if (exact !== undefined) return strings(exact, 0)
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
