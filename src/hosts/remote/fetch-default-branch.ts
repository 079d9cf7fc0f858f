/**
 * The newest commit of the default branch of another repository, with its files up to the largest size that is read, in a git
 * directory of our own, which the next fetch goes on with.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { gitVersion } from '../../base/git/version.ts'
import type { HostedRepository } from '../repository/contract.ts'
import type { Mirror } from './mirror.ts'
import { fetchTip, prepareGit, tidyGit } from './remote-git.ts'

const gitName = 'default-branch'
/** Whatever the host calls it. */
const tip = 'refs/remotes/origin/main'

/** Where it is below the folder of a mirror. */
export function gitFolderIn(mirror: string): string {
  return join(mirror, gitName)
}

/** Which commit that is; null for a repository without one. `fileBytes`: larger files are left out. Throws `host-refused`, `git-failed`. */
export async function fetchDefaultBranch(
  mirror: Mirror,
  fetch: HostedRepository['fetch'],
  { fileBytes, signal }: { fileBytes: number; signal: AbortSignal },
): Promise<string | null> {
  await gitVersion()
  const origin = { ...fetch, forkUrl: null, headRef: 'HEAD', baseRef: 'HEAD' }
  const fetchWith = async (idLength: 40 | 64) => {
    const wanted = { origin, head: '0'.repeat(idLength), signal }
    const place = prepareGit(mirror.folder, gitName, wanted)
    const commit = await fetchTip(place, wanted, ['--depth=1', `--filter=blob:limit=${fileBytes + 1}`], tip)
    await tidyGit(place, signal)
    return commit
  }
  const config = join(gitFolderIn(mirror.folder), 'config')
  const wasUsed = existsSync(config)
  const idLength = wasUsed && readFileSync(config, 'utf8').includes('sha256') ? 64 : 40
  return await fetchWith(idLength).catch(async (error: unknown) => {
    signal.throwIfAborted()
    if (!(error instanceof UserError) || error.code !== 'git-failed') throw error
    // Its ids are of the longer kind, or what was fetched before is damaged.
    const isLonger = /mismatched algorithms/.test(error.message)
    if (!isLonger && !wasUsed) throw error
    return await mirror.startOver(() => fetchWith(isLonger ? 64 : idLength))
  })
}
