/** Applies a patch to a tree, in a private index: no file of the work tree is read or written. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { listTree } from '../../base/git/list-tree.ts'
import type { Shadow } from '../../base/git/shadow.ts'
import { resolveCommit } from './resolve.ts'
import { headOf, revisionOf, type Selection, undescribed } from './selection.ts'

const maxPatchBytes = 64 * 1024 * 1024

/** What `patch` makes of `baseName` (HEAD when null). Throws `patch-…` errors. */
export async function selectPatch(
  shadow: Shadow,
  patch: Uint8Array,
  baseName: string | null,
  maxEntries: number,
): Promise<Selection> {
  const commit = baseName === null ? await headOf(shadow) : await resolveCommit(shadow, baseName)
  const base = commit ? revisionOf(commit) : { commit: null, tree: shadow.emptyTree }
  return {
    kind: 'patch',
    label: baseName === null ? 'patch' : `patch on ${baseName}`,
    base,
    head: {
      commit: null,
      tree: await applyPatch(shadow, patch, { name: baseName ?? 'HEAD', tree: base.tree }, maxEntries),
    },
    ...undescribed,
    limits: [],
    unread: [],
    historyFrom: base.commit,
  }
}

async function applyPatch(
  shadow: Shadow,
  patch: Uint8Array,
  { name, tree }: { name: string; tree: string },
  maxEntries: number,
): Promise<string> {
  if (patch.length > maxPatchBytes)
    throw new UserError('patch-unreadable', `larger than ${maxPatchBytes} bytes`)
  if (Buffer.from(patch).toString('latin1').trim() === '')
    throw new UserError('patch-empty', 'it has no lines')
  // Without `--apply` git only parses, so this tells an unreadable patch from one that does not fit.
  const parsed = await shadow.try(['apply', '--numstat', '-z'], { input: patch })
  if (parsed.code !== 0) throw new UserError('patch-unreadable', gitReason(parsed.stderr))
  // `read-tree` has no cap of its own; the streamed list tells first whether the tree is a bomb.
  await listTree(shadow.objects, tree, maxEntries)
  const index = join(shadow.root, 'patch-index')
  const env = { GIT_INDEX_FILE: index }
  await shadow.run(['read-tree', tree], { env })
  const { code, stderr } = await shadow.try(['apply', '--cached', '--whitespace=nowarn'], {
    env,
    input: patch,
  })
  if (code !== 0) {
    const undo = ['apply', '--cached', '--check', '--reverse', '--whitespace=nowarn']
    const undone = await shadow.try(undo, { env, input: patch })
    if (undone.code === 0)
      throw new UserError('patch-already-applied', `\`${name}\` already contains all of its changes`)
    throw new UserError('patch-does-not-apply', gitReason(stderr))
  }
  const written = await shadow.run(['write-tree', '--missing-ok'], { env })
  rmSync(index, { force: true })
  return written.toString('latin1').trim()
}

/** Git's own words name the first file and the reason. */
function gitReason(words: string): string {
  return words.replaceAll('error: ', '')
}
