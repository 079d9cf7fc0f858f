/** From what people write (branches, tags, ranges) to commits. Names go to git on its input, never as options. */
import { UserError } from '../../base/errors.ts'
import { type CommitObject, maxCommitBytes, readCommit } from '../../base/git/commit-object.ts'
import type { Shadow } from '../../base/git/shadow.ts'
import { editDistance } from '../../config/nearest-word.ts'

/** The commit that a name means. Throws `unknown-ref` with the most similar names. */
export async function resolveCommit(shadow: Shadow, name: string): Promise<CommitObject> {
  const commit = await findCommit(shadow, name)
  if (commit) return commit
  const found = nearest(name, await branchNames(shadow))
  const hint = found.length > 0 ? `; did you mean ${found.map((ref) => `\`${ref}\``).join(' or ')}?` : ''
  const cut = shadow.shallow.size > 0 ? '; this clone is shallow, so it may only be missing here' : ''
  throw new UserError('unknown-ref', `\`${name.slice(0, 200)}\`${hint || cut}`)
}

/** As `resolveCommit`, but null when there is no such commit. Throws `commit-too-large`. */
export async function findCommit(shadow: Shadow, name: string): Promise<CommitObject | null> {
  if (name === '' || name.length > 1000) return null
  const header = await shadow.objects.info(`${name}^{commit}`)
  if (header?.type !== 'commit') return null
  if (header.size > maxCommitBytes)
    throw new UserError('commit-too-large', `${shortId(header.id)} has ${header.size} bytes`)
  return readCommit(shadow.objects, header.id)
}

/** The best common ancestor of two commits. Throws `no-merge-base`, and says when the clone is shallow. */
export async function mergeBase(shadow: Shadow, one: CommitObject, two: CommitObject): Promise<CommitObject> {
  const base = await findMergeBase(shadow, one.id, two.id)
  if (base) return base
  const why = shadow.shallow.size > 0 ? ' (this clone is shallow)' : ''
  throw new UserError('no-merge-base', `${shortId(one.id)} and ${shortId(two.id)}${why}`)
}

export async function findMergeBase(shadow: Shadow, one: string, two: string): Promise<CommitObject | null> {
  const { code, stdout } = await shadow.try(['merge-base', one, two])
  const id = stdout.toString('latin1').trim()
  return code === 0 ? readCommit(shadow.objects, id) : null
}

/** Commits of `head` that `base` lacks, without merges, oldest first; at most `limit` of the newest. */
export async function commitsBetween(
  shadow: Shadow,
  base: string,
  head: string,
  limit: number,
): Promise<CommitObject[]> {
  const flags = ['--topo-order', '--no-merges', `--max-count=${limit}`]
  const { code, stdout } = await shadow.try(['rev-list', ...flags, head, `^${base}`])
  if (code !== 0) return []
  const ids = stdout.toString('latin1').split('\n').filter(Boolean)
  const commits = await Promise.all(ids.map((id) => readCommit(shadow.objects, id)))
  return commits.flatMap((commit) => (commit ? [commit] : [])).reverse()
}

/** Short names of branches and tags, remote ones too, in git's order. */
async function branchNames(shadow: Shadow): Promise<string[]> {
  const args = ['for-each-ref', '--count=5000', '--format=%(refname:lstrip=2)']
  const { stdout } = await shadow.try([...args, 'refs/heads', 'refs/remotes', 'refs/tags'])
  return [...new Set(stdout.toString('utf8').split('\n').filter(Boolean))]
}

export function shortId(id: string): string {
  return id.slice(0, 7)
}

/** At most three of `names`, nearest first, whose edit distance is small beside the length of `wanted`. */
function nearest(wanted: string, names: readonly string[]): string[] {
  if (wanted.length > 100) return []
  const limit = Math.max(2, Math.floor(wanted.length / 3))
  return names
    .filter((name) => Math.abs(name.length - wanted.length) <= limit)
    .map((name) => ({ name, distance: editDistance(wanted, name) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)
}
