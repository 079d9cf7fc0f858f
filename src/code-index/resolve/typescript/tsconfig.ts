/** `paths` and `baseUrl` of the tsconfig.json or jsconfig.json nearest above a file. */
import type { World } from '../contract.ts'
import { folderOf, joinPath } from '../path-index.ts'
import { isObject, parseJsonObject } from './json-with-comments.ts'

export type PathMapping = {
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
