/** Collects a change from a local repository: what is compared with what, and read access to both sides. */
import { writeAll } from '../../base/durable.ts'
import { discoverRepository } from '../../base/git/discover.ts'
import { gitFailure } from '../../base/git/run.ts'
import { openShadow, type Shadow } from '../../base/git/shadow.ts'
import type { ChangeSelector, ChangeSource, CollectedChange } from '../contract.ts'
import { maskChange } from '../masked/mask-change.ts'
import { type KnownWords, WordScanner } from './blob-text.ts'
import { CommitHistory } from './history.ts'
import { selectPatch } from './patch.ts'
import { diffTrees } from './raw-diff.ts'
import {
  selectAgainstDefault,
  selectCommit,
  selectLastCommit,
  selectNamed,
  selectRange,
} from './select-commits.ts'
import { selectUnsaved } from './select-unsaved.ts'
import { selectBase, selectStaged, selectUncommitted, selectUnstaged } from './select-work-tree.ts'
import { currentBranch, limitTo, namedPaths, type Selection } from './selection.ts'
import { TreeSnapshot } from './snapshot.ts'

export type CollectOptions = {
  /** Any folder inside the repository, or a bare repository. */
  folder: string
  selector: ChangeSelector
  limits: { changedFiles: number; fileBytes: number; treeEntries: number }
  /** Folders whose objects the repository may use though they lie elsewhere; none when not given. */
  borrowFrom?: readonly string[]
  signal?: AbortSignal
}

/** A change of a repository on this machine. */
export function localSource(where: Pick<CollectOptions, 'folder' | 'selector' | 'borrowFrom'>): ChangeSource {
  return {
    collect: (limits, signal) => collectLocal({ ...where, limits, signal }),
    workTree: () => discoverRepository(where.folder).workTree,
  }
}

/**
 * Freezes what is to be reviewed, with its secrets masked. Throws a `UserError` when there is nothing to compare:
 * `not-a-repository`, `repository-unsafe`, `unknown-ref`, `no-merge-base`, `unmerged-index`, `nothing-to-review`, `patch-…`, `git-…`.
 */
export async function collectLocal(options: CollectOptions): Promise<CollectedChange> {
  const shadow = await openShadow(options.folder, options.signal, options.borrowFrom)
  try {
    return maskChange(await collectWithin(shadow, options.selector, options.limits, null))
  } catch (error) {
    await shadow.close()
    throw error
  }
}

/** `earlier`: what was selected within other limits; what is compared then depends on them only in a work tree. */
async function collectWithin(
  shadow: Shadow,
  selector: ChangeSelector,
  limits: CollectOptions['limits'],
  earlier: { selection: Selection; changedFiles: number } | null,
): Promise<CollectedChange> {
  const isSame = earlier?.changedFiles === limits.changedFiles || isCommitted.has(selector.kind)
  const selection = earlier && isSame ? earlier.selection : await select(shadow, selector, limits)
  const paths = await namedPaths(shadow, selector)
  const known = { selection, changedFiles: limits.changedFiles }
  return {
    ...collected(shadow, limitTo(selection, paths), paths, limits),
    within: (others) => collectWithin(shadow, selector, others, known),
  }
}

const isCommitted: ReadonlySet<ChangeSelector['kind']> = new Set(['range', 'commit', 'patch', 'staged'])

function select(
  shadow: Shadow,
  selector: ChangeSelector,
  limits: CollectOptions['limits'],
): Promise<Selection> {
  switch (selector.kind) {
    case 'auto':
      return selectExpected(shadow, limits)
    case 'uncommitted':
      return selectUncommitted(shadow, limits)
    case 'staged':
      return selectStaged(shadow)
    case 'unstaged':
      return selectUnstaged(shadow, limits)
    case 'base':
      return selectBase(shadow, selector.base, limits)
    case 'range':
      return selectRange(shadow, selector.range)
    case 'commit':
      return selectCommit(shadow, selector.commit)
    case 'name':
      return selectNamed(shadow, selector.name)
    case 'patch':
      return selectPatch(shadow, selector.patch, selector.base)
    case 'unsaved':
      return selectUnsaved(shadow, selector.files, limits)
  }
}

/** What a person expects: uncommitted changes; else this branch against the default one; else the last commit. */
async function selectExpected(shadow: Shadow, limits: CollectOptions['limits']): Promise<Selection> {
  if (shadow.repository.workTree !== null) {
    const uncommitted = await selectUncommitted(shadow, limits)
    if (uncommitted.head.tree !== uncommitted.base.tree || uncommitted.unread.length > 0) return uncommitted
  }
  return (await selectAgainstDefault(shadow)) ?? selectLastCommit(shadow)
}

/** What an earlier change of the same shadow has left, so that this one costs what is new in it. */
export type KnownTrees = { words: KnownWords; near: TreeSnapshot | null }

/** What is selected, with read access to both sides. */
export function collected(
  shadow: Shadow,
  { kind, label, historyFrom, limits, branch, ...rest }: Selection,
  paths: readonly string[],
  caps: CollectOptions['limits'],
  { words, near }: KnownTrees = { words: new Map(), near: null },
): CollectedChange {
  const scanner = new WordScanner(shadow, caps.fileBytes, words)
  const { workTree, gitDir } = shadow.repository
  const head = new TreeSnapshot(shadow, rest.head.tree, caps, scanner, near)
  return {
    request: {
      schemaVersion: 1,
      source: { kind, label, ...(paths.length > 0 ? { paths: [...paths] } : {}) },
      objectFormat: shadow.objectFormat,
      ...rest,
      limits:
        shadow.shallow.size > 0
          ? [...limits, 'shallow clone, history is incomplete: run `git fetch --unshallow` to fetch it']
          : limits,
    },
    base: new TreeSnapshot(shadow, rest.base.tree, caps, scanner, near ?? head),
    head,
    history: new CommitHistory(shadow, historyFrom),
    repositoryLabel: workTree ?? gitDir,
    originUrl: shadow.config.originUrl,
    branch: async () => branch ?? (isOnHead.has(kind) ? currentBranch(shadow) : null),
    diff: () => diffTrees(shadow, rest.base.tree, rest.head.tree, caps, paths.length > 0 ? paths : undefined),
    pack: (file) => packTrees(shadow, [rest.base.tree, rest.head.tree], file),
    close: () => shadow.close(),
  }
}

/** Changes made on what is checked out; any other may be on another branch, or on none. */
const isOnHead: ReadonlySet<Selection['kind']> = new Set(['uncommitted', 'staged', 'unstaged', 'branch'])

/** Packing a large tree cold takes a while; a stuck git must still end. */
const timeoutMs = 600_000

/**
 * Writes what a review reads of a repository, two whole trees, as one git pack. It has no commits: history travels as data.
 * Objects that a partial clone lacks are left out, as a review of that clone would do without them. Throws `git-failed`, and what
 * writing to `file` throws.
 */
async function packTrees(shadow: Shadow, trees: readonly string[], file: number): Promise<void> {
  const args = ['pack-objects', '--stdout', '--revs', '--missing=allow-any', '--quiet', '--delta-base-offset']
  const wanted = [...new Set(trees)].filter((tree) => tree !== shadow.emptyTree)
  const input = wanted.map((tree) => `${tree}\n`).join('')
  const write = (chunk: Buffer): undefined => {
    writeAll(file, chunk)
  }
  const end = await shadow.stream(args, write, { input, timeoutMs })
  if (end.code !== 0) throw gitFailure(args, end.stderr, end.code)
}
