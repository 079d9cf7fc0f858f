/** Finds, reads, checks and updates the operator's settings. They are in the operator's own folder, never a repository. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseDocument } from 'yaml'
import type { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { type ConfigProblem, formatProblem } from '../problem.ts'
import { readYaml } from '../read-yaml.ts'
import { defaultSettings, Settings } from './schema.ts'

export type LoadedSettings = {
  settings: Settings
  /** The file; null when there is none and every value is the default. */
  path: string | null
}

/** `$SIGHTLINE_SETTINGS`, else `sightline/settings.yaml` in `$XDG_CONFIG_HOME` or `~/.config`. */
export function settingsPath(environment: NodeJS.ProcessEnv): string {
  if (environment.SIGHTLINE_SETTINGS) return environment.SIGHTLINE_SETTINGS
  const folder = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), '.config')
  return join(folder, 'sightline', 'settings.yaml')
}

/** Throws `settings-invalid` with every problem and its line. A missing file has the defaults, unless it was named. */
export async function loadSettings(environment: NodeJS.ProcessEnv = process.env): Promise<LoadedSettings> {
  const path = settingsPath(environment)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && !environment.SIGHTLINE_SETTINGS) return null
    throw new UserError('settings-invalid', `${path} cannot be read: ${error.message}`)
  })
  if (text === null) return { settings: defaultSettings, path: null }
  return { settings: parseSettings(text, path), path }
}

/** The text of one file; `path` is only for messages. Throws `settings-invalid`. */
export function parseSettings(text: string, path: string): Settings {
  const { data, problems } = checkYaml(Settings, text, path)
  if (data === null) throw new UserError('settings-invalid', problems.map(formatProblem).join('\n'))
  return data
}

/** A file of an operator against its schema; `data` is null when there are problems, which are all told at once. */
export function checkYaml<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  path: string,
): { data: z.infer<Schema> | null; problems: ConfigProblem[] } {
  const yaml = readYaml(text)
  const problems: ConfigProblem[] = yaml.problems.map((problem) => ({ file: path, ...problem }))
  const checked = yaml.value === undefined ? null : schema.safeParse(yaml.value ?? {})
  for (const issue of checked?.error?.issues ?? []) {
    const keys = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    const at = unknown === undefined ? keys : [...keys, unknown]
    problems.push({
      file: path,
      ...yaml.positionOf(at, unknown === undefined ? 'value' : 'key'),
      message:
        unknown === undefined ? `${at.join('.')}: ${issue.message}.` : `There is no key \`${at.join('.')}\`.`,
    })
  }
  return { data: problems.length > 0 ? null : (checked?.data ?? null), problems }
}

/**
 * Writes into the settings whether models may be used from now on. The rest of the file stays as it is, comments too.
 * Returns the path of the file. Rejects when it cannot be written.
 */
export async function rememberModelsEnabled(
  enabled: boolean,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const path = settingsPath(environment)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const document = parseDocument(text)
  document.setIn(['models', 'enabled'], enabled)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // In place, since the file may be a link into somebody's collection of settings.
  await writeFile(path, document.toString(), { mode: 0o600 })
  return path
}
