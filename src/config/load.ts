/** Finds, reads and checks the configuration file. All that is wrong with it is said at once. */
import type { RepoSnapshot } from '../domain/snapshot.ts'
import { checkConfig } from './check.ts'
import { configFileNames } from './file-names.ts'
import { configKeys } from './keys.ts'
import { ConfigError, type ConfigProblem } from './problem.ts'
import { readYaml } from './read-yaml.ts'
import { type Config, defaultConfig } from './schema.ts'

/** Resolves to null for a path that is not there. */
export type ReadText = (path: string) => Promise<{ text: string } | null>

export type LoadedConfig = {
  config: Config
  /** The file it was read from; null when there is none and every value is the default. */
  path: string | null
  /** The line (1-based) on which a key (`review.failOn`) is set; keys that are not listed have their default. */
  lines: ReadonlyMap<string, number>
}

/** Of a tree: a link in the place of the file is refused, since its target is no configuration. */
export function configOfTree(tree: Pick<RepoSnapshot, 'entry' | 'read'>): ReadText {
  return async (path) => {
    const file = await tree.read(path)
    if (file && (await tree.entry(path))?.mode === '120000') throw refusedLink(path)
    return file
  }
}

/** Of a link nothing is said but its name: what it points to may be any file of the machine. */
export function refusedLink(file: string): ConfigError {
  const message = 'This is a symbolic link, and links are not followed; use a regular file.'
  return new ConfigError([{ file, line: 1, column: 1, message }])
}

/** Throws `ConfigError` with every problem. A tree without the file, or without any file, has the defaults. */
export async function loadConfig(read: ReadText): Promise<LoadedConfig> {
  const [first, second] = await Promise.all(configFileNames.map(read))
  const [firstName, secondName] = configFileNames
  if (first && second)
    throw new ConfigError([
      { file: secondName, line: 1, column: 1, message: `${firstName} exists too; keep only one of them.` },
    ])
  const file = first ?? second
  if (!file) return { config: defaultConfig, path: null, lines: new Map() }
  return parseConfig(file.text, first ? firstName : secondName)
}

/** The text of one file; `path` is only for messages. Throws `ConfigError` with every problem. */
export function parseConfig(text: string, path: string): LoadedConfig {
  const yaml = readYaml(text)
  const checked = yaml.value === undefined ? null : checkConfig(yaml.value)
  const problems: ConfigProblem[] = yaml.problems.map((problem) => ({ file: path, ...problem }))
  for (const fault of checked?.faults ?? [])
    problems.push({ file: path, ...yaml.positionOf(fault.path, fault.part), message: fault.message })
  if (problems.length > 0 || !checked?.config) throw new ConfigError(problems.sort(byPlace))
  const set = configKeys().filter((key) => yaml.has(key.path))
  const lines = new Map(set.map((key) => [key.key, yaml.positionOf(key.path, 'key').line]))
  return { config: checked.config, path, lines }
}

function byPlace(a: ConfigProblem, b: ConfigProblem): number {
  return a.line - b.line || a.column - b.column
}
