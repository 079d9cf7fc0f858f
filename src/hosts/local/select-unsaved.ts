/** Selects the work tree with texts that are not on disk yet: those of an editor, or of an agent that writes code. */
import { UserError } from '../../base/errors.ts'
import type { Shadow } from '../../base/git/shadow.ts'
import { isSafePath, TreeWalker } from '../../base/git/tree-walk.ts'
import { type ChangedEntries, PathInTheWay, writeChangedTree } from '../../base/git/write-tree.ts'
import type { UnsavedFile } from '../contract.ts'
import { headRevision } from './select-work-tree.ts'
import { type Selection, undescribed } from './selection.ts'
import { TextWriter } from './text-writer.ts'
import { type WorkTreeLimits, workTreeTree } from './work-tree.ts'

const fileMode = '100644'

/** HEAD against that. Nothing of the work tree is written. Throws `usage` for a path that cannot be a file of the repository. */
export async function selectUnsaved(
  shadow: Shadow,
  files: readonly UnsavedFile[],
  limits: WorkTreeLimits,
): Promise<Selection> {
  const { base, historyFrom } = await headRevision(shadow)
  const { tree, ...rest } = await workTreeTree(shadow, limits, { untracked: true })
  const head = {
    commit: null,
    tree: await treeWith({ shadow, texts: new TextWriter(shadow) }, tree, files, 'refuse'),
  }
  return {
    kind: 'uncommitted',
    label: 'unsaved text',
    base,
    head,
    ...undescribed,
    ...rest,
    historyFrom,
  }
}

/**
 * What `selectUncommitted` selected, as it would be if an editor had saved these texts. A text is left out where saving it would
 * change nothing that git compares: an ignored file, or one behind a link.
 */
export async function withTexts(
  store: TextStore,
  selected: Selection,
  files: readonly UnsavedFile[],
): Promise<Selection> {
  const tree = await treeWith(store, selected.head.tree, files, 'leave-out')
  if (tree === selected.head.tree) return selected
  return { ...selected, head: tree === selected.base.tree ? selected.base : { commit: null, tree } }
}

export type TextStore = {
  shadow: Shadow
  /** Of that shadow. */
  texts: TextWriter
}

type Others = 'refuse' | 'leave-out'

/** `others`: what to do with texts that cannot be files of the tree. */
async function treeWith(
  { shadow, texts }: TextStore,
  tree: string,
  files: readonly UnsavedFile[],
  others: Others,
): Promise<string> {
  if (files.length === 0) return tree
  const walker = new TreeWalker(shadow.objects)
  const written: (UnsavedFile & { mode: string | null })[] = []
  for (const file of files) {
    const mode = isSafePath(file.path) ? ((await walker.find(tree, file.path))?.mode ?? null) : null
    const obstacle = obstacleTo(file, mode)
    if (obstacle === null) written.push({ ...file, mode })
    else if (others === 'refuse') throw new UserError('usage', `\`${file.path}\` ${obstacle}`)
  }
  const fresh = others === 'leave-out' ? written.filter(({ mode }) => mode === null) : []
  const ignored = await texts.ignoredAmong(fresh.map(({ path }) => path))
  const changed = new Map<string, { mode: string; id: string } | null>()
  for (const { path, text, mode } of written) {
    if (mode === null && ignored.has(path)) continue
    const entry = text === null ? null : { mode: mode ?? fileMode, id: await texts.write(path, text) }
    changed.set(Buffer.from(path, 'utf8').toString('latin1'), entry)
  }
  return await writeTree(shadow, tree, changed, others)
}

function obstacleTo({ path }: UnsavedFile, mode: string | null): string | null {
  if (!isSafePath(path)) return 'is not a path from the root of the repository.'
  if (mode !== null && !mode.startsWith('100')) return 'is a folder, a link or a submodule, and not a file.'
  return null
}

async function writeTree(
  shadow: Shadow,
  tree: string,
  changed: ChangedEntries,
  others: Others,
): Promise<string> {
  try {
    return await writeChangedTree(shadow, tree, changed)
  } catch (error) {
    if (!(error instanceof PathInTheWay)) throw error
    // An editor may hold a buffer for a file whose folder has become a file since: it cannot be saved.
    if (others === 'leave-out') return tree
    throw new UserError('usage', `${error.message}: there is something else in its place.`)
  }
}
