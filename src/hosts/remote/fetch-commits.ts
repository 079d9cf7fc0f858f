/**
 * Fetches what a review reads of a change request into a git directory of our own, without a clone: every file of the two
 * compared trees up to the largest size that is reviewed, and commits without files for the history. The token is given to
 * the two fetching processes alone, by their environment; it is in no argument, address, file or record.
 */
import { appendFileSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { type GitPlace, tryGit } from '../../base/git/run.ts'
import { gitVersion } from '../../base/git/version.ts'
import { makePrivateFolder } from '../../base/private-folders.ts'
import type { GitOrigin } from './contract.ts'

export type FetchedCommits = {
  /** A bare repository: shallow, with a promise of the objects that were not fetched. */
  folder: string
  /** The commit where the head left the base. */
  mergeBase: string
  limits: string[]
  remove(): Promise<void>
}

type Wanted = {
  origin: GitOrigin
  head: string
  base: string
  mergeBase: string | null
  /** Larger files are left out. */
  fileBytes: number
  signal: AbortSignal
}

const timeoutMs = 900_000
/** Commits of history; more are fetched only to find where a branch began. */
const historyDepths = ['--depth=500', '--depth=10000', '--unshallow'] as const
/** Mistakes of old tools that many honest histories hold, and that harm nothing here: nothing is checked out. */
const oldMistakes = [
  'badTimezone',
  'badTimezoneOverflow',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'missingNameBeforeEmail',
  'missingEmail',
  'multipleAuthors',
  'zeroPaddedFilemode',
  'zeroPaddedDate',
]

/** Throws `head-moved` when the host has other commits by now, `no-merge-base`, `git-failed`, and as the signal says. */
export async function fetchCommits(wanted: Wanted): Promise<FetchedCommits> {
  await gitVersion()
  const folder = await makePrivateFolder('fetch')
  try {
    const history = prepare(folder.path, 'history', wanted)
    const files = prepare(folder.path, 'files', wanted)
    const both = [wanted.head, wanted.base] as const
    const filter = `--filter=blob:limit=${wanted.fileBytes + 1}`
    const known = wanted.mergeBase
    const early =
      known === null ? null : fetchInto(files, wanted, ['--depth=1', filter], [wanted.head, known])
    // It is awaited only after the other one, which may fail first.
    early?.catch(() => {})
    const read = await fetchInto(history, wanted, [historyDepths[0], '--filter=blob:none'], both).then(
      () => null,
      (error: unknown) => error,
    )
    wanted.signal.throwIfAborted()
    if (known === null && read !== null) throw read
    const mergeBase = known ?? (await findMergeBase(history, wanted))
    if (early) await early
    else await fetchInto(files, wanted, ['--depth=1', filter], [wanted.head, mergeBase])
    if (read === null) await joinPacks(history, files, mergeBase, wanted.signal)
    return {
      folder: read === null ? history.gitDir : files.gitDir,
      mergeBase,
      limits: read === null ? [] : [`the history could not be fetched: ${(read as Error).message}`],
      remove: () => folder.remove(),
    }
  } catch (error) {
    await folder.remove()
    throw error
  }
}

function prepare(root: string, name: string, { origin, head }: Wanted): GitPlace {
  const place = { gitDir: join(root, name), home: join(root, 'home') }
  for (const part of ['home', `${name}/objects/info`, `${name}/objects/pack`, `${name}/refs/heads`])
    mkdirSync(join(root, part), { recursive: true })
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
    '[remote "host"]',
    `\turl = ${quoted(origin.url)}`,
    '\tpromisor = true',
    '\ttagOpt = --no-tags',
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

function quoted(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&')}"`
}

/** By their ids; by their references where the host gives no commit by its id. Throws `head-moved`, `git-failed`. */
async function fetchInto(
  place: GitPlace,
  wanted: Wanted,
  options: readonly string[],
  commits: readonly string[],
): Promise<void> {
  const { origin, head } = wanted
  const refs = commits.map((commit) => `${commit}:refs/sightline/${commit}`)
  const byId = await runFetch(place, wanted, options, refs)
  if (byId.code === 0) return
  if (!/not our ref|unadvertised|couldn't find remote ref/i.test(byId.stderr))
    throw failed(byId.stderr, wanted)
  const byName = [`${origin.headRef}:refs/sightline/${head}`, `${origin.baseRef}:refs/sightline/base`]
  // A merge base is no tip, so its commit is found only below one.
  const deeper = options.map((option) => (option === '--depth=1' ? historyDepths[0] : option))
  const again = await runFetch(place, wanted, deeper, byName)
  if (again.code !== 0) throw failed(again.stderr, wanted)
  for (const commit of commits) {
    const { code } = await tryGit(place, ['cat-file', '-e', `${commit}^{commit}`], { signal: wanted.signal })
    if (code !== 0) throw new UserError('head-moved', `the host no longer has commit ${commit.slice(0, 12)}`)
  }
}

function runFetch(
  place: GitPlace,
  { origin, signal }: Wanted,
  options: readonly string[],
  refs: readonly string[],
) {
  const { protocol, origin: host } = new URL(origin.url)
  const header = origin.authorization && {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${host}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: ${origin.authorization}`,
  }
  const env = { ...networkEnvironment(), GIT_ALLOW_PROTOCOL: protocol.slice(0, -1), ...header }
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--force', ...options, 'host']
  return tryGit(place, [...args, ...refs], { env, signal, timeoutMs })
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

function failed(stderr: string, { origin }: Wanted): UserError {
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

/** Fetches more of the history until both sides meet. */
async function findMergeBase(place: GitPlace, wanted: Wanted): Promise<string> {
  const { head, base, signal } = wanted
  for (const [at, depth] of historyDepths.entries()) {
    if (at > 0) await fetchInto(place, wanted, [depth, '--filter=blob:none'], [head, base])
    const { code, stdout } = await tryGit(place, ['merge-base', head, base], { signal })
    if (code === 0) return stdout.toString('latin1').trim()
    if (!readdirSync(place.gitDir).includes('shallow')) break
  }
  throw new UserError('no-merge-base', `${head.slice(0, 12)} and ${base.slice(0, 12)}`)
}

/** The files join the history. A merge base below the fetched history is where it ends. */
async function joinPacks(
  history: GitPlace,
  files: GitPlace,
  mergeBase: string,
  signal: AbortSignal,
): Promise<void> {
  const { code } = await tryGit(history, ['cat-file', '-e', `${mergeBase}^{commit}`], { signal })
  const [from, to] = [join(files.gitDir, 'objects/pack'), join(history.gitDir, 'objects/pack')]
  for (const name of readdirSync(from)) renameSync(join(from, name), join(to, name))
  if (code !== 0) appendFileSync(join(history.gitDir, 'shallow'), `${mergeBase}\n`)
}
