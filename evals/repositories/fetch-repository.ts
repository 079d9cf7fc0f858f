/**
 * Fetches the repository of a case into a git directory of its own that holds what is reachable from the two commits
 * and nothing else: a clone of the whole would hold the fix, and its message tells what was wrong.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UserError } from '../../src/index.ts'
import { EvaluationError } from '../base/errors.ts'
import { runGit } from '../base/git.ts'
import type { EvalCase } from '../cases/eval-case.ts'
import { copyObjects } from './copy-objects.ts'
import { mirrorOf } from './mirror.ts'

export type FetchOptions = {
  /** Holds `owner+name/repo`, a git directory, for each repository that need not be cloned from afar. */
  mirrors: string | null
  /** Commits of history that come along, counted from each of the two; 0 fetches all. */
  history: number
  signal?: AbortSignal
}

export type FetchedRepository = {
  /** A bare repository with the branches `base` and `head`. */
  folder: string
  /** Removes it. */
  close(): Promise<void>
}

/** Where the repository of a case comes from. */
export type FetchRepository = (
  one: Pick<EvalCase, 'repo' | 'url' | 'base' | 'head'>,
  options: FetchOptions,
) => Promise<FetchedRepository>

const longestFetchMs = 30 * 60_000

/** Throws `repository-unavailable` when there is no place to fetch it from, or when a commit is not there. */
export async function fetchRepository(
  { repo, url, base, head }: Pick<EvalCase, 'repo' | 'url' | 'base' | 'head'>,
  { mirrors, history, signal }: FetchOptions,
): Promise<FetchedRepository> {
  const mirror = mirrorOf(repo, mirrors)
  const source = mirror === null ? addressOf(repo, url, mirrors) : pathToFileURL(mirror).href
  const { path: root, close } = caseFolder()
  const folder = join(root, 'repo.git')
  try {
    mkdirSync(folder)
    const trust = join(root, 'config')
    // The mirror may belong to another user; only objects are read from it.
    writeFileSync(trust, '[safe]\n\tdirectory = *\n')
    const options = {
      timeoutMs: longestFetchMs,
      signal,
      env: { GIT_ALLOW_PROTOCOL: 'file:https:ssh', GIT_CONFIG_GLOBAL: trust },
    }
    await runGit(folder, ['init', '--quiet', '--bare', '--template='])
    const wanted = [`${head}:refs/heads/head`, `${base}:refs/heads/base`]
    const settings = ['-c', 'protocol.version=2', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false']
    const fetch = (depth: number) => {
      const cut = depth > 0 ? [`--depth=${depth}`] : []
      return runGit(
        folder,
        [...settings, 'fetch', '--quiet', '--no-tags', ...cut, source, ...wanted],
        options,
      )
    }
    await fetch(history).catch((error) => {
      // A mirror may lack large files that nobody needs; git will not fetch from it, but the rest can be copied.
      if (signal?.aborted || mirror === null) throw error
      return copyObjects(mirror, folder, { base, head }, history, options)
    })
    rmSync(join(folder, 'FETCH_HEAD'), { force: true })
    return { folder, close }
  } catch (error) {
    await close()
    if (signal?.aborted || !(error instanceof UserError)) throw error
    throw new EvaluationError('repository-unavailable', `${repo}: ${error.message}`, { cause: error })
  }
}

/** An empty folder for the repository of a case. */
export function caseFolder(): { path: string; close(): Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), 'sightline-case-'))
  return { path, close: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
}

function addressOf(repo: string, url: string | null, mirrors: string | null): string {
  if (url !== null && /^(?:https|ssh|file):\/\//.test(url)) return url
  const tried = mirrors === null ? 'no folder of mirrors was named' : 'no mirror has it'
  throw new EvaluationError(
    'repository-unavailable',
    `${repo}: ${tried}, and the case has no address to clone`,
  )
}
