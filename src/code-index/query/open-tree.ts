/**
 * Opens one tree for questions through its index: the one that is stored, updated when little is new. When much is,
 * each name costs a pass over the texts instead, and a note says so.
 */
import { count } from '../../base/count.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { FactStore, IndexStore } from '../contract.ts'
import { indexPaths, type Known, openWorld } from '../resolve/world.ts'
import { flags } from '../segments/blob-words.ts'
import { collectGarbageDaily } from '../tree-index/collect-garbage.ts'
import { noPlace } from '../tree-index/manifest.ts'
import { hasUnit } from '../tree-index/read-units.ts'
import { refreshTree } from '../tree-index/refresh.ts'
import { startTree } from '../tree-index/start-tree.ts'
import { openStoredTrees, type StoredTrees } from '../tree-index/stored-trees.ts'
import { TreeIndex } from '../tree-index/tree-index.ts'
import type { CodeTree } from './contract.ts'

export type IndexPlace = {
  /** Null keeps everything in memory. */
  cacheFolder: string | null
  /** What tells the repository from others, such as its place on disk. */
  repository: string
  /** False for a tree that will not be asked about again. */
  keep: boolean
  /** Hears what a person should know and the answer does not tell. */
  onNote?: ((note: string) => void) | undefined
  signal?: AbortSignal | undefined
}

/** What a question may read and parse for the sake of the next ones, and how long that may take. */
const mostBytes = 4 * 2 ** 20
const mostMs = 3_000

export async function openIndexedTree(
  snapshot: RepoSnapshot,
  facts: IndexStore,
  { cacheFolder, repository, keep, onNote, signal }: IndexPlace,
): Promise<CodeTree> {
  const stored = openStoredTrees(cacheFolder, repository)
  const refreshed = await refreshTree({ snapshot, facts, stored, keep, mostBytes, mostMs, signal })
  for (const name of stored?.damaged ?? []) onNote?.(`the index was damaged and is being rebuilt: ${name}`)
  if (cacheFolder !== null && keep) collectGarbageDaily(cacheFolder)
  if (!('tree' in refreshed)) {
    const { missingBytes, missingFiles, why } = refreshed
    const megabytes = (missingBytes / 1e6).toFixed(1)
    onNote?.(
      `not indexed (${why}: ${count(missingFiles, 'file')}, ${megabytes} MB), so all files were read for each name; \`sightline index\` makes questions fast`,
    )
    return openCodeTree(snapshot, facts)
  }
  const { tree, notKept } = refreshed
  if (stored && keep && notKept !== null) onNote?.(`the index is in memory only: ${notKept}`)
  return openCodeTree(snapshot, facts, { index: tree.index, paths: indexPaths(tree.index.entries) })
}

// A tree for questions, with or without an index of its words.

type TreeOptions = Known & {
  /** Of this tree. Without it each new word costs one pass over all bytes. */
  index?: TreeIndex | null
}

/** The snapshot and the store stay the caller's, to be closed by it. Throws `tree-too-large`. */
export async function openCodeTree(
  snapshot: RepoSnapshot,
  store: FactStore,
  { index = null, ...known }: TreeOptions = {},
): Promise<CodeTree> {
  const mentions: CodeTree['mentions'] = index
    ? filedWords(snapshot, index)
    : (words) => snapshot.filesWithWords(words)
  const marked = async (name: string, flag: number): Promise<readonly string[]> => {
    const hits = index?.find(name)
    if (!hits) return (await mentions([name])).get(name) ?? []
    return hits.flatMap((hit) => (hit.flags & flag ? [hit.path] : []))
  }
  const definers = (name: string): Promise<readonly string[]> => marked(name, flags.defined)
  return {
    world: await openWorld(snapshot, store, [], { ...known, definers }),
    mentions,
    async mentionsInLarge(words) {
      return (await snapshot.largeFilesWithWords?.(words)) ?? []
    },
    definers,
    users: (name) => marked(name, flags.used),
    get failures() {
      return store.failures
    },
  }
}

/** From the index; words that it does not file are looked for in the texts. */
export function filedWords(snapshot: RepoSnapshot, index: TreeIndex): CodeTree['mentions'] {
  return async (words) => {
    const found = new Map<string, readonly string[]>()
    const others: string[] = []
    for (const word of words) {
      const hits = index.find(word)
      if (!hits) others.push(word)
      else
        found.set(
          word,
          hits.map(({ path }) => path),
        )
    }
    if (others.length > 0)
      for (const [word, paths] of await snapshot.filesWithWords(others)) found.set(word, paths)
    return found
  }
}

// Where words occur, from the stored index of the nearest tree.

/**
 * The same snapshot with the same answers. What is stored of the nearest tree is asked when the first words or the list of
 * all paths are wanted, and only files that it does not have are read. Nothing is parsed and nothing is stored.
 */
export function withIndexedWords(snapshot: RepoSnapshot, stored: StoredTrees | null): RepoSnapshot {
  let words: Promise<KnownWords | null> | null = null
  const opened = () => {
    words ??= openKnownWords(snapshot, stored)
    return words
  }
  const { tree, changesSince, largeFilesWithWords } = snapshot
  return {
    tree,
    async list() {
      return (await opened())?.entries ?? (await snapshot.list())
    },
    entry: (path) => snapshot.entry(path),
    read: (path) => snapshot.read(path),
    readMany: (paths) => snapshot.readMany(paths),
    ...(changesSince ? { changesSince: changesSince.bind(snapshot) } : {}),
    ...(largeFilesWithWords ? { largeFilesWithWords: largeFilesWithWords.bind(snapshot) } : {}),
    async filesWithWords(asked) {
      return (await opened())?.filesWithWords(asked) ?? snapshot.filesWithWords(asked)
    },
  }
}

type KnownWords = Pick<TreeIndex, 'entries'> & Pick<RepoSnapshot, 'filesWithWords'>

/** Null when nothing near is stored. */
async function openKnownWords(
  snapshot: RepoSnapshot,
  stored: StoredTrees | null,
): Promise<KnownWords | null> {
  if (!stored || !snapshot.filesWithWordsAmong || stored.recent().length === 0) return null
  const start = await startTree(snapshot, stored, null)
  if (!start || start.segments.length === 0) return null
  const { entries, places, segments } = start
  const index = new TreeIndex({ tree: snapshot.tree, entries, places }, segments)
  const others = entries.flatMap((entry, at) =>
    places[at] === noPlace && hasUnit(entry) ? [entry.path] : [],
  )
  const filed = filedWords(snapshot, index)
  const orderOf = new Map(others.length > 0 ? entries.map(({ path }, at) => [path, at]) : [])
  return {
    entries,
    async filesWithWords(words) {
      const found = await filed(words)
      if (others.length === 0) return found
      const added = await snapshot.filesWithWordsAmong?.(words, others)
      return new Map(
        [...found].map(([word, paths]) => {
          const all = new Set([...paths, ...(added?.get(word) ?? [])])
          return [word, [...all].sort((a, b) => (orderOf.get(a) ?? 0) - (orderOf.get(b) ?? 0))]
        }),
      )
    },
  }
}
