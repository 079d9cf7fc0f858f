/** Selects the work tree with texts that are not on disk yet: those of an editor, or of an agent that writes code. */
import { UserError } from '../../base/errors.ts'
import type { Shadow } from '../../base/git/shadow.ts'
import { isSafePath, TreeWalker } from '../../base/git/tree-walk.ts'
import { PathInTheWay, writeChangedTree } from '../../base/git/write-tree.ts'
import type { UnsavedFile } from '../contract.ts'
import { headRevision } from './select-work-tree.ts'
import { type Selection, undescribed } from './selection.ts'
import { type WorkTreeLimits, workTreeTree } from './work-tree.ts'

const fileMode = '100644'

/** HEAD against that. Nothing of the work tree is written. Throws `usage` for a path that cannot be a file of the repository. */
export async function selectUnsaved(
  shadow: Shadow,
  files: readonly UnsavedFile[],
  limits: WorkTreeLimits,
): Promise<Selection> {
  const unsafe = files.find(({ path }) => !isSafePath(path))
  if (unsafe)
    throw new UserError('usage', `\`${unsafe.path}\` is not a path from the root of the repository.`)
  const { base, historyFrom } = await headRevision(shadow)
  const { tree, ...rest } = await workTreeTree(shadow, limits, { untracked: true })
  const changed = new Map<string, { mode: string; id: string } | null>()
  const walker = new TreeWalker(shadow.objects)
  for (const { path, text } of files) {
    const known = await walker.find(tree, path)
    if (known && !known.mode.startsWith('100'))
      throw new UserError('usage', `\`${path}\` is a folder, a link or a submodule, and not a file.`)
    const key = Buffer.from(path, 'utf8').toString('latin1')
    changed.set(
      key,
      text === null ? null : { mode: known?.mode ?? fileMode, id: await writeBlob(shadow, text) },
    )
  }
  try {
    return {
      kind: 'uncommitted',
      label: 'unsaved text',
      base,
      head: { commit: null, tree: await writeChangedTree(shadow, tree, changed) },
      ...undescribed,
      ...rest,
      historyFrom,
    }
  } catch (error) {
    if (!(error instanceof PathInTheWay)) throw error
    throw new UserError('usage', `${error.message}: there is something else in its place.`)
  }
}

async function writeBlob(shadow: Shadow, text: string): Promise<string> {
  const written = await shadow.run(['hash-object', '-w', '--no-filters', '--stdin'], { input: text })
  return written.toString('latin1').trim()
}
