/** A tree held in memory, as a snapshot. */
import { sha256 } from '../../../src/base/canonical-json.ts'
import type { FileText, RepoSnapshot, TreeEntry } from '../../../src/domain/snapshot.ts'

export type Tree = Record<string, string>

export function blobOf(text: string): string {
  return sha256(text)
}

export function memorySnapshot(tree: Tree): RepoSnapshot {
  const read = (path: string): FileText | null => {
    const text = tree[path]
    return text === undefined ? null : { text, blob: blobOf(text), lossy: false }
  }
  const entry = (path: string): TreeEntry | null => {
    const file = read(path)
    return file && { path, mode: '100644', blob: file.blob, size: Buffer.byteLength(file.text) }
  }
  return {
    tree: sha256(JSON.stringify(tree)),
    list: async () => Object.keys(tree).flatMap((path) => entry(path) ?? []),
    entry: async (path) => entry(path),
    read: async (path) => read(path),
    readMany: async (paths) => new Map(paths.flatMap((path) => [[path, read(path)] as const]).filter(isRead)),
    filesWithWords: async () => new Map(),
  }
}

function isRead(item: readonly [string, FileText | null]): item is readonly [string, FileText] {
  return item[1] !== null
}
