/** Real branches of public repositories that were merged: what their authors pushed, commit by commit. */
import { spawnSync } from 'node:child_process'
import type { Random } from '../../test/helpers/random.ts'

/** A push, with where the branch left the one that it was merged into: a push may bring that one into the branch. */
export type Head = { base: string; head: string }

export type PushSequence = {
  /** The merge. */
  id: string
  repository: string
  /** In their order. */
  heads: Head[]
}

/** A branch that was merged into another one. */
type Merged = { merge: string; into: string; branch: string }

const merges = 600
const fewestPushes = 3
/** The last ones of a long branch. */
const mostPushes = 6
/** A change that touches more is a release or a move of files, and no review. */
const mostFiles = 60

/** Merged branches of one repository, in an order that `random` decides. */
export function readMerges(repository: string, random: Random): Merged[] {
  const listed = git(repository, [
    'log',
    '--merges',
    '--first-parent',
    `--max-count=${merges}`,
    '--format=%H %P',
  ])
  const found = listed.flatMap((line): Merged[] => {
    const [merge, into, branch, ...more] = line.split(' ')
    return merge && into && branch && more.length === 0 ? [{ merge, into, branch }] : []
  })
  const shuffled = found.map((one) => ({ one, at: random.next() })).sort((a, b) => a.at - b.at)
  return shuffled.map(({ one }) => one)
}

/** The pushes of a branch; null where there are too few, or the change is not one for a review. */
export function readPushes(repository: string, { merge, into, branch }: Merged): PushSequence | null {
  const own = git(repository, ['rev-list', '--first-parent', '--reverse', `${into}..${branch}`])
  if (own.length < fewestPushes) return null
  const files = git(repository, ['diff', '--name-only', `${into}...${branch}`])
  if (files.length === 0 || files.length > mostFiles) return null
  const heads = own.slice(-mostPushes).flatMap((head): Head[] => {
    const [base] = git(repository, ['merge-base', into, head])
    return base === undefined || base === head ? [] : [{ base, head }]
  })
  return heads.length < fewestPushes ? null : { id: merge, repository, heads }
}

/** Lines of what it prints; none where it fails. */
function git(repository: string, args: readonly string[]): string[] {
  const options = { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 } as const
  const ran = spawnSync('git', ['--git-dir', repository, ...args], options)
  return ran.status === 0 ? ran.stdout.split('\n').filter((line) => line !== '') : []
}
