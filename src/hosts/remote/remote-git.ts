/**
 * A bare git directory of ours that fetches from one host: its whole configuration is ours, everything that it receives is
 * checked as `git fsck` does, and the token is given to the fetching process alone, by its environment.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { type GitPlace, runGit, tryGit } from '../../base/git/run.ts'
import type { GitOrigin } from './contract.ts'

export type Fetching = {
  origin: GitOrigin
  head: string
  signal: AbortSignal
}

const timeoutMs = 900_000
/** What a fetch offers as known; more only makes its request longer. */
const mostRefs = 60
/** More are made one: every pack is one more place to look in. */
const mostPacks = 30
/** Mistakes of old tools that many honest histories hold, and that harm nothing here: nothing is checked out. */
const oldMistakes = [
  'badTimezone',
  'badDateOverflow',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'missingNameBeforeEmail',
  'missingEmail',
  'multipleAuthors',
  'zeroPaddedFilemode',
  'zeroPaddedDate',
]

/** A new or a used one, below `root`. What a killed process left in it is removed. */
export function prepareGit(root: string, name: string, { origin, head }: Fetching): GitPlace {
  const place = { gitDir: join(root, name), home: join(root, 'home') }
  for (const part of ['home', `${name}/objects/info`, `${name}/objects/pack`, `${name}/refs/heads`])
    mkdirSync(join(root, part), { recursive: true })
  removeRemains(place.gitDir)
  writeFileSync(join(place.gitDir, 'HEAD'), 'ref: refs/heads/none\n')
  const config = [
    '[core]',
    '\trepositoryformatversion = 1',
    '\tbare = true',
    '\tfsmonitor = false',
    '\thooksPath = /dev/null',
    '[extensions]',
    '\tpartialClone = host',
    ...(head.length === 64 ? ['\tobjectFormat = sha256'] : []),
    ...remoteConfig('host', origin.url),
    ...(origin.forkUrl === null ? [] : remoteConfig('fork', origin.forkUrl)),
    '[fetch]',
    '\tfsckObjects = true',
    '\trecurseSubmodules = false',
    // A pack stays a pack, whatever its size.
    '\tunpackLimit = 1',
    '\twriteCommitGraph = false',
    ...oldMistakes.map((mistake, at) => `${at === 0 ? '[fetch "fsck"]\n' : ''}\t${mistake} = ignore`),
    '[http]',
    '\tfollowRedirects = false',
    '\tlowSpeedLimit = 1000',
    '\tlowSpeedTime = 60',
    '[credential]',
    '\thelper =',
    '[gc]',
    '\tauto = 0',
    '[maintenance]',
    '\tauto = false',
    '',
  ].join('\n')
  writeFileSync(join(place.gitDir, 'config'), config)
  return place
}

function remoteConfig(remote: Remote, url: string): string[] {
  return [`[remote "${remote}"]`, `\turl = ${quoted(url)}`, '\tpromisor = true', '\ttagOpt = --no-tags']
}

function quoted(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&')}"`
}

/** By their ids; by their references where the host gives no commit by its id. Throws `head-moved`, `git-failed`. */
export async function fetchCommitsInto(
  place: GitPlace,
  wanted: Fetching,
  options: readonly string[],
  commits: readonly string[],
): Promise<void> {
  const { origin, head } = wanted
  const remoteOf = (commit: string): Remote => (origin.forkUrl !== null && commit === head ? 'fork' : 'host')
  for (const [remote, own] of Map.groupBy(commits, remoteOf))
    await fetchFrom(remote, place, wanted, options, own)
}

type Remote = 'host' | 'fork'

