/**
 * Which files to open so that every TypeScript project of a tree is loaded: a server looks into a project only once one
 * of its files is open, and a configuration that merely refers to others has none of its own.
 */
import { posix } from 'node:path'
import { languageOf } from '../../language-of.ts'
import type { LaidTree } from '../contract.ts'
import { readObject, strings } from './read-json.ts'

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
