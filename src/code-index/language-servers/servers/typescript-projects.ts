/**
 * Which files to open so that every TypeScript project of a tree is loaded: a server looks into a project only once one
 * of its files is open, and a configuration that merely refers to others has none of its own.
 */
import { posix } from 'node:path'
import { jsonrepair } from 'jsonrepair'
import { languageOf } from '../../language-of.ts'
import type { Arrangement, LaidTree } from '../contract.ts'

const mostProjects = 60
const sourceLanguages: ReadonlySet<string | null> = new Set(['typescript', 'tsx', 'javascript'])

/** `tsconfig.json`, `jsconfig.json`, `tsconfig.build.json`, and what they extend (`configs/base.json`). */
export function isProjectFile(path: string): boolean {
  const [name = '', folder = ''] = path.toLowerCase().split('/').reverse()
  return name.endsWith('.json') && (/[tj]sconfig|base/.test(name) || /^[tj]sconfig$/.test(folder))
}

/** One source file of each project, in path order. */
export async function projectFilesToOpen({ paths, read }: LaidTree): Promise<string[]> {
  const sources = paths.filter((path) => sourceLanguages.has(languageOf(path)))
  const opened = new Set<string>()
  for (const path of paths.filter((one) => /(?:^|\/)[tj]sconfig[^/]*\.json$/.test(one))) {
    if (opened.size >= mostProjects) break
    const config = readObject(await read(path))
    if (!config) continue
    const folder = posix.dirname(path)
    const file = fileOf(folder, config, sources)
    if (file !== null) opened.add(file)
  }
  return [...opened].sort()
}

function fileOf(
  folder: string,
  config: Readonly<Record<string, unknown>>,
  sources: readonly string[],
): string | null {
  const files = strings(config.files).map((name) => posix.join(folder, name))
  const listed = files.find((path) => sources.includes(path))
  if (listed !== undefined) return listed
  // A configuration with an empty list of files only refers to others.
  if (Array.isArray(config.files) && !config.include) return null
  const includes = strings(config.include)
  for (const pattern of includes.length > 0 ? includes : ['**/*']) {
    const start = posix.join(folder, pattern.split(/[*?]/)[0] ?? '')
    const prefix = start === '.' || start === './' ? '' : start
    const found = sources.find((path) => path.startsWith(prefix))
    if (found !== undefined) return found
  }
  return null
}

// Packages of one repository import each other by name, through links that a package manager would make. The same links
// are made in the laid-out tree, from the manifests alone, so that such imports are found without an installation.

const mostManifests = 2_000
const mostLinks = 5_000
const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/

export async function workspaceLinks({ paths, read }: LaidTree): Promise<Arrangement['links']> {
  const manifests = paths.filter((path) => posix.basename(path) === 'package.json').slice(0, mostManifests)
  const packages: { folder: string; name: string | null; needs: readonly string[] }[] = []
  for (const path of manifests) {
    const manifest = readObject(await read(path))
    if (!manifest) continue
    const { name } = manifest
    const isName = typeof name === 'string' && name.length < 215 && packageName.test(name)
    packages.push({ folder: posix.dirname(path), name: isName ? name : null, needs: needsOf(manifest) })
  }
  const folders = new Map<string, string>()
  for (const { name, folder } of packages) if (name !== null && !folders.has(name)) folders.set(name, folder)
  const links = packages.flatMap(({ folder, needs }) =>
    needs.flatMap((need) => {
      const to = folders.get(need)
      return to === undefined || to === folder ? [] : [{ at: posix.join(folder, 'node_modules', need), to }]
    }),
  )
  return links.slice(0, mostLinks)
}

function needsOf(manifest: Readonly<Record<string, unknown>>): string[] {
  const names = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap(
    (key) => {
      const listed = manifest[key]
      return isObject(listed) ? Object.keys(listed) : []
    },
  )
  return [...new Set(names)].sort()
}

// JSON as people write it in configurations, with comments and trailing commas.

const longest = 64 * 1024

/** Null for what cannot be read, or is no object. */
function readObject(text: string | null): Readonly<Record<string, unknown>> | null {
  if (text === null || text.length > longest) return null
  try {
    const value: unknown = JSON.parse(jsonrepair(text))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
