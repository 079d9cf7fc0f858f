/** Another repository on this machine as it is on its default branch, to be read and never reviewed. */
import { UserError } from '../../base/errors.ts'
import { discoverRepository } from '../../base/git/discover.ts'
import { refCommit } from '../../base/git/refs.ts'
import { openShadow } from '../../base/git/shadow.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import { BlobMasks, maskSnapshot, ShownPaths } from '../masked/mask-snapshot.ts'
import { WordScanner } from './blob-text.ts'
import { findCommit } from './resolve.ts'
import { defaultBranchTip, defaultNames } from './select-commits.ts'
import { type ReadLimits, TreeSnapshot } from './snapshot.ts'

export type DefaultBranch = {
  commit: string
  /** ISO 8601, UTC. */
  committedAt: string
  /** As the repository says; null where it was not cloned. */
  originUrl: string | null
  /** With its secrets masked. */
  snapshot: RepoSnapshot
  /** Another branch, the local one before that of `origin`; null where there is none of this name. Closed with this one. */
  branch(name: string): Promise<ReadCommit | null>
  /** By its id; null where it is not there. */
  readCommit(id: string): Promise<ReadCommit | null>
  close(): Promise<void>
}

export type ReadCommit = { commit: string; snapshot: RepoSnapshot }

export type DefaultBranchOptions = {
  limits: ReadLimits
  borrowFrom: readonly string[]
  signal: AbortSignal
  /** A commit that it was at, to read that one; null for its newest. */
  at: string | null
}

/** Throws `not-a-repository`, `repository-unsafe`, `unknown-ref` for one without a commit, `git-…`. */
export async function openDefaultBranch(
  folder: string,
  { limits, borrowFrom, signal, at }: DefaultBranchOptions,
): Promise<DefaultBranch> {
  const shadow = await openShadow(folder, signal, borrowFrom)
  try {
    const tip = at === null ? await defaultBranchTip(shadow) : await findCommit(shadow, at)
    if (!tip)
      throw new UserError(
        'unknown-ref',
        at === null ? `${folder} has no commit` : `${at.slice(0, 12)} in ${folder}`,
      )
    const [scanner, masks, paths] = [
      new WordScanner(shadow, limits.fileBytes),
      new BlobMasks(),
      new ShownPaths(),
    ]
    const snapshotOf = ({ tree }: { tree: string }) =>
      maskSnapshot(new TreeSnapshot(shadow, tree, limits, scanner), masks, paths)
    const readCommit = (found: Awaited<ReturnType<typeof findCommit>> | undefined) =>
      found ? { commit: found.id, snapshot: snapshotOf(found) } : null
    return {
      commit: tip.id,
      committedAt: new Date(tip.time * 1000).toISOString(),
      originUrl: shadow.config.originUrl,
      snapshot: snapshotOf(tip),
      async branch(name) {
        const refs = [`refs/heads/${name}`, `refs/remotes/origin/${name}`]
        const [local, remote] = await Promise.all(refs.map((ref) => findCommit(shadow, ref)))
        return readCommit(local ?? remote)
      },
      readCommit: async (id) => readCommit(await findCommit(shadow, id)),
      close: () => shadow.close(),
    }
  } catch (error) {
    await shadow.close()
    throw error
  }
}

/** What `openDefaultBranch` would read, looked up in files alone; null where that takes git. */
export function peekDefaultBranch(folder: string): string | null {
  const repository = discoverRepository(folder)
  const named = refCommit(repository, 'refs/remotes/origin/HEAD')
  if (named !== null) return named
  for (const name of defaultNames)
    for (const ref of [`refs/remotes/origin/${name}`, `refs/heads/${name}`]) {
      const commit = refCommit(repository, ref)
      if (commit !== null) return commit
    }
  return null
}
