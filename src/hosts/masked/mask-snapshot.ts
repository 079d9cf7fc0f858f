/** A tree without its secrets: whatever reads it (prompts, tools, the index, questions) cannot show what it never saw. */
import type { FileText, RepoSnapshot } from '../../domain/snapshot.ts'
import type { BlobMasks } from './masked-text.ts'
import type { ShownPaths } from './shown-paths.ts'

export function maskSnapshot(snapshot: RepoSnapshot, masks: BlobMasks, paths: ShownPaths): RepoSnapshot {
  const { changesSince } = snapshot
  const shownList = (list: readonly string[]) =>
    paths.shownAll(
      list,
      (path) => path,
      (_, path) => path,
    )
  return {
    tree: snapshot.tree,
    async list() {
      return paths.shownAll(
        await snapshot.list(),
        ({ path }) => path,
        (entry, path) => ({ ...entry, path }),
      )
    },
    async entry(path) {
      const entry = await snapshot.entry(paths.real(path))
      return entry && { ...entry, path: paths.shown(entry.path) }
    },
    async read(path) {
      const file = await snapshot.read(paths.real(path))
      return file && masks.masked(file)
    },
    async readMany(wanted) {
      const files = await snapshot.readMany(wanted.map((path) => paths.real(path)))
      const masked = new Map<string, FileText>()
      for (const path of wanted) {
        const file = files.get(paths.real(path))
        if (file) masked.set(path, masks.masked(file))
      }
      return masked
    },
    async filesWithWords(words) {
      const found = await snapshot.filesWithWords(words)
      return new Map([...found].map(([word, files]) => [word, shownList(files)]))
    },
    ...(changesSince
      ? {
          async changesSince(tree: string, most: number) {
            const differences = await changesSince.call(snapshot, tree, most)
            return (
              differences &&
              paths.shownAll(
                differences,
                ({ path }) => path,
                ({ before, after }, path) => ({
                  path,
                  before: before && { ...before, path },
                  after: after && { ...after, path },
                }),
              )
            )
          },
        }
      : {}),
  }
}
