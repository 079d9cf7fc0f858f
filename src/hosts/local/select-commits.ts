/** Selectors that compare commits: one commit, a range, a branch against its base. */
import { UserError } from '../../base/errors.ts'
import { type CommitObject, readCommit } from '../../base/git/commit-object.ts'
import type { Shadow } from '../../base/git/shadow.ts'
import { shortenIds } from '../../base/short-ids.ts'
import { findCommit, findMergeBase, mergeBase, resolveCommit, shortId } from './resolve.ts'
import {
  describeCommit,
  describeRange,
  headName,
  headOf,
  requireHead,
  revisionOf,
  type Selection,
} from './selection.ts'

/** A commit against its first parent, or against nothing when it has none. */
export async function selectCommit(shadow: Shadow, name: string): Promise<Selection> {
  return ofCommit(shadow, await resolveCommit(shadow, name))
}

export async function selectLastCommit(shadow: Shadow): Promise<Selection> {
  const selection = await ofCommit(shadow, await requireHead(shadow))
  return { ...selection, label: `last ${selection.label}` }
}

async function ofCommit(shadow: Shadow, commit: CommitObject): Promise<Selection> {
  const [first] = commit.parents
  const parent = first === undefined ? null : await readCommit(shadow.objects, first)
  if (first !== undefined && !parent) {
    const why = shadow.shallow.has(commit.id)
      ? 'this clone is shallow and ends there; to fetch its parent, run `git fetch --deepen=1`'
      : 'its parent is missing'
    throw new UserError('no-merge-base', `commit ${shortId(commit.id)}: ${why}`)
  }
  return {
    kind: 'commit',
    label: `commit ${shortId(commit.id)}`,
    base: parent ? revisionOf(parent) : { commit: null, tree: shadow.emptyTree },
    head: revisionOf(commit),
    ...describeCommit(commit),
    limits: [],
    unread: [],
    historyFrom: parent?.id ?? null,
  }
}

/** `A..B` compares the two, `A...B` starts at their merge base; a side left empty is HEAD. */
export async function selectRange(shadow: Shadow, range: string): Promise<Selection> {
  const match = /^(.*?)(\.{2,3})(.*)/s.exec(range)
  if (!match) throw new UserError('usage', `\`${range.slice(0, 200)}\` is not a range; write A..B or A...B`)
  const [, from = '', dots = '', to = ''] = match
  const left = await resolveCommit(shadow, from || 'HEAD')
  const head = await resolveCommit(shadow, to || 'HEAD')
  const base = dots === '...' ? await mergeBase(shadow, left, head) : left
  // Ids say nothing to people; the names of branches do.
  const subject = fullId.test(to) ? ` (${cutSubject(head.subject)})` : ''
  return {
    kind: 'range',
    label: `range ${shortenIds(range)}${subject}`,
    base: revisionOf(base),
    head: revisionOf(head),
    ...(await describeRange(shadow, base.id, head.id, shortenIds(to || 'HEAD'))),
    limits: [],
    unread: [],
    historyFrom: base.id,
  }
}

const fullId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

function cutSubject(subject: string): string {
  const most = 50
  return subject.length <= most ? subject : `${subject.slice(0, most - 1)}…`
}

/** HEAD against the point where it left `name`. */
export async function selectBranch(shadow: Shadow, name: string): Promise<Selection> {
  const base = await resolveCommit(shadow, name)
  const head = await requireHead(shadow)
  return ofBranch(shadow, await mergeBase(shadow, base, head), head, name, headName(shadow, head))
}

/**
 * A branch against where it left the default branch, as a person means it who names it. The default branch itself is
 * what has not been pushed of it, else its last commit; any other name is the commit it stands for.
 */
