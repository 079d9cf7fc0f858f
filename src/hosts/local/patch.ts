/**
 * Applies a patch to a tree, in a private index that holds the files it touches and no others: no file of the work tree is
 * read or written, and the size of the tree does not matter.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import type { Shadow } from '../../base/git/shadow.ts'
import { folderMode, TreeWalker } from '../../base/git/tree-walk.ts'
import { PathInTheWay, writeChangedTree } from '../../base/git/write-tree.ts'
import { resolveCommit } from './resolve.ts'
import { headOf, revisionOf, type Selection, undescribed } from './selection.ts'

const maxPatchBytes = 64 * 1024 * 1024

/** What `patch` makes of `baseName` (HEAD when null). Throws `patch-…` errors. */
export async function selectPatch(
  shadow: Shadow,
  patch: Uint8Array,
  baseName: string | null,
): Promise<Selection> {
  const commit = baseName === null ? await headOf(shadow) : await resolveCommit(shadow, baseName)
  const base = commit ? revisionOf(commit) : { commit: null, tree: shadow.emptyTree }
  return {
    kind: 'patch',
    label: baseName === null ? 'patch' : `patch on ${baseName}`,
    base,
    head: {
      commit: null,
      tree: await applyPatch(shadow, patch, { name: baseName ?? 'HEAD', tree: base.tree }),
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
): Promise<string> {
  if (patch.length > maxPatchBytes)
    throw new UserError('patch-unreadable', `larger than ${maxPatchBytes} bytes`)
  if (Buffer.from(patch).toString('latin1').trim() === '')
    throw new UserError('patch-empty', 'it has no lines')
  // Without `--apply` git only parses, so this tells an unreadable patch from one that does not fit.
  const parsed = await shadow.try(['apply', '--numstat', '-z'], { input: patch })
  if (parsed.code !== 0) throw new UserError('patch-unreadable', gitReason(parsed.stderr))
  // Of a rename each way names one path.
  const undone = await shadow.try(['apply', '--numstat', '-z', '--reverse'], { input: patch })
  const touched = [...new Set([...pathsIn(parsed.stdout), ...pathsIn(undone.stdout)])]
  const index = join(shadow.root, 'patch-index')
  const env = { GIT_INDEX_FILE: index }
  await shadow.run(['update-index', '--add', '-z', '--index-info'], {
    env,
    input: await entriesAt(shadow, tree, touched),
  })
  const { code, stderr } = await shadow.try(['apply', '--cached', '--whitespace=nowarn'], {
    env,
    input: patch,
  })
  if (code !== 0) {
    const undo = ['apply', '--cached', '--check', '--reverse', '--whitespace=nowarn']
    const reverted = await shadow.try(undo, { env, input: patch })
    if (reverted.code === 0)
      throw new UserError('patch-already-applied', `\`${name}\` already contains all of its changes`)
    throw new UserError('patch-does-not-apply', gitReason(stderr))
  }
  const changed = new Map<string, { mode: string; id: string } | null>(touched.map((path) => [path, null]))
  for (const { path, mode, id } of entriesIn(await shadow.run(['ls-files', '-s', '-z'], { env })))
    changed.set(path, { mode, id })
  rmSync(index, { force: true })
  try {
    return await writeChangedTree(shadow, tree, changed)
  } catch (error) {
    if (!(error instanceof PathInTheWay)) throw error
    throw new UserError('patch-does-not-apply', `${error.message}: there is something else in its place`)
  }
}

/** Of `apply --numstat -z`: `ADDED<TAB>REMOVED<TAB>path`. Paths are bytes, one per character. */
function pathsIn(numstat: Buffer): string[] {
  return itemsIn(numstat).map((line) => line.split('\t').slice(2).join('\t'))
}

function itemsIn(listing: Buffer): string[] {
  return listing
    .toString('latin1')
    .split('\0')
    .filter((item) => item !== '')
}

/** For `update-index --index-info`: what is at these paths. */
async function entriesAt(shadow: Shadow, tree: string, paths: readonly string[]): Promise<Buffer> {
  const walker = new TreeWalker(shadow.objects)
  const lines: string[] = []
  for (const path of paths) {
    const entry = await walker.find(tree, Buffer.from(path, 'latin1').toString('utf8'))
    if (entry && entry.mode !== folderMode) lines.push(`${entry.mode} ${entry.id}\t${path}\0`)
  }
  return Buffer.from(lines.join(''), 'latin1')
}

/** Of `ls-files -s -z`: `MODE ID STAGE<TAB>path`. */
function entriesIn(listing: Buffer): { path: string; mode: string; id: string }[] {
  return itemsIn(listing).map((line) => {
    const tab = line.indexOf('\t')
    const [mode = '', id = ''] = line.slice(0, tab).split(' ')
    return { path: line.slice(tab + 1), mode, id }
  })
}

/** Git's own words name the first file and the reason. */
function gitReason(words: string): string {
  return words.replaceAll('error: ', '')
}
