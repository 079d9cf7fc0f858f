/**
 * The newest commit of the default branch of another repository, and the heads of its open change requests, with the files of each up
 * to the largest size that is read, in a git directory of our own, which the next fetch goes on with.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { type GitPlace, runGit } from '../../base/git/run.ts'
import { gitVersion } from '../../base/git/version.ts'
import type { HostKind } from '../../domain/host-kind.ts'
import type { HostedRepository, ListedChange } from '../repository/contract.ts'
import { headRefOf } from './facts.ts'
import type { Mirror } from './mirror.ts'
import { type Fetching, fetchTip, prepareGit, tidyGit, tryFetch } from './remote-git.ts'

const gitName = 'default-branch'
/** Whatever the host calls it. */
const tip = 'refs/remotes/origin/main'
const heads = 'refs/changes'

/** Where it is below the folder of a mirror. */
export function gitFolderIn(mirror: string): string {
  return join(mirror, gitName)
}

type FetchOptions = { fileBytes: number; signal: AbortSignal }

/** Which commit that is; null for a repository without one. `fileBytes`: larger files are left out. Throws `host-refused`, `git-failed`. */
export async function fetchDefaultBranch(
  mirror: Mirror,
  fetch: HostedRepository['fetch'],
  options: FetchOptions,
): Promise<string | null> {
  await gitVersion()
  const { signal } = options
  const fetchWith = async (idLength: IdLength) => {
    const { place, wanted } = prepare(mirror, fetch, idLength, signal)
    const commit = await fetchTip(place, wanted, filterOf(options), tip)
    await tidyGit(place, signal)
    return commit
  }
  const idLength = idLengthIn(mirror)
  return await fetchWith(idLength ?? 40).catch(async (error: unknown) => {
    signal.throwIfAborted()
    if (!(error instanceof UserError) || error.code !== 'git-failed') throw error
    // Its ids are of the longer kind, or what was fetched before is damaged.
    const isLonger = /mismatched algorithms/.test(error.message)
    if (!isLonger && idLength === null) throw error
    return await mirror.startOver(() => fetchWith(isLonger ? 64 : (idLength ?? 40)))
  })
}

/**
 * The commits of these change requests, behind their default branch; one whose head cannot be fetched by name is left out, such
 * as that of a fork on a host that keeps it there. What was fetched of others is let go.
 */
export async function fetchHeads(
  mirror: Mirror,
  fetch: HostedRepository['fetch'],
  { kind, changes, ...options }: FetchOptions & { kind: HostKind; changes: readonly ListedChange[] },
): Promise<Map<number, string>> {
  const { place, wanted } = prepare(mirror, fetch, idLengthIn(mirror) ?? 40, options.signal)
  const folder = join(place.gitDir, heads)
  const open = new Set(changes.map(({ number }) => `${number}`))
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (!open.has(name)) rmSync(join(folder, name))
  const known = await readHeads(place, options.signal)
  const missing = changes.flatMap(({ number, head, branch, isFork }) => {
    const ref = isFork ? headRefOf({ kind, number }) : `refs/heads/${branch}`
    return ref === null || known.get(number)?.startsWith(head) ? [] : [`${ref}:${heads}/${number}`]
  })
  if (missing.length === 0) return known
  const fetchOf = (refs: readonly string[]) => tryFetch(place, wanted, filterOf(options), refs)
  // One name that is not there fails the whole request.
  if (!(await fetchOf(missing))) for (const ref of missing) await fetchOf([ref])
  await tidyGit(place, options.signal)
  return await readHeads(place, options.signal)
}

type IdLength = 40 | 64

/** Null where nothing was fetched yet. */
function idLengthIn(mirror: Mirror): IdLength | null {
  const config = join(gitFolderIn(mirror.folder), 'config')
  if (!existsSync(config)) return null
  return readFileSync(config, 'utf8').includes('sha256') ? 64 : 40
}

function prepare(
  mirror: Mirror,
  fetch: HostedRepository['fetch'],
  idLength: IdLength,
  signal: AbortSignal,
): { place: GitPlace; wanted: Fetching } {
  const origin = { ...fetch, forkUrl: null, headRef: 'HEAD', baseRef: 'HEAD' }
  const wanted = { origin, head: '0'.repeat(idLength), signal }
  return { place: prepareGit(mirror.folder, gitName, wanted), wanted }
}

function filterOf({ fileBytes }: FetchOptions): string[] {
  return ['--depth=1', `--filter=blob:limit=${fileBytes + 1}`]
}

async function readHeads(place: GitPlace, signal: AbortSignal): Promise<Map<number, string>> {
  const format = '--format=%(objectname) %(refname:lstrip=2)'
  const found = (await runGit(place, ['for-each-ref', format, heads], { signal })).toString('latin1')
  return new Map(
    found.split('\n').flatMap((line) => {
      const [commit, number] = line.split(' ')
      return commit && number ? [[Number(number), commit] as const] : []
    }),
  )
}
