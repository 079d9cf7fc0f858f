/** The files of a snapshot as the kinds read them. */

import type { FactStore } from '../code-index/contract.ts'
import { languageOf } from '../code-index/language-of.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { SourceFile, SourceTree } from './contract.ts'

/** In UTF-16 units; what people write by hand is shorter. */
const longestText = 1_000_000

export function openSourceTree(snapshot: RepoSnapshot, facts: FactStore): SourceTree {
  const known = new Map<string, SourceFile | null>()
  return {
    paths: async () =>
      (await snapshot.list()).flatMap(({ path, mode }) => (mode.startsWith('100') ? path : [])),
    async read(paths) {
      const missing = [...new Set(paths)].filter((path) => !known.has(path))
      const read = new Map((await readSources(missing, snapshot, facts)).map((file) => [file.path, file]))
      for (const path of missing) known.set(path, read.get(path) ?? null)
      return paths.flatMap((path) => known.get(path) ?? [])
    },
  }
}

/** In the order of `paths`. `isWanted`: of the others, facts are not computed, and they are left out. */
export async function readSources(
  paths: readonly string[],
  snapshot: Pick<RepoSnapshot, 'readMany'>,
  facts: FactStore,
  isWanted: (path: string, text: string) => boolean = () => true,
): Promise<SourceFile[]> {
  const texts = await snapshot.readMany(paths)
  const files = paths.flatMap((path) => {
    const file = texts.get(path)
    return file && file.text.length <= longestText && isWanted(path, file.text) ? [{ path, ...file }] : []
  })
  const parsed = await facts.facts(files.filter(({ path }) => languageOf(path) !== null))
  return files.map(({ path, text }) => ({ path, text, facts: parsed.get(path) ?? null }))
}
