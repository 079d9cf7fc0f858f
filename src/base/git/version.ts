/** Is git here, and is it new enough? Older ones have known faults in reading foreign objects. */
import { UserError } from '../errors.ts'
import { usePrivateFolder } from '../private-folders.ts'
import { runGit } from './run.ts'

export type GitVersion = { major: number; minor: number }

export const minimumGit: GitVersion = { major: 2, minor: 34 }

let known: Promise<GitVersion> | null = null

/** The version of the git on the PATH, asked once per process. Throws `git-missing`. */
export function gitVersion(): Promise<GitVersion> {
  known ??= askVersion().catch((error: unknown) => {
    known = null
    throw error
  })
  return known
}

/** Reads `git version 2.39.5 (Apple Git-154)`; null when it is something else. */
export function parseGitVersion(text: string): GitVersion | null {
  const match = /^git version (\d{1,4})\.(\d{1,4})/.exec(text)
  return match ? { major: Number(match[1]), minor: Number(match[2]) } : null
}

/** Throws `git-missing` when the version is older than the oldest we trust. */
export function requireGit(version: GitVersion | null, said: string): GitVersion {
  if (version && isAtLeast(version, minimumGit)) return version
  throw new UserError('git-missing', `found ${said || 'a git that does not report its version'}`)
}

export function isAtLeast(version: GitVersion, least: GitVersion): boolean {
  return version.major > least.major || (version.major === least.major && version.minor >= least.minor)
}

async function askVersion(): Promise<GitVersion> {
  const said = await usePrivateFolder('git', async (folder) =>
    (await runGit({ gitDir: folder, home: folder }, ['version'])).toString('utf8').trim(),
  )
  return requireGit(parseGitVersion(said), said)
}
