/** Reads foreign git configuration as data, and keeps the few keys that only say how files are compared. */
import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Repository } from './discover.ts'
import { readData } from './read-data.ts'
import { type GitPlace, tryGit } from './run.ts'

const yesOrNo = /^(true|false|yes|no|on|off|0|1)$/i

/** Keys that may enter the shadow's configuration, and the values they may have there. */
const allowed: Readonly<Record<string, RegExp>> = {
  'core.filemode': yesOrNo,
  'core.autocrlf': /^(true|false|yes|no|on|off|0|1|input)$/i,
  'core.eol': /^(lf|crlf|native)$/i,
  'core.ignorecase': yesOrNo,
  'core.precomposeunicode': yesOrNo,
  'core.symlinks': yesOrNo,
}

export type ConfigData = {
  objectFormat: 'sha1' | 'sha256'
  /** Lines for the shadow's `[core]` section. */
  coreLines: string[]
  /** The user's own `core.excludesFile` as written, or null. Never the repository's. */
  excludesFile: string | null
  /** Where `origin` was cloned from, as the repository says; foreign, and never asked. */
  originUrl: string | null
}

/** `core.hooksPath` as git would use it, a relative one from the work tree; null where hooks are in their usual folder. */
export async function readHooksPath(place: GitPlace, repository: Repository): Promise<string | null> {
  const { both } = await readBoth(place, repository)
  const named = both.get('core.hookspath')
  if (named === undefined || named === '') return null
  if (named.startsWith('~/')) return join(homedir(), named.slice(2))
  return resolve(repository.workTree ?? repository.gitDir, named)
}

const maxConfigBytes = 4 * 1024 * 1024

/** The repository's keys win over the user's. Includes are not followed, and nothing in these files is run. */
export async function readConfigData(place: GitPlace, repository: Repository): Promise<ConfigData> {
  const { user, own, both } = await readBoth(place, repository)
  return {
    objectFormat: own.get('extensions.objectformat')?.toLowerCase() === 'sha256' ? 'sha256' : 'sha1',
    coreLines: Object.entries(allowed).flatMap(([key, values]) => {
      const value = both.get(key)
      return value !== undefined && values.test(value) ? [`\t${key.slice('core.'.length)} = ${value}`] : []
    }),
    excludesFile: user.get('core.excludesfile') ?? null,
    originUrl: own.get('remote.origin.url') ?? null,
  }
}

type Keys = Map<string, string>

async function readBoth(
  place: GitPlace,
  repository: Repository,
): Promise<{ user: Keys; own: Keys; both: Keys }> {
  const user = new Map<string, string>()
  for (const file of userConfigFiles()) await addFile(place, file, user)
  const own = new Map<string, string>()
  await addFile(place, join(repository.commonDir, 'config'), own)
  if (own.get('extensions.worktreeconfig')?.toLowerCase() === 'true')
    await addFile(place, join(repository.gitDir, 'config.worktree'), own)
  return { user, own, both: new Map([...user, ...own]) }
}

/** Where git looks for the user's own configuration: https://git-scm.com/docs/git-config#FILES */
function userConfigFiles(): string[] {
  const named = process.env.GIT_CONFIG_GLOBAL
  if (named !== undefined) return [named]
  return [join(userConfigHome(), 'git', 'config'), join(homedir(), '.gitconfig')]
}

export function userConfigHome(): string {
  return process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
}

/** Of files that were parsed before, by their text: that of the user is the same for every repository. */
const parsed = new Map<string, readonly (readonly [key: string, value: string])[]>()
const mostParsed = 50
/** A longer one, in bytes, is no usual one, and is parsed each time. */
const longestParsed = 64 * 1024

/** The last value of a key counts. */
async function addFile(place: GitPlace, file: string, into: Map<string, string>): Promise<void> {
  const bytes = readData(file, maxConfigBytes)
  if (!bytes) return
  const text = bytes.toString('latin1')
  const entries = parsed.get(text) ?? (await parseConfig(place, bytes))
  if (parsed.size >= mostParsed) parsed.clear()
  if (bytes.length <= longestParsed) parsed.set(text, entries)
  for (const [key, value] of entries) into.set(key, value)
}

/** Parses a copy with `git config --file --no-includes`; nothing of one that git refuses. */
async function parseConfig(place: GitPlace, bytes: Buffer): Promise<[string, string][]> {
  const copy = join(place.home, 'foreign-config')
  writeFileSync(copy, bytes)
  const { code, stdout } = await tryGit(place, ['config', '--file', copy, '--no-includes', '--list', '-z'])
  if (code !== 0) return []
  // Each key is on a line of its own, and ends with a zero byte; one without a value is set.
  const items = stdout.toString('utf8').split('\0').slice(0, -1)
  return items.map((item) => {
    const [key = '', ...value] = item.split('\n')
    return [key, value.length > 0 ? value.join('\n') : 'true']
  })
}