export async function selectNamed(shadow: Shadow, name: string): Promise<Selection> {
  const short = name.replace(/^refs\/(?:heads|remotes)\//, '')
  // No name of a branch holds these; `feature~2` is a commit of one.
  if (/[~^:]|@\{/.test(name)) return selectCommit(shadow, name)
  const refs = [`refs/heads/${short}`, `refs/remotes/${short}`]
  const found = await Promise.all(refs.map((ref) => findCommit(shadow, ref)))
  const tip = found.find((commit) => commit !== null) ?? null
  // A name that is given twice means what git takes it for.
  if (!tip || (await findCommit(shadow, name))?.id !== tip.id) return selectCommit(shadow, name)
  const left = await leftFrom(shadow, tip, short)
  const branch = found[0] ? short : short.replace(/^[^/]+\//, '')
  if (left && left.ahead > 0) return { ...(await ofBranch(shadow, left.base, tip, left.name, short)), branch }
  const isDefault = left === null || (await defaultBranches(shadow)).includes(short)
  if (!isDefault) return { ...(await ofBranch(shadow, tip, tip, left.name, short)), branch }
  const selection = await ofCommit(shadow, tip)
  return { ...selection, label: `last ${selection.label} of ${short}` }
}

async function ofBranch(
  shadow: Shadow,
  base: CommitObject,
  head: CommitObject,
  against: string,
  name: string,
): Promise<Selection> {
  return {
    kind: 'branch',
    label: `branch ${name} against ${against}`.replace(/^branch HEAD /, 'HEAD '),
    base: revisionOf(base),
    head: revisionOf(head),
    ...(await describeRange(shadow, base.id, head.id, name)),
    limits: [],
    unread: [],
    historyFrom: base.id,
  }
}

/** In the order in which they are looked for. */
export const defaultNames = ['main', 'master', 'trunk', 'develop']

/**
 * HEAD against the default branch, local or remote, whichever it left last; null when there is none or HEAD
 * is not ahead of it. On the default branch itself this is what has not been pushed.
 */
export async function selectAgainstDefault(shadow: Shadow): Promise<Selection | null> {
  const head = await headOf(shadow)
  if (!head) return null
  const current = headName(shadow, head)
  const left = await leftFrom(shadow, head, current)
  return left && left.ahead > 0 ? ofBranch(shadow, left.base, head, left.name, current) : null
}

type Left = { base: CommitObject; name: string; ahead: number }

/** Where a branch left the default one, and how many commits it is ahead of it; null when there is no other branch. */
async function leftFrom(shadow: Shadow, head: CommitObject, current: string): Promise<Left | null> {
  let best: Left | null = null
  for (const name of await defaultBranches(shadow)) {
    if (name === current) continue
    const tip = await findCommit(shadow, name.includes('/') ? `refs/remotes/${name}` : `refs/heads/${name}`)
    const base = tip && (await findMergeBase(shadow, tip.id, head.id))
    if (!base) continue
    const ahead = await countAhead(shadow, base.id, head.id)
    if (!best || ahead < best.ahead) best = { base, name, ahead }
  }
  return best
}

/** The newest that is known of the default branch: as `origin` had it, else the local one, else HEAD. Null without a commit. */
export async function defaultBranchTip(shadow: Shadow): Promise<CommitObject | null> {
  const names = await defaultBranches(shadow)
  const remote = names.find((name) => name.includes('/'))
  return await findCommit(shadow, remote ? `refs/remotes/${remote}` : (names[0] ?? 'HEAD'))
}

/** `main` and `origin/main` for the first default name that exists; origin/HEAD says which, where it is set. */
async function defaultBranches(shadow: Shadow): Promise<string[]> {
  const named = shadow.symbolicRef('refs/remotes/origin/HEAD')?.replace(/^refs\/remotes\/origin\//, '')
  for (const name of named ? [named] : defaultNames) {
    const refs = [`refs/heads/${name}`, `refs/remotes/origin/${name}`]
    const found = await Promise.all(refs.map((ref) => findCommit(shadow, ref)))
    const names = [name, `origin/${name}`].filter((_, index) => found[index])
    if (names.length > 0) return names
  }
  return []
}

async function countAhead(shadow: Shadow, base: string, head: string): Promise<number> {
  const counted = await shadow.run(['rev-list', '--count', head, `^${base}`])
  return Number(counted.toString('latin1'))
}
