/** Under which keys a repository uses something of others: what an index of a workspace keeps of each of its files. */
import { compareText } from '../base/compare-text.ts'
import type { FactStore } from '../code-index/contract.ts'
import type { SharedKind } from '../domain/shared-contract.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { SourceFile, Use } from './contract.ts'
import { contractKinds } from './registry.ts'
import { readSources } from './source-tree.ts'

/** Of the keys that files have: a file of another number was read by other kinds. Raise it when a kind changes its keys or cues. */
export const keysVersion = 5

/** `names`: the exact names of the uses under this key, in order; null where one of them has none. */
export type UseKey = { path: string; kind: SharedKind; key: string; names: readonly string[] | null }

/** Files that are read at once. */
const batch = 200

/** Whether any kind reads a file of this path. */
export function mayUse(path: string): boolean {
  return contractKinds.some((kind) => kind.mayUse(path))
}

/** Of files that some kind reads; batch by batch, so that the whole repository is never in memory. */
export async function* readUseKeys(
  paths: readonly string[],
  snapshot: Pick<RepoSnapshot, 'readMany'>,
  facts: FactStore,
): AsyncGenerator<readonly UseKey[]> {
  for (let at = 0; at < paths.length; at += batch) {
    const files = await readSources(paths.slice(at, at + batch), snapshot, facts, hasCue)
    yield (await Promise.all(files.map(keysOf))).flat()
  }
}

function hasCue(path: string, text: string): boolean {
  return contractKinds.some((kind) => kind.mayUse(path) && kind.cue.test(text))
}

async function keysOf(file: SourceFile): Promise<UseKey[]> {
  const keys: UseKey[] = []
  for (const kind of contractKinds)
    if (kind.mayUse(file.path) && kind.cue.test(file.text))
      for (const [key, uses] of Map.groupBy(await kind.uses(file), (use) => use.key))
        keys.push({ path: file.path, kind: kind.kind, key, names: exactNames(uses) })
  return keys
}

function exactNames(uses: readonly Use[]): string[] | null {
  const names = uses.flatMap(({ exact }) => exact ?? [])
  return names.length < uses.length ? null : [...new Set(names)].sort(compareText)
}
