/** Git questions of the miners, asked of a repository that is only read. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { EvaluationError } from '../base/errors.ts'
import { runGit, tryGit } from '../base/git.ts'

export type MinedCommit = { commit: string; parents: string[]; subject: string; message: string }

export type MinedHistory = {
  /** Newest first, without merges, at most so many. */
  log(limit: number): Promise<MinedCommit[]>
  /** The full id of a commit that is named by a part of it; null when there is none, or more than one. */
  resolve(name: string): Promise<string | null>
  isAncestor(older: string, newer: string): Promise<boolean>
  /** The patch between two commits without context; empty when it cannot be had. */
  patch(from: string, to: string, paths?: readonly string[]): Promise<string>
  /** Lines of a file at a commit; null when it is not there. */
  lines(commit: string, path: string): Promise<string[] | null>
}

const mostBytes = 512 * 1024 * 1024

/** Throws `repository-unavailable` for a folder that is not in a repository. */
export async function openHistory(folder: string): Promise<MinedHistory> {
  const gitDir = await gitDirOf(folder)
  const git = async (args: readonly string[]): Promise<string | null> => {
    const { code, stdout } = await tryGit(gitDir, ['-c', 'core.quotePath=false', ...args], {
      maxBytes: mostBytes,
    })
    return code === 0 ? stdout.toString('utf8') : null
  }
  return {
    async log(limit) {
      const format = '--format=%x1e%H%x1f%P%x1f%s%x1f%B'
      const text = await git(['log', '--no-merges', `--max-count=${limit}`, format, 'HEAD'])
      return (text ?? '')
        .split('\u001e')
        .slice(1)
        .map((entry) => {
          const [commit = '', parents = '', subject = '', message = ''] = entry.split('\u001f')
          return { commit, parents: parents.split(' ').filter(Boolean), subject, message: message.trim() }
        })
    },
    async resolve(name) {
      const found = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])
      return found?.trim() || null
    },
    isAncestor: async (older, newer) => (await git(['merge-base', '--is-ancestor', older, newer])) !== null,
    async patch(from, to, paths = []) {
      const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '-U0']
      return (await git(['diff', ...plain, from, to, '--', ...paths])) ?? ''
    },
    async lines(commit, path) {
      return (await git(['cat-file', 'blob', `${commit}:${path}`]))?.split('\n') ?? null
    },
  }
}

async function gitDirOf(folder: string): Promise<string> {
  const bare = resolve(folder)
  const candidates = [join(bare, '.git'), bare].filter((place) => existsSync(place))
  for (const place of candidates) {
    // The `.git` of a linked work tree is a file: git itself says where it points.
    const found = await runGit(bare, ['rev-parse', '--absolute-git-dir'], { env: { GIT_DIR: place } }).catch(
      () => null,
    )
    if (found) return found.toString('utf8').trim()
  }
  throw new EvaluationError('repository-unavailable', `${folder}: it is not a git repository`)
}
