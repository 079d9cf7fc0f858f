/**
 * For a process that lives long: keeps the last tree of a repository at hand, so that the next one costs what differs.
 * Facts and texts of unchanged files are taken over; answers are not, since any file may change what a name means.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RepoSnapshot, TreeEntry } from '../../domain/snapshot.ts'
import type { IndexStore } from '../contract.ts'
import { linesOf } from '../resolve/lines.ts'
import { resolveImport } from '../resolve/resolve.ts'
import { indexPaths } from '../resolve/world.ts'
import { flags } from '../segments/blob-words.ts'
import { comparePaths } from '../tree-index/manifest.ts'
import { type Refreshed, refreshTree } from '../tree-index/refresh.ts'
import { openStoredTrees, type StoredTree, type StoredTrees } from '../tree-index/stored-trees.ts'
import type { TreeIndex } from '../tree-index/tree-index.ts'
import type { CodeTree } from './contract.ts'
import { openCodeTree } from './open-tree.ts'
import { resolvedUses } from './references.ts'

/** Files read in one round trip. */
const filesAtOnce = 500

export type LiveOptions = { facts: IndexStore; cacheFolder: string | null; repository: string }

export type LiveTree = { tree: CodeTree; refreshed: Refreshed }

export class LiveTrees {
  private readonly facts: IndexStore
  private readonly stored: StoredTrees | null
  private last: { stored: StoredTree; tree: CodeTree } | null = null

  /** The store stays the caller's, to be closed by it. */
  constructor({ facts, cacheFolder, repository }: LiveOptions) {
    this.facts = facts
    this.stored = openStoredTrees(cacheFolder, repository)
  }

  /** One tree at a time. Throws when the tree names one path twice: no repository that git writes does. */
  async open(snapshot: RepoSnapshot, signal?: AbortSignal): Promise<LiveTree> {
    const { facts, stored, last } = this
    const refreshed = await refreshTree({ snapshot, facts, stored, previous: last?.stored ?? null, signal })
    if (!('tree' in refreshed)) throw new Error(`not indexed: ${refreshed.why}`)
    const { index } = refreshed.tree
    const paths = last && refreshed.samePaths ? last.tree.world.paths : indexPaths(index.entries)
    const differs = last ? differing(last.stored, refreshed.tree) : new Set<string>()
    const known = last ? { paths, earlier: { world: last.tree.world, differs } } : { paths }
    const tree = await openCodeTree(snapshot, facts, { index, ...known })
    this.last = { stored: refreshed.tree, tree }
    return { tree, refreshed }
  }

  /**
   * Reads all of the tree and resolves its imports, and with `uses` every use of a name that the tree defines, so that
   * a question finds little left to do. Lets others have their turn between files.
   */
  async warm(
    live: LiveTree,
    { uses = false, signal }: { uses?: boolean; signal?: AbortSignal } = {},
  ): Promise<void> {
    const { index } = live.refreshed.tree
    const { world } = live.tree
    const paths = index.entries.flatMap(({ path }, at) =>
      index.unitOf(at)?.state === 'indexed' ? [path] : [],
    )
    for (let from = 0; from < paths.length; from += filesAtOnce) {
      const some = paths.slice(from, from + filesAtOnce)
      const texts = await world.texts(some)
      for (const [path, facts] of await world.factsOf(some)) {
        signal?.throwIfAborted()
        const place = { path, facts, enclosing: null, text: texts.get(path) ?? null }
        if (place.text !== null) linesOf(facts, place.text)
        for (const fact of facts.imports) await resolveImport(world, place, fact)
        const names = uses ? new Set(facts.references.map(({ name }) => name)) : []
        for (const name of names) if (isDefined(index, name)) await resolvedUses(world, place, name)
        await nextTurn()
      }
    }
  }
}

function isDefined(index: TreeIndex, name: string): boolean {
  return index.find(name)?.some((hit) => (hit.flags & flags.defined) !== 0) === true
}

/** Paths of the earlier tree at which there is something else now, or nothing. */
function differing(earlier: StoredTree, now: StoredTree): ReadonlySet<string> {
  const differs = new Set<string>()
  const [old, fresh] = [earlier.index.entries, now.index.entries]
  let at = 0
  for (const entry of old) {
    while (at < fresh.length && fresh[at] !== entry && isBefore(fresh[at], entry)) at++
    const same = fresh[at]
    if (same !== entry && (same?.path !== entry.path || same.blob !== entry.blob)) differs.add(entry.path)
  }
  return differs
}

function isBefore(one: TreeEntry | undefined, other: TreeEntry): boolean {
  return one !== undefined && comparePaths(one.path, other.path) < 0
}
