/** A tree in memory as a snapshot, for tests that need thousands of them. */
import { sha256 } from '../../../src/base/canonical-json.ts'
import type { FileText, RepoSnapshot } from '../../../src/domain/snapshot.ts'

export type Tree = Record<string, string>

export function memorySnapshot(tree: Tree): RepoSnapshot {
  const paths = Object.keys(tree).sort()
  const read = (path: string): FileText | null => {
    const text = Object.hasOwn(tree, path) ? tree[path] : undefined
    return text === undefined ? null : { text, blob: blobOf(text), lossy: false }
  }
  const entryOf = (path: string) => ({
    path,
    mode: '100644',
    blob: blobOf(tree[path] ?? ''),
    size: (tree[path] ?? '').length,
  })
  return {
    tree: sha256(JSON.stringify(tree)).slice(0, 40),
    list: async () => paths.map(entryOf),
    entry: async (path) => (read(path) ? entryOf(path) : null),
    read: async (path) => read(path),
    readMany: async (wanted) =>
      new Map(
        wanted.flatMap((path) => {
          const text = read(path)
          return text ? [[path, text] as const] : []
        }),
      ),
    filesWithWords: async (words) =>
      new Map(
        words.map((word) => [
          word,
          paths.filter((path) => (tree[path] ?? '').split(/[^\p{L}\p{N}_$]+/u).includes(word)),
        ]),
      ),
  }
}

export function blobOf(text: string): string {
  return sha256(`blob ${text}`).slice(0, 40)
}
