/**
 * Brings the repository of a case into a git directory of its own that holds what is reachable from the two commits
 * and nothing else: a clone of the whole would hold the fix, and its message tells what was wrong.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UserError } from '../../base/errors.ts'
import { type GitPlace, runGit } from '../../base/git/run.ts'
import { makePrivateFolder } from '../../base/private-folders.ts'
import type { EvalCase } from '../cases/eval-case.ts'
import { copyObjects } from './copy-objects.ts'
import { mirrorOf } from './mirror.ts'

export type BringOptions = {
  /** Holds `owner+name/repo`, a git directory, for each repository that need not be cloned from afar. */
  mirrors: string | null
  /** Commits of history that come along, counted from each of the two; 0 brings all. */
  history: number
  signal?: AbortSignal
}

export type BroughtRepository = {
  /** A bare repository with the branches `base` and `head`. */
  folder: string
  /** Removes it. */
  close(): Promise<void>
}

/** A way to bring the repository of a case. */
export type Bring = (
  one: Pick<EvalCase, 'repo' | 'url' | 'base' | 'head'>,
  options: BringOptions,
) => Promise<BroughtRepository>

const longestFetchMs = 30 * 60_000

/** Throws `repository-unavailable` when there is no place to bring it from, or when a commit is not there. */
export async function bringRepository(
  { repo, url, base, head }: Pick<EvalCase, 'repo' | 'url' | 'base' | 'head'>,
  { mirrors, history, signal }: BringOptions,
): Promise<BroughtRepository> {
  const mirror = mirrorOf(repo, mirrors)
  const source = mirror === null ? addressOf(repo, url, mirrors) : pathToFileURL(mirror).href
  const { path: root, remove: close } = await makePrivateFolder('case')
  const folder = join(root, 'repo.git')
  const home = join(root, 'home')
  try {
    for (const path of [folder, home]) mkdirSync(path)
    const trust = join(home, 'config')
    // The mirror may belong to another user; only objects are read from it.
    writeFileSync(trust, '[safe]\n\tdirectory = *\n')
    const place: GitPlace = { gitDir: folder, home }
    const options = {
      timeoutMs: longestFetchMs,
      signal,
      env: { GIT_ALLOW_PROTOCOL: 'file:https:ssh', GIT_CONFIG_GLOBAL: trust },
    }
    await runGit(place, ['init', '--quiet', '--bare', '--template='])
    const wanted = [`${head}:refs/heads/head`, `${base}:refs/heads/base`]
    const settings = ['-c', 'protocol.version=2', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false']
    const fetch = (depth: number) => {
      const cut = depth > 0 ? [`--depth=${depth}`] : []
      return runGit(place, [...settings, 'fetch', '--quiet', '--no-tags', ...cut, source, ...wanted], options)
    }
    await fetch(history).catch((error) => {
      // A mirror may lack large files that nobody needs; git will not fetch from it, but the rest can be copied.
      if (signal?.aborted || mirror === null) throw error
      return copyObjects(mirror, place, { base, head }, history, options)
    })
    rmSync(join(folder, 'FETCH_HEAD'), { force: true })
    return { folder, close }
  } catch (error) {
    await close()
    if (signal?.aborted || !(error instanceof UserError)) throw error
    throw new UserError('repository-unavailable', `${repo}: ${error.message}`, { cause: error })
  }
}

function addressOf(repo: string, url: string | null, mirrors: string | null): string {
  if (url !== null && /^(?:https|ssh|file):\/\//.test(url)) return url
  const tried = mirrors === null ? 'no folder of mirrors was named' : 'no mirror has it'
  throw new UserError('repository-unavailable', `${repo}: ${tried}, and the case has no address to clone`)
}