/** The newest commit of the default branch; null for a repository without one. Throws `host-refused`, `git-failed`. */
export async function fetchTip(
  place: GitPlace,
  wanted: Fetching,
  options: readonly string[],
  name: string,
): Promise<string | null> {
  const fetched = await fetchRefs(place, wanted, options, ['host', `HEAD:${name}`])
  if (fetched.code !== 0 && /couldn't find remote ref/i.test(fetched.stderr)) return null
  if (fetched.code !== 0) throw failed(fetched.stderr, wanted)
  const found = await runGit(place, ['rev-parse', '--verify', name], { signal: wanted.signal })
  const commit = found.toString('latin1').trim()
  // As long as it is named, no process that reads it loses it.
  writeFileSync(join(place.gitDir, 'refs/sightline', commit), `${commit}\n`)
  return commit
}

/** Of the host itself. False where one of them is not there, or may not be read. */
export async function tryFetch(
  place: GitPlace,
  wanted: Fetching,
  options: readonly string[],
  refs: readonly string[],
): Promise<boolean> {
  return (await fetchRefs(place, wanted, options, ['host', ...refs])).code === 0
}

/** Of a remote, the first of `what`. */
function fetchRefs(place: GitPlace, wanted: Fetching, options: readonly string[], what: readonly string[]) {
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--force', ...options, ...what]
  return runRemote(place, wanted, args)
}

async function fetchFrom(
  remote: Remote,
  place: GitPlace,
  wanted: Fetching,
  options: readonly string[],
  commits: readonly string[],
): Promise<void> {
  const { origin, head } = wanted
  const refs = commits.map((commit) => `${commit}:refs/sightline/${commit}`)
  const byId = await fetchRefs(place, wanted, options, [remote, ...refs])
  if (byId.code === 0) return
  if (!/not our ref|unadvertised|couldn't find remote ref/i.test(byId.stderr))
    throw failed(byId.stderr, wanted)
  const headByName = `${origin.headRef}:refs/sightline/${head}`
  const baseByName = `${origin.baseRef}:refs/sightline/base`
  const all = origin.forkUrl === null ? [headByName, baseByName] : [baseByName]
  // A merge base is no tip, so its commit is found only below one.
  const deeper = options.map((option) => (option === '--depth=1' ? '--depth=500' : option))
  const again = await fetchRefs(place, wanted, deeper, [remote, ...(remote === 'fork' ? [headByName] : all)])
  if (again.code !== 0) throw failed(again.stderr, wanted)
  const here = new Set(await commitsHere(place, commits, wanted.signal))
  const lost = commits.find((commit) => !here.has(commit))
  if (lost !== undefined)
    throw new UserError('head-moved', `the host no longer has commit ${lost.slice(0, 12)}`)
}

function runRemote(place: GitPlace, { origin, signal }: Fetching, args: readonly string[]) {
  const { protocol, origin: host } = new URL(origin.url)
  const header = origin.authorization && {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${host}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: ${origin.authorization}`,
  }
  const env = { ...networkEnvironment(), GIT_ALLOW_PROTOCOL: protocol.slice(0, -1), ...header }
  return tryGit(place, args, { env, signal, timeoutMs })
}

/** How the machine reaches the network; git's environment has nothing else of the user's. */
function networkEnvironment(): Record<string, string> {
  const names = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy', 'GIT_SSL_CAINFO', 'SSL_CERT_FILE']
  const given = names.flatMap((name) => [name, name.toUpperCase()])
  return Object.fromEntries(given.flatMap((name) => [[name, process.env[name]] as const]).filter(isSet))
}

function isSet(entry: readonly [string, string | undefined]): entry is readonly [string, string] {
  return entry[1] !== undefined && entry[1] !== ''
}

function failed(stderr: string, { origin }: Fetching): UserError {
  const { host } = new URL(origin.url)
  const isRefused = /authentication failed|could not read username|403|401|terminal prompts disabled/i.test(
    stderr,
  )
  if (isRefused)
    return new UserError(
      'host-refused',
      `git fetch from ${host}: the token may not read the code (${stderr})`,
    )
  return new UserError('git-failed', `git fetch from ${host}: ${stderr}`)
}

/** Fetched as such, and not only found below another commit. */
export async function isFetched(
  place: GitPlace,
  commits: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const names = commits.map((commit) => `refs/sightline/${commit}`)
  // No process starts for a folder that is new.
  if (!names.every((name) => existsSync(join(place.gitDir, name)))) return false
  const { code, stdout } = await tryGit(place, ['rev-parse', ...names.map((name) => `${name}^{commit}`)], {
    signal,
  })
  return code === 0 && stdout.toString('latin1').trim() === commits.join('\n')
}

/** Those of the commits that can be read here, in the same order. */
export async function commitsHere(
  place: GitPlace,
  commits: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const input = commits.map((commit) => `${commit}^{commit}\n`).join('')
  const found = (await runGit(place, ['cat-file', '--batch-check'], { input, signal })).toString('latin1')
  return commits.filter((commit) => found.includes(`${commit} commit `))
}

/** Keeps a git directory small that is fetched into again and again. */
export async function tidyGit(place: GitPlace, signal: AbortSignal): Promise<void> {
  const refs = join(place.gitDir, 'refs/sightline')
  const names = readdirSync(refs).map((name) => ({ name, usedMs: statSync(join(refs, name)).mtimeMs }))
  for (const { name } of names.sort((a, b) => b.usedMs - a.usedMs).slice(mostRefs)) rmSync(join(refs, name))
  const packs = readdirSync(join(place.gitDir, 'objects/pack')).filter((name) => name.endsWith('.pack'))
  if (packs.length > mostPacks) await runGit(place, ['repack', '-a', '-d', '-q'], { signal, timeoutMs })
}

/** What a killed git left: abandoned locks and unfinished packs. */
function removeRemains(gitDir: string): void {
  for (const part of ['', 'refs/sightline', 'objects/pack']) {
    const folder = join(gitDir, part)
    if (part === 'refs/sightline') mkdirSync(folder, { recursive: true })
    for (const name of readdirSync(folder))
      if (/\.lock$|^tmp_|^\.tmp-/.test(name)) rmSync(join(folder, name), { force: true })
  }
}
