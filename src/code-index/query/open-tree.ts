/** Opens one tree for questions. */
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { FactStore } from '../contract.ts'
import { type Known, openWorld } from '../resolve/world.ts'
import type { TreeIndex } from '../tree-index/tree-index.ts'
import { flags } from '../tree-index/word-collector.ts'
import type { CodeTree } from './contract.ts'

export type TreeOptions = Known & {
  /** Of this tree. Without it each new word costs one pass over all bytes. */
  index?: TreeIndex | null
}

/** The snapshot and the store stay the caller's, to be closed by it. Throws `tree-too-large`. */
export async function openCodeTree(
  snapshot: RepoSnapshot,
  store: FactStore,
  { index = null, ...known }: TreeOptions = {},
): Promise<CodeTree> {
  const world = await openWorld(snapshot, store, [], known)
  const mentions: CodeTree['mentions'] = index
    ? filedWords(snapshot, index)
    : (words) => snapshot.filesWithWords(words)
  const marked = async (word: string, flag: number): Promise<readonly string[]> => {
    const hits = index?.find(word)
    if (!hits) return (await mentions([word])).get(word) ?? []
    return hits.flatMap((hit) => (hit.flags & flag ? [hit.path] : []))
  }
  return {
    world,
    mentions,
    definers: (word) => marked(word, flags.defined),
    users: (word) => marked(word, flags.used),
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
