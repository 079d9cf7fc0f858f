/** Selectors that look at what is not committed: the index, the work tree, or both. */
import { UserError } from '../../base/errors.ts'
import type { Shadow } from '../../base/git/shadow.ts'
import type { Revision } from '../../domain/review-request.ts'
import { mergeBase, resolveCommit } from './resolve.ts'
import { selectBranch } from './select-commits.ts'
import { headName, headOf, requireHead, revisionOf, type Selection, undescribed } from './selection.ts'
import { indexTree, type WorkTreeLimits, workTreeTree } from './work-tree.ts'

/** HEAD against the work tree, with untracked files. */
export async function selectUncommitted(shadow: Shadow, limits: WorkTreeLimits): Promise<Selection> {
  const { base, historyFrom } = await headRevision(shadow)
  const { tree, ...rest } = await workTreeTree(shadow, limits, { untracked: true })
  if (historyFrom === null && tree === shadow.emptyTree && rest.unread.length === 0)
    throw new UserError('nothing-to-review', shadow.repository.workTree ?? shadow.repository.gitDir)
  const head = headAt(tree, base)
  return {
    kind: 'uncommitted',
    label: 'uncommitted changes',
    base,
    head,
    ...undescribed,
    ...rest,
    historyFrom,
  }
}

/** HEAD against the index. Throws `unmerged-index`. */
export async function selectStaged(shadow: Shadow): Promise<Selection> {
  const { base, historyFrom } = await headRevision(shadow)
  const tree = await indexTree(shadow, { conflicts: 'refuse' })
  const head = headAt(tree, base)
  const rest = { limits: [], unread: [], historyFrom }
  return { kind: 'staged', label: 'staged changes', base, head, ...undescribed, ...rest }
}

/** The index against the work tree; as with `git diff`, untracked files are no part of it. */
export async function selectUnstaged(shadow: Shadow, limits: WorkTreeLimits): Promise<Selection> {
  const { historyFrom } = await headRevision(shadow)
  const base = { commit: null, tree: await indexTree(shadow, { conflicts: 'ours' }) }
  const { tree, ...rest } = await workTreeTree(shadow, limits, { untracked: false })
  const head = { commit: null, tree }
  return { kind: 'unstaged', label: 'unstaged changes', base, head, ...undescribed, ...rest, historyFrom }
}

/** Where HEAD left `name`, against the work tree when that is dirty, else against HEAD. */
export async function selectBase(shadow: Shadow, name: string, limits: WorkTreeLimits): Promise<Selection> {
  const committed = await selectBranch(shadow, name)
  if (shadow.repository.workTree === null) return committed
  const { tree, ...rest } = await workTreeTree(shadow, limits, { untracked: true })
  if (tree === committed.head.tree) return { ...committed, ...rest }
  const head = await requireHead(shadow)
  const base = await mergeBase(shadow, await resolveCommit(shadow, name), head)
  return {
    ...committed,
    ...rest,
    label: `${headName(shadow, head)} with uncommitted changes against ${name}`,
    base: revisionOf(base),
    head: { commit: null, tree },
  }
}

export async function headRevision(shadow: Shadow): Promise<{ base: Revision; historyFrom: string | null }> {
  const head = await headOf(shadow)
  if (!head) return { base: { commit: null, tree: shadow.emptyTree }, historyFrom: null }
  return { base: revisionOf(head), historyFrom: head.id }
}

/** An unchanged tree is HEAD's, commit and all. */
function headAt(tree: string, base: Revision): Revision {
  return tree === base.tree ? base : { commit: null, tree }
}
