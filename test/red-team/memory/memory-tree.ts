/** A tree that is only in memory, for what reads a few files of a base or a head. */
import { sha256 } from '../../../src/base/canonical-json.ts'
import type { RepoSnapshot } from '../../../src/domain/snapshot.ts'

export type TreeFile = { text: string; mode?: string }

export function memoryTree(files: Readonly<Record<string, TreeFile>>): RepoSnapshot {
  const entries = Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { text, mode = '100644' }]) => ({
      path,
      mode,
      blob: sha256(text).slice(0, 40),
      size: text.length,
      text,
    }))
  const read = async (path: string) => {
    const found = entries.find((one) => one.path === path && one.mode.startsWith('100'))
    return found ? { text: found.text, blob: found.blob, lossy: found.text.includes('\ufffd') } : null
  }
  return {
    tree: sha256(JSON.stringify(entries)).slice(0, 40),
    list: async () => entries.map(({ text: _, ...entry }) => entry),
    entry: async (path) => entries.find((one) => one.path === path) ?? null,
    read,
    async readMany(paths) {
      const found = await Promise.all(paths.map(async (path) => [path, await read(path)] as const))
      return new Map(found.flatMap(([path, file]) => (file ? [[path, file] as const] : [])))
    },
    filesWithWords: async () => new Map(),
  }
}
